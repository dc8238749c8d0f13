import type { App } from '../../../app.ts'
import { inTransaction } from '../../../db/database.ts'
import * as claim from '../queries/claim.ts'
import { recordLostRetries, salvageEvents } from '../queries/record.ts'
import type { Progress } from '../result.rules.ts'
import { PLACES } from './lanes.ts'
import type { Result } from './record-results.ts'

/** One delivery that a lease of ours covers. */
export interface Try {
  lane: Result['lane']
  store_id: number
  delivery_id: number
  endpoint_id: number
  token: number
  progress: Progress
  event: { no: number; tag: number; type: string }
  payload_enc: Buffer
  created_at: string
  clock_offset_ms: number
  /** Says, with the last delivery of an event, that its fan-out can go. */
  finished?: () => Result['finished']
}

const EVENTS_PER_STORE = 12
export const CLAIM_MAX = 64

/** Takes events for their first tries, going round the stores. */
export function createEventClaims({ db }: Pick<App, 'db'>): () => Promise<Try[]> {
  let lastStore = 0
  const options = { perStore: EVENTS_PER_STORE, limit: CLAIM_MAX }

  return async () => {
    let events = await claim.claimEvents(db, { afterStore: lastStore, ...options })
    if (events.length === 0 && lastStore > 0) {
      events = await claim.claimEvents(db, { afterStore: 0, ...options })
    }
    lastStore = events.length < CLAIM_MAX ? 0 : (events.at(-1)?.store_id ?? 0)
    const lost = events.filter((event) => event.lost)
    if (lost.length > 0) await inTransaction(db, (tx) => salvageEvents(tx, lost))
    return events.filter((event) => !event.lost).flatMap(firstTries)
  }
}

/** The deliveries of an event, whose fan-out goes with the last of them. */
function firstTries(claimed: claim.ClaimedEvent): Try[] {
  const { store_id, no, tag, type, token, endpoint_ids } = claimed
  const positions = endpoint_ids.flatMap((endpoint_id, place) =>
    endpoint_id === 0 ? [] : [{ endpoint_id, place }],
  )
  let left = positions.length
  return positions.map(({ endpoint_id, place }) => ({
    ...claimed,
    lane: 'first',
    endpoint_id,
    delivery_id: no * 32 + place,
    progress: { attempts: 0, step: 0, lost: 0 },
    event: { no, tag, type },
    finished: () => {
      left--
      return left === 0 ? { store_id, no, token } : undefined
    },
  }))
}

/** Takes retries that are due, of each endpoint no more than it has room for. */
export async function claimRetries(
  { db }: Pick<App, 'db'>,
  room: ReadonlyMap<number, number>,
): Promise<Try[]> {
  const rows = await claim.claimRetries(db, { room, roomOfOthers: PLACES, limit: CLAIM_MAX })
  const lost = rows.filter((row) => row.lost_now)
  if (lost.length > 0) await inTransaction(db, (tx) => recordLostRetries(tx, lost))
  return rows.map(({ no, tag, type, attempts, step, lost: losses, lost_now, ...row }) => ({
    ...row,
    lane: 'retry',
    progress: { attempts: attempts + (lost_now ? 1 : 0), step, lost: losses },
    event: { no, tag, type },
  }))
}
