import { type Db, inTransaction } from '../../../db/database.ts'
import { randomText } from '../../../kernel/ids.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import * as q from '../queries/slots.ts'
import type { Lanes } from './lanes.ts'

export type Claimed = 'events' | 'retries'

const ANY = { events: q.selectAnyEvent, retries: q.selectAnyRetry }

/** Returns the endpoints that a claimed row is sent to. */
export type EndpointsOf<R> = (row: R) => readonly { store_id: number; endpoint_id: number }[]

/**
 * Ten requests at once an endpoint, over all processes (decision 126). At each claim a process learns
 * which slots the others use, and saves which ones it uses itself: of what it claimed and has not ended,
 * no more than the others leave. Until its next claim it can only use fewer.
 */
export interface Slots {
  /** Returns true if a claim is worth its lock. An idle process only looks, and blocks no other. */
  isWorth(kind: Claimed, foundLast: boolean): Promise<boolean>
  /** Claims rows while no other process claims. */
  claim<R>(work: (db: Db) => Promise<R[]>, endpointsOf: EndpointsOf<R>): Promise<R[]>
  /** The request of a claimed delivery has ended, or it is not sent. */
  free(delivery: { endpoint_id: number }): void
  /** Tells the others what was freed since the last claim. */
  save(): Promise<void>
}

/** An embedded database has one process. */
export const soleSlots = (db: Db): Slots => ({
  isWorth: async () => true,
  claim: (work) => work(db),
  free() {},
  async save() {},
})

/** How old what is saved may be while deliveries are claimed: it holds for 30 s, a delivery for 25. */
const SAVED_MAX_MS = SECOND_MS

/** The process id is for people who read the table; the rest tells machines apart. */
const newWorkerId = () => `${process.pid}-${randomText(16)}`

export function sharedSlots(db: Db, lanes: Lanes): Slots {
  const workerId = newWorkerId()
  const held = new Map<number, { store_id: number; deliveries: number }>()
  /** The slots that other processes see for this one: never fewer than it may use. */
  let saved = new Map<number, number>()
  let savedAt = 0
  let isSaved = true

  const add = ({ store_id, endpoint_id }: { store_id: number; endpoint_id: number }) => {
    const deliveries = (held.get(endpoint_id)?.deliveries ?? 0) + 1
    held.set(endpoint_id, { store_id, deliveries })
  }

  function free({ endpoint_id }: { endpoint_id: number }) {
    const before = held.get(endpoint_id)
    if (!before) return
    isSaved = false
    if (before.deliveries > 1) before.deliveries--
    else held.delete(endpoint_id)
  }

  const used = (): q.EndpointSlots[] =>
    [...held].flatMap(([endpoint_id, { store_id, deliveries }]) => {
      const slots = Math.min(deliveries, lanes.shareOf(endpoint_id))
      return slots > 0 ? { store_id, endpoint_id, slots } : []
    })

  async function save(on: Db, slots = used()): Promise<void> {
    isSaved = true
    try {
      await q.saveSlots(on, workerId, slots)
      saved = new Map(slots.map((row) => [row.endpoint_id, row.slots]))
      savedAt = performance.now()
    } catch (error) {
      isSaved = false
      throw error
    }
  }

  async function claim<R>(work: (db: Db) => Promise<R[]>, endpointsOf: EndpointsOf<R>) {
    let claimed: R[] = []
    const undo = () => {
      for (const row of claimed) endpointsOf(row).forEach(free)
      claimed = []
    }
    try {
      return await inTransaction(db, async (tx) => {
        undo()
        await q.lockClaims(tx)
        lanes.share(await q.selectSlotsOfOthers(tx, workerId))
        claimed = await work(tx)
        for (const row of claimed) endpointsOf(row).forEach(add)
        const slots = used()
        const isMore = slots.some((row) => row.slots > (saved.get(row.endpoint_id) ?? 0))
        const isOld = claimed.length > 0 && performance.now() - savedAt > SAVED_MAX_MS
        if (isMore || isOld) await save(tx, slots)
        return claimed
      })
    } catch (error) {
      undo()
      saved = new Map()
      isSaved = false
      throw error
    }
  }

  return {
    isWorth: async (kind, foundLast) => foundLast || ANY[kind](db),
    claim,
    free,
    save: async () => {
      if (!isSaved) await save(db)
    },
  }
}
