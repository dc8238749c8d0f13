import type { App } from '../../../app.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import { randomText } from '../../../kernel/ids.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import * as q from '../queries/slots.ts'
import type { EndpointQueues } from './endpoint-queues.ts'
import { createKeptSlots, KEPT_MS } from './kept-slots.ts'

type ClaimKind = 'events' | 'retries'

const SELECT_ANY = { events: q.selectAnyEvent, retries: q.selectAnyRetry }

/** Returns the endpoints that a claimed row is sent to. */
type EndpointsOf<R> = (row: R) => readonly { store_id: number; endpoint_id: number }[]

/** The endpoints to which this process may send at once: those in `only` that are not in `except`. */
interface ReadyEndpoints {
  /** Null for all endpoints. */
  only: readonly number[] | null
  except: readonly number[]
}

/** The need of a claim that does not wait for other processes. */
interface Need {
  /** The stores of the rows to claim. */
  storeIds: ReadonlySet<number>
  /** The slots that each endpoint needs. */
  slots: number
}

/**
 * Limits an endpoint to ten concurrent requests over all processes (decision 126). At each claim a process
 * reads the slots that the other processes use. It then saves its own: one for each claimed delivery that has
 * not ended, as far as the others leave slots free. Until its next claim it never uses more than it saved.
 * It keeps some slots of an endpoint for a moment after their use, so that the next event needs no such claim.
 */
export interface Slots {
  /** True if there may be rows to claim. An idle process checks this, because it takes no lock. */
  mayHaveRows(kind: ClaimKind, lastClaimHadRows: boolean): Promise<boolean>
  /** Claims rows while no other process claims. */
  claim<R>(claimRows: (db: Db) => Promise<R[]>, endpointsOf: EndpointsOf<R>): Promise<R[]>
  /** Claims rows for the endpoints of which this process has free slots. Does not wait for other processes. */
  claimAtOnce<R>(
    need: Need,
    claimRows: (db: Db, endpoints: ReadyEndpoints) => Promise<R[]>,
    endpointsOf: EndpointsOf<R>,
  ): Promise<R[]>
  /** Frees the slot of a claimed delivery whose request has ended or is not sent. */
  free(delivery: { endpoint_id: number }): void
  /** Saves the slots freed since the last claim, so that other processes can use them. */
  save(): Promise<void>
  /** Saves only the slots in use. From then on, none is kept after its use. */
  saveLast(): Promise<void>
}

/** The slots for an embedded database. Only one process uses it, so nothing is shared. */
export const localSlots = (db: Db, queues?: EndpointQueues): Slots => ({
  mayHaveRows: async () => true,
  claim: (claimRows) => claimRows(db),
  claimAtOnce: ({ slots }, claimRows) =>
    claimRows(db, { only: null, except: queues ? busyEndpoints(queues, slots) : [] }),
  free() {},
  async save() {},
  async saveLast() {},
})

/** Returns the endpoints with fewer free slots than are needed. */
const busyEndpoints = (queues: EndpointQueues, needed: number): number[] =>
  queues.capacity().flatMap(({ endpoint_id, slots }) => (slots < needed ? [endpoint_id] : []))

/** The maximum age of saved slots while deliveries are claimed. They expire after 30 s; a delivery takes up to 25 s. */
const SAVED_MAX_MS = SECOND_MS

/** The process id is for people who read the table; the random text makes it unique over machines. */
const newWorkerId = () => `${process.pid}-${randomText(16)}`

/** `onUnused` is called when slots may no longer be needed, so that they are saved. */
export const createSlots = (
  { db, config }: Pick<App, 'db' | 'config'>,
  queues: EndpointQueues,
  onUnused: () => void,
): Slots => (config.databaseUrl ? sharedSlots(db, queues, onUnused) : localSlots(db, queues))

