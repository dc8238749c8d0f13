import type { App } from '../../../app.ts'
import { inTransaction } from '../../../db/database.ts'
import type { Meter } from '../metrics.ts'
import * as claim from '../queries/claim.ts'
import { recordLostEvents, recordLostRetries } from '../queries/record.ts'
import { type Backlog, backlogAfter, hasBacklog, NO_BACKLOG } from './backlog.rules.ts'
import type { EndpointQueues } from './endpoint-queues.ts'
import { firstAttempts, type LeasedDelivery, manualAttemptOf, retryOf } from './leased-delivery.ts'
import { recordLostManual } from './manual.ts'
import type { NewEvents } from './recorded-events.ts'
import { retryClaimPause, SLOTS_MAX } from './slots.rules.ts'
import { localSlots, type Slots } from './slots.ts'

export interface Claims {
  /**
   * Claims first attempts and due retries for the free slots. `unstartedCount` is the number of claimed
   * deliveries that have not started: each of them still needs a slot.
   */
  claim(unstartedCount: number): Promise<LeasedDelivery[]>
  /** Claims events that this process has just committed, as far as it may send them at once. */
  claimRecorded(recorded: NewEvents): Promise<ClaimedEvents>
  /** True if the last claim may have left deliveries of the store, or of any store if none is given. */
  isBehind(storeId?: number): boolean
}

interface ClaimedEvents {
  deliveries: LeasedDelivery[]
  /** True if all of the events were claimed. */
  areAll: boolean
}

/** A long statement of the embedded database delays API calls, so claims are smaller there. */
const CLAIM_MAX = { server: 500, embedded: 64 }

interface ClaimOptions {
  queues: EndpointQueues
  /** Returns the number of further deliveries that may be in memory. */
  capacity: () => number
  meter: Meter
  logFailure: (error: unknown) => void
  slots?: Slots
}

/** If the claims of one lane fail, the error is logged, and the claims of the other lane are used. */
export function createClaims(app: App, options: ClaimOptions): Claims {
  const { queues, capacity, meter, logFailure, slots = localSlots(app.db) } = options
  const claimMax = CLAIM_MAX[app.config.databaseUrl ? 'server' : 'embedded']
  const claimEvents = createEventClaims(app, { meter, logFailure, slots })
  const claimRetries = createRetryClaims(app, { meter, logFailure, slots })
  let nextRetryClaimAt = 0

  async function claimDueRetries(limit: number): Promise<LeasedDelivery[]> {
    const startedAt = performance.now()
    const deliveries = await claimRetries.run(queues, limit).catch(noDeliveries)
    const endedAt = performance.now()
    nextRetryClaimAt =
      deliveries.length < limit / 2 ? endedAt + retryClaimPause(endedAt - startedAt) : 0
    return deliveries
  }

  function noDeliveries(error: unknown): LeasedDelivery[] {
    logFailure(error)
    return []
  }

  return {
    isBehind(storeId) {
      const backlogs = [claimEvents.backlog(), claimRetries.backlog()]
      return backlogs.some((backlog) =>
        storeId === undefined ? backlog === 'unknown' : hasBacklog(backlog, storeId),
      )
    },
    async claimRecorded({ events, fanouts }) {
      const rows = await slots.claimAtOnce(
        { storeIds: new Set(events.map((event) => event.store_id)), slots: fanouts },
        (connection, endpoints) => claim.claimRecorded(connection, events, endpoints),
        endpointsOf,
      )
      return { deliveries: rows.flatMap(firstAttempts), areAll: rows.length === fanouts }
    },
    async claim(unstartedCount) {
      const limit = Math.min(claimMax, capacity() - unstartedCount)
      if (limit < 1) return []
      const areRetriesDue = performance.now() >= nextRetryClaimAt
      // Half of the limit is reserved for retries, so that many pending events cannot delay them.
      const firstDeliveries = await claimEvents
        .run(queues, areRetriesDue ? Math.ceil(limit / 2) : limit)
        .catch(noDeliveries)
      const remaining = limit - firstDeliveries.length
      const claimsRetries = (areRetriesDue || firstDeliveries.length === 0) && remaining > 0
      return claimsRetries
        ? [...firstDeliveries, ...(await claimDueRetries(remaining))]
        : firstDeliveries
    },
  }
}

type ClaimDependencies = Required<Pick<ClaimOptions, 'meter' | 'logFailure' | 'slots'>>

/** Returns the endpoints that need a slot. A lost attempt of another process is only recorded, so it needs none. */
const endpointsOf = ({ store_id, is_lost, endpoint_ids }: claim.ClaimedEvent) =>
  is_lost
    ? []
    : endpoint_ids.flatMap((endpoint_id) => (endpoint_id === 0 ? [] : { store_id, endpoint_id }))

/** The limits of a claim by the work that is under way. */
interface ClaimLimits {
  capacity: readonly claim.EndpointCapacity[]
  skippedStores: readonly number[]
}

/** Limits of the events of one store in a claim: `max` if no other store has pending events, `min` if many have. */
const PER_STORE = { min: 12, max: 200 }

