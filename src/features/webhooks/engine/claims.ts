import type { App } from '../../../app.ts'
import { inTransaction } from '../../../db/database.ts'
import type { Meter } from '../metrics.ts'
import * as claim from '../queries/claim.ts'
import { recordLostRetries, salvageEvents } from '../queries/record.ts'
import type { Lanes } from './lanes.ts'
import { recordLostManual } from './manual.ts'
import { PLACES_MAX, untilNextLook } from './pace.rules.ts'
import { type Slots, soleSlots } from './slots.ts'
import { attemptedAgain, attemptedManually, firstAttempts, type Try } from './try.ts'

export interface Claims {
  /** First attempts and due retries within the free slots, less those that have not begun yet. */
  take(unbegun: number): Promise<Try[]>
}

/** A statement of the embedded database holds up the shop's own calls, so there it takes less. */
const CLAIM_MAX = { server: 500, embedded: 64 }
export interface ClaimOptions {
  lanes: Lanes
  /** How many more tries may be under way. */
  room: () => number
  meter: Meter
  noted: (error: unknown) => void
  slots?: Slots
}

/** `noted` is called with the error of a lane; the claims of the other lane are used anyway. */
export function createClaims(app: App, options: ClaimOptions): Claims {
  const { lanes, room, meter, noted, slots = soleSlots(app.db) } = options
  const most = CLAIM_MAX[app.config.databaseUrl ? 'server' : 'embedded']
  const claimEvents = createEventClaims(app, { meter, noted, slots })
  const claimRetries = createRetryClaims(app, { meter, noted, slots })
  let retriesAt = 0

  async function retries(limit: number): Promise<Try[]> {
    const began = performance.now()
    const tries = await claimRetries(lanes, limit).catch(nothing)
    const ended = performance.now()
    retriesAt = tries.length < limit / 2 ? ended + untilNextLook(ended - began) : 0
    return tries
  }

  function nothing(error: unknown): Try[] {
    noted(error)
    return []
  }

  return {
    async take(unbegun) {
      const limit = Math.min(most, room() - unbegun)
      if (limit < 1) return []
      const isTime = performance.now() >= retriesAt
      // Half is kept for retries that may be due, however many events wait.
      const first = await claimEvents(lanes, isTime ? Math.ceil(limit / 2) : limit).catch(nothing)
      const left = limit - first.length
      const look = (isTime || first.length === 0) && left > 0
      return look ? [...first, ...(await retries(left))] : first
    },
  }
}

type Claiming = Required<Pick<ClaimOptions, 'meter' | 'noted' | 'slots'>>

/** Endpoints to send to. A lease that another process lost is recorded first, and not sent here. */
const endpointsOf = ({ store_id, lost, endpoint_ids }: claim.ClaimedEvent) =>
  lost
    ? []
    : endpoint_ids.flatMap((endpoint_id) => (endpoint_id === 0 ? [] : { store_id, endpoint_id }))

/** Events of a store at a time, where others wait too, and where none do: its endpoints have few places. */
const PER_STORE = { least: 12, most: 200 }

/** Claims events for their first attempts, from one store after the other. */
function createEventClaims({ db }: Pick<App, 'db'>, { meter, noted, slots }: Claiming) {
  let lastStore = 0
  /** Attempts per event of the last claim. */
  let triesPerEvent = 1
  let found = false

  return async (lanes: Lanes, limit: number): Promise<Try[]> => {
    if (!(await slots.isWorth('events', found))) return []
    const most = Math.ceil(limit / triesPerEvent)
    const events = await slots.claim(async (on) => {
      const options = {
        skip: [...lanes.crowded(), ...lanes.resting()],
        room: lanes.room(),
        roomOfOthers: PLACES_MAX,
        triesPerEvent,
        perStore: PER_STORE,
        events: most,
        limit,
      }
      const behind = await claim.claimEvents(on, { afterStore: lastStore, ...options })
      if (behind.length > 0 || lastStore === 0) return behind
      return claim.claimEvents(on, { afterStore: 0, ...options })
    }, endpointsOf)
    found = events.length > 0
    const taken = events.reduce((sum, { endpoint_ids }) => sum + endpoint_ids.length, 0)
    const bytes = events.reduce((sum, { payload_enc }) => sum + payload_enc.length, 0)
    const isAll = events.length < most && taken < limit && bytes < claim.PAYLOADS_MAX
    lastStore = isAll ? 0 : (events.at(-1)?.store_id ?? 0)
    if (events.length > 0) triesPerEvent = Math.max(1, taken / events.length)
    const lost = events.filter((event) => event.lost)
    meter.lost(lost.length)
    if (lost.length > 0) {
      await inTransaction(db, (tx) => salvageEvents(tx, lost)).catch(noted)
    }
    return events.filter((event) => !event.lost).flatMap(firstAttempts)
  }
}

/** Takes retries that are due, going round the endpoints, of each no more than it has room for. */
function createRetryClaims(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { meter, noted, slots }: Claiming,
) {
  let lastEndpoint = 0
  let found = false

  return async (lanes: Lanes, limit: number): Promise<Try[]> => {
    if (!(await slots.isWorth('retries', found))) return []
    const rows = await slots.claim(
      async (on) => {
        const options = {
          room: lanes.room(),
          roomOfOthers: PLACES_MAX,
          crowded: lanes.crowded(),
          perStore: Math.ceil(limit / 4),
          limit,
        }
        const behind = await claim.claimRetries(on, { afterEndpoint: lastEndpoint, ...options })
        if (behind.length > 0 || lastEndpoint === 0) return behind
        return claim.claimRetries(on, { afterEndpoint: 0, ...options })
      },
      (row) => (row.manual ? [] : [row]),
    )
    found = rows.length > 0
    lastEndpoint = rows.length === 0 ? 0 : Math.max(...rows.map((row) => row.endpoint_id))
    const lost = rows.filter((row) => row.lost_now && !row.manual)
    const manual = rows.filter((row) => row.manual)
    meter.lost(lost.length + manual.length)
    await recordLostManual({ db, clock }, manual.map(attemptedManually)).catch(noted)
    const recorded =
      lost.length === 0 ||
      (await inTransaction(db, (tx) => recordLostRetries(tx, lost)).then(() => true, noted))
    // A failed write must not hold up the other retries: these leases expire once more.
    if (!recorded) lost.forEach(slots.free)
    return rows.filter((row) => !row.manual && (recorded || !row.lost_now)).map(attemptedAgain)
  }
}