function sharedSlots(db: Db, queues: EndpointQueues, onUnused: () => void): Slots {
  const kept = createKeptSlots()
  const saved = createSavedSlots(onUnused)
  const neededSlots = () => kept.list(queues.availableSlots)
  const free = (delivery: { endpoint_id: number }) => {
    if (kept.free(delivery)) saved.expire()
  }

  /** Runs a claim. If it fails, its rows are not claimed. */
  async function guarded<R>(
    endpointsOf: EndpointsOf<R>,
    work: (add: (rows: R[]) => R[]) => Promise<R[]>,
  ): Promise<R[]> {
    let claimedRows: R[] = []
    const add = (rows: R[]) => {
      for (const row of claimedRows) endpointsOf(row).forEach(free)
      for (const row of rows) endpointsOf(row).forEach(kept.add)
      claimedRows = rows
      return rows
    }
    try {
      return await work(add)
    } catch (error) {
      add([])
      saved.clear()
      throw error
    }
  }

  async function save(): Promise<void> {
    if (!saved.isExpired()) return
    const slots = neededSlots()
    if (saved.equals(slots)) saved.keep(slots)
    else await saved.write(db, slots)
  }

  return {
    mayHaveRows: async (kind, lastClaimHadRows) => lastClaimHadRows || SELECT_ANY[kind](db),
    claim: (claimRows, endpointsOf) =>
      guarded(endpointsOf, (add) =>
        inTransaction(db, async (tx) => {
          add([])
          await q.lockClaims(tx)
          queues.setSlotsOfOthers(await q.selectSlotsOfOthers(tx, saved.workerId))
          const rows = add(await claimRows(tx))
          const slots = neededSlots()
          const isOld = rows.length > 0 && saved.age_ms() > SAVED_MAX_MS
          if (isOld || saved.isExceededBy(slots)) await saved.write(tx, slots)
          return rows
        }),
      ),
    async claimAtOnce(need, claimRows, endpointsOf) {
      const only = saved.age_ms() > SAVED_MAX_MS ? [] : saved.list(need, kept.deliveries)
      if (only.length === 0) return []
      const endpoints = { only, except: busyEndpoints(queues, need.slots) }
      return guarded(endpointsOf, async (add) => add(await claimRows(db, endpoints)))
    },
    free,
    save,
    saveLast() {
      kept.stop()
      saved.expire()
      return save()
    },
  }
}

/** In place of the time of the last write, if the slots in the database are not known. */
const UNKNOWN = Number.NEGATIVE_INFINITY

/** The slots of this process as other processes read them. They are never fewer than it may use. */
function createSavedSlots(onUnused: () => void) {
  const workerId = newWorkerId()
  let saved: ReadonlyMap<number, q.EndpointSlots> = new Map()
  let savedAt = UNKNOWN
  /** True if fewer slots may be needed than were saved. */
  let isExpired = false
  let timer: NodeJS.Timeout | undefined
  const slotsOf = (endpointId: number) => saved.get(endpointId)?.slots ?? 0

  function renew(slots: readonly q.EndpointSlots[]) {
    clearTimeout(timer)
    if (slots.length > 0) timer = setTimeout(endKeeping, KEPT_MS).unref()
  }

  function endKeeping() {
    isExpired = true
    onUnused()
  }

  return {
    workerId,
    keep(slots: readonly q.EndpointSlots[]) {
      isExpired = false
      renew(slots)
    },
    isExpired: () => isExpired,
    expire() {
      isExpired = true
    },
    age_ms: () => performance.now() - savedAt,
    equals: (slots: readonly q.EndpointSlots[]) =>
      savedAt !== UNKNOWN &&
      slots.length === saved.size &&
      slots.every((row) => row.slots === slotsOf(row.endpoint_id)),
    isExceededBy: (slots: readonly q.EndpointSlots[]) =>
      slots.some((row) => row.slots > slotsOf(row.endpoint_id)),
    /** Returns the endpoints with enough saved slots that no delivery uses. */
    list: ({ storeIds, slots: needed }: Need, deliveries: (endpointId: number) => number) =>
      [...saved.values()].flatMap(({ store_id, endpoint_id, slots }) =>
        storeIds.has(store_id) && slots - deliveries(endpoint_id) >= needed ? [endpoint_id] : [],
      ),
    async write(connection: Db, slots: readonly q.EndpointSlots[]) {
      isExpired = false
      await q.saveSlots(connection, workerId, slots)
      saved = new Map(slots.map((row) => [row.endpoint_id, row]))
      savedAt = performance.now()
      renew(slots)
    },
    /** The failed transaction may have saved other slots. */
    clear() {
      saved = new Map()
      savedAt = UNKNOWN
      isExpired = true
    },
  }
}