/** Claims events for their first attempts, from one store after the other. */
function createEventClaims(
  { db }: Pick<App, 'db'>,
  { meter, logFailure, slots }: ClaimDependencies,
) {
  let lastStore = 0
  /** Attempts per event of the last claim. */
  let attemptsPerEvent = 1
  let lastClaimHadRows = false
  let backlog: Backlog = 'unknown'

  async function run(queues: EndpointQueues, limit: number): Promise<LeasedDelivery[]> {
    backlog = 'unknown'
    if (!(await slots.mayHaveRows('events', lastClaimHadRows))) {
      backlog = NO_BACKLOG
      return []
    }
    const isFromStart = lastStore === 0
    let limits: ClaimLimits = { capacity: [], skippedStores: [] }
    const eventsMax = Math.ceil(limit / attemptsPerEvent)
    const events = await slots.claim(async (tx) => {
      const options = {
        skippedStores: [...queues.crowded(), ...queues.paused()],
        capacity: queues.capacity(),
        defaultSlots: SLOTS_MAX,
        attemptsPerEvent,
        perStore: PER_STORE,
        eventsMax,
        attemptsMax: limit,
      }
      limits = options
      const rows = await claim.claimEvents(tx, { afterStore: lastStore, ...options })
      if (rows.length > 0 || lastStore === 0) return rows
      return claim.claimEvents(tx, { afterStore: 0, ...options })
    }, endpointsOf)
    lastClaimHadRows = events.length > 0
    const attempts = events.reduce((sum, { endpoint_ids }) => sum + endpoint_ids.length, 0)
    const bytes = events.reduce((sum, { payload_enc }) => sum + payload_enc.length, 0)
    const hasClaimedAll =
      events.length < eventsMax && attempts < limit && bytes < claim.PAYLOAD_BYTES_MAX
    const storeIds = events.map((event) => event.store_id)
    const isWhole = isFromStart && hasClaimedAll
    backlog = backlogAfter({ ...limits, isWhole, storeIds, perStore: PER_STORE.min })
    lastStore = hasClaimedAll ? 0 : (events.at(-1)?.store_id ?? 0)
    if (events.length > 0) attemptsPerEvent = Math.max(1, attempts / events.length)
    const lostEvents = events.filter((event) => event.is_lost)
    meter.recordLost(lostEvents.length)
    if (lostEvents.length > 0) {
      await inTransaction(db, (tx) => recordLostEvents(tx, lostEvents)).catch(logFailure)
    }
    return events.filter((event) => !event.is_lost).flatMap(firstAttempts)
  }

  return { run, backlog: () => backlog }
}

/** The maximum share of one store in a claim of retries. */
const STORE_SHARE_MAX = 0.25

/** Claims due retries, round-robin over the endpoints and within the free slots of each. */
function createRetryClaims(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { meter, logFailure, slots }: ClaimDependencies,
) {
  let lastEndpoint = 0
  let lastClaimHadRows = false
  let backlog: Backlog = 'unknown'

  async function run(queues: EndpointQueues, limit: number): Promise<LeasedDelivery[]> {
    backlog = 'unknown'
    if (!(await slots.mayHaveRows('retries', lastClaimHadRows))) {
      backlog = NO_BACKLOG
      return []
    }
    let limits: ClaimLimits = { capacity: [], skippedStores: [] }
    const rows = await slots.claim(
      async (tx) => {
        const options = {
          capacity: queues.capacity(),
          defaultSlots: SLOTS_MAX,
          skippedStores: queues.crowded(),
          perStore: Math.ceil(limit * STORE_SHARE_MAX),
          limit,
        }
        limits = options
        const claimedRows = await claim.claimRetries(tx, {
          afterEndpoint: lastEndpoint,
          ...options,
        })
        if (claimedRows.length > 0 || lastEndpoint === 0) return claimedRows
        return claim.claimRetries(tx, { afterEndpoint: 0, ...options })
      },
      (row) => (row.manual ? [] : [row]),
    )
    lastClaimHadRows = rows.length > 0
    backlog = backlogAfter({ ...limits, isWhole: rows.length === 0, storeIds: [], perStore: 1 })
    lastEndpoint = rows.length === 0 ? 0 : Math.max(...rows.map((row) => row.endpoint_id))
    const lostRetries = rows.filter((row) => row.is_lost && !row.manual)
    const lostManual = rows.filter((row) => row.manual)
    meter.recordLost(lostRetries.length + lostManual.length)
    await recordLostManual({ db, clock }, lostManual.map(manualAttemptOf)).catch(logFailure)
    const isLostRecorded =
      lostRetries.length === 0 ||
      (await inTransaction(db, (tx) => recordLostRetries(tx, lostRetries)).then(
        () => true,
        logFailure,
      ))
    // If the write failed, the other retries are sent anyway. The lost ones are claimed when their leases expire.
    if (!isLostRecorded) lostRetries.forEach(slots.free)
    return rows.filter((row) => !row.manual && (isLostRecorded || !row.is_lost)).map(retryOf)
  }

  return { run, backlog: () => backlog }
}
