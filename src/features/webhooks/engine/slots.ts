import { type Db, inTransaction } from '../../../db/database.ts'
import { randomText } from '../../../kernel/ids.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import * as q from '../queries/slots.ts'
import type { Lanes } from './lanes.ts'

type ClaimKind = 'events' | 'retries'

const SELECT_ANY = { events: q.selectAnyEvent, retries: q.selectAnyRetry }

/** Returns the endpoints that a claimed row is sent to. */
type EndpointsOf<R> = (row: R) => readonly { store_id: number; endpoint_id: number }[]

/**
 * Limits an endpoint to ten concurrent requests over all processes (decision 126). At each claim a process
 * reads the slots that the other processes use. It then saves its own: one for each claimed delivery that has
 * not ended, as far as the others leave slots free. Until its next claim it never uses more than it saved.
 */
export interface Slots {
  /** True if there may be rows to claim. An idle process checks this, because it takes no lock. */
  mayHaveRows(kind: ClaimKind, lastClaimHadRows: boolean): Promise<boolean>
  /** Claims rows while no other process claims. */
  claim<R>(claimRows: (db: Db) => Promise<R[]>, endpointsOf: EndpointsOf<R>): Promise<R[]>
  /** Frees the slot of a claimed delivery whose request has ended or is not sent. */
  free(delivery: { endpoint_id: number }): void
  /** Saves the slots freed since the last claim, so that other processes can use them. */
  save(): Promise<void>
}

/** The slots for an embedded database. Only one process uses it, so nothing is shared. */
export const localSlots = (db: Db): Slots => ({
  mayHaveRows: async () => true,
  claim: (claimRows) => claimRows(db),
  free() {},
  async save() {},
})

/** The maximum age of saved slots while deliveries are claimed. They expire after 30 s; a delivery takes up to 25 s. */
const SAVED_MAX_MS = SECOND_MS

/** The process id is for people who read the table; the random text makes it unique over machines. */
const newWorkerId = () => `${process.pid}-${randomText(16)}`

export function sharedSlots(db: Db, lanes: Lanes): Slots {
  const workerId = newWorkerId()
  const deliveriesByEndpoint = new Map<number, { store_id: number; deliveries: number }>()
  /** The slots of this process as other processes read them. They are never fewer than it may use. */
  let savedSlots = new Map<number, number>()
  let savedAt = 0
  let isSaved = true

  const add = ({ store_id, endpoint_id }: { store_id: number; endpoint_id: number }) => {
    const deliveries = (deliveriesByEndpoint.get(endpoint_id)?.deliveries ?? 0) + 1
    deliveriesByEndpoint.set(endpoint_id, { store_id, deliveries })
  }

  function free({ endpoint_id }: { endpoint_id: number }) {
    const before = deliveriesByEndpoint.get(endpoint_id)
    if (!before) return
    isSaved = false
    if (before.deliveries > 1) before.deliveries--
    else deliveriesByEndpoint.delete(endpoint_id)
  }

  const usedSlots = (): q.EndpointSlots[] =>
    [...deliveriesByEndpoint].flatMap(([endpoint_id, { store_id, deliveries }]) => {
      const slots = Math.min(deliveries, lanes.availableSlots(endpoint_id))
      return slots > 0 ? { store_id, endpoint_id, slots } : []
    })

  async function save(connection: Db, slots = usedSlots()): Promise<void> {
    isSaved = true
    try {
      await q.saveSlots(connection, workerId, slots)
      savedSlots = new Map(slots.map((row) => [row.endpoint_id, row.slots]))
      savedAt = performance.now()
    } catch (error) {
      isSaved = false
      throw error
    }
  }

  async function claim<R>(claimRows: (db: Db) => Promise<R[]>, endpointsOf: EndpointsOf<R>) {
    let claimedRows: R[] = []
    const undo = () => {
      for (const row of claimedRows) endpointsOf(row).forEach(free)
      claimedRows = []
    }
    try {
      return await inTransaction(db, async (tx) => {
        undo()
        await q.lockClaims(tx)
        lanes.setSlotsOfOthers(await q.selectSlotsOfOthers(tx, workerId))
        claimedRows = await claimRows(tx)
        for (const row of claimedRows) endpointsOf(row).forEach(add)
        const slots = usedSlots()
        const exceedsSaved = slots.some((row) => row.slots > (savedSlots.get(row.endpoint_id) ?? 0))
        const isStale = claimedRows.length > 0 && performance.now() - savedAt > SAVED_MAX_MS
        if (exceedsSaved || isStale) await save(tx, slots)
        return claimedRows
      })
    } catch (error) {
      undo()
      savedSlots = new Map()
      isSaved = false
      throw error
    }
  }

  return {
    mayHaveRows: async (kind, lastClaimHadRows) => lastClaimHadRows || SELECT_ANY[kind](db),
    claim,
    free,
    save: async () => {
      if (!isSaved) await save(db)
    },
  }
}
