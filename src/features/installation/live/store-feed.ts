import type { App } from '../../../app.ts'
import { HOUR_MS, iso, SECOND_MS } from '../../../kernel/time.ts'
import { createLedgerWindow, type LedgerWindow } from './ledger-window.ts'
import {
  deliveryMessage,
  firstDeliveryOf,
  isOrderEvent,
  type LiveMessage,
  orderMessage,
} from './messages.ts'
import * as q from './queries.ts'

/** The maximum number of events that one poll reads. */
const EVENTS_MAX = 500
/** The number of newest events that the feed counts as read when it opens. */
const NEWEST_EVENTS = 200
/** The maximum number of deliveries that one poll reads. */
const DELIVERIES_MAX = 100
/** The age up to which missed messages are repeated (decision 138). */
const REPEATED_AGE_MAX_MS = HOUR_MS
/** An event may be committed after another event that was created up to this time later. */
const OVERLAP_MS = 10 * SECOND_MS

/** The part of a store's events and deliveries that its streams have read. */
export interface StoreFeed {
  /** The internal id of the store. */
  id: number
  ledger: LedgerWindow
  /** The state of each recent delivery by its id, as last read. */
  deliveryStates: Map<number, string>
  /** The deliveries that were pending at the last poll. */
  pendingIds: readonly number[]
}

/** Opens a feed that begins at the present state of the store. */
export async function openFeed({ db, clock }: App, id: number): Promise<StoreFeed> {
  const newest = await q.selectNewestNumbers(db, id, NEWEST_EVENTS)
  const ledger = createLedgerWindow(newest, clock.now())
  const feed: StoreFeed = { id, ledger, deliveryStates: new Map(), pendingIds: [] }
  await readDeliveries({ db }, [feed])
  return feed
}

/** The changes of a store since the last poll. */
export interface StoreChanges {
  messages: LiveMessage[]
  /** False if there were more changes than a poll reads. */
  isComplete: boolean
}

/** Reads the events that were committed since the last poll, in one statement for all stores. */
export async function readEvents(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  feeds: readonly StoreFeed[],
): Promise<Map<number, StoreChanges>> {
  const positions = feeds.map(({ id, ledger }) => ledger.position(id))
  const events = await q.selectNewEvents(db, positions, EVENTS_MAX)
  const changes = new Map<number, StoreChanges>()
  for (const { id, ledger } of feeds) {
    const storeEvents = events.filter(({ store_id }) => store_id === id)
    ledger.add(storeEvents, clock.now())
    if (storeEvents.length === 0) continue
    const messages = storeEvents.filter(isOrderEvent).map(orderMessage)
    changes.set(id, { messages, isComplete: storeEvents.length < EVENTS_MAX })
  }
  return changes
}

/** Reads the deliveries that changed since the last poll, in one statement for all stores. */
export async function readDeliveries(
  { db }: Pick<App, 'db'>,
  feeds: readonly StoreFeed[],
): Promise<Map<number, StoreChanges>> {
  const positions = feeds.map(({ id, ledger, pendingIds }) => ({
    store_id: id,
    from: firstDeliveryOf(ledger.readUpTo()),
    pendingIds,
  }))
  const deliveries = await q.selectDeliveries(db, positions, DELIVERIES_MAX)
  return new Map(
    feeds.map((feed) => {
      const storeDeliveries = deliveries.filter(({ store_id }) => store_id === feed.id)
      const changedDeliveries = storeDeliveries.filter(
        (item) => feed.deliveryStates.get(item.id) !== stateOf(item),
      )
      feed.deliveryStates = new Map(storeDeliveries.map((item) => [item.id, stateOf(item)]))
      feed.pendingIds = storeDeliveries
        .filter(({ status }) => status === 'pending')
        .map(({ id }) => id)
      const messages = changedDeliveries.map(deliveryMessage)
      return [feed.id, { messages, isComplete: changedDeliveries.length < DELIVERIES_MAX }]
    }),
  )
}

const stateOf = ({ status, attempts, updated_at }: q.LiveDelivery): string =>
  `${status}|${attempts}|${updated_at}`

/** Returns the messages after the event with this number, or undefined if they cannot be repeated. */
export async function readMissed(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { id, ledger }: StoreFeed,
  eventNo: number,
): Promise<LiveMessage[] | undefined> {
  const last = { store_id: id, no: eventNo, now: iso(clock.now()) }
  const events = await q.selectEventsSince(db, last, {
    age_max_ms: REPEATED_AGE_MAX_MS,
    overlap_ms: OVERLAP_MS,
    limit: EVENTS_MAX,
  })
  if (!events || events.length === EVENTS_MAX) return undefined
  const from = firstDeliveryOf(eventNo)
  const deliveries = await q.selectDeliveries(
    db,
    [{ store_id: id, from, pendingIds: [] }],
    DELIVERIES_MAX,
  )
  if (deliveries.length >= DELIVERIES_MAX) return undefined
  // An event that the feed has not read yet follows with the next poll.
  const missedEvents = events.filter((event) => isOrderEvent(event) && ledger.isRead(event.no))
  const changedDeliveries = deliveries.filter((item) => item.id >= from)
  return [...missedEvents.map(orderMessage), ...changedDeliveries.map(deliveryMessage)]
}
