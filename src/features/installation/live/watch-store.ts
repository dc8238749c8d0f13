import type { App } from '../../../app.ts'
import { HOUR_MS, iso, SECOND_MS } from '../../../kernel/time.ts'
import { createLedgerWindow, type LedgerWindow } from './ledger-window.ts'
import {
  deliveryMessage,
  firstDeliveryOf,
  isOrderEvent,
  type Message,
  orderMessage,
} from './messages.ts'
import * as q from './queries.ts'

/** Events that one look reads of a store. */
const EVENTS_MAX = 500
const NEWEST = 200
const DELIVERIES_MAX = 100
/** How far back missed messages are repeated (decision 138). */
const KEPT_MS = HOUR_MS
/** Events that were called for shortly before the last one may have been committed after it. */
const OVERLAP_MS = 10 * SECOND_MS

/** The deliveries of a store that were read, with the state that was sent. */
type Known = Map<number, string>

/** A store with open streams. */
export interface WatchedStore {
  id: number
  ledger: LedgerWindow
  deliveries: Known
  /** Deliveries that were pending at the last look. */
  tracked: readonly number[]
}

export async function watchStore({ db, clock }: App, id: number): Promise<WatchedStore> {
  const newest = await q.selectNewestNumbers(db, id, NEWEST)
  const ledger = createLedgerWindow(newest, clock.now())
  const store: WatchedStore = { id, ledger, deliveries: new Map(), tracked: [] }
  await readDeliveries({ db }, [store])
  return store
}

/** The changes of a store since the last look. */
export interface News {
  messages: Message[]
  /** False if there was more than a look reads. */
  complete: boolean
}

/** Reads the events that were committed since the last look: one statement for all stores. */
export async function readEvents(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  stores: readonly WatchedStore[],
): Promise<Map<number, News>> {
  const positions = stores.map(({ id, ledger }) => ledger.position(id))
  const events = await q.selectNewEvents(db, positions, EVENTS_MAX)
  const news = new Map<number, News>()
  for (const { id, ledger } of stores) {
    const own = events.filter(({ store_id }) => store_id === id)
    ledger.add(own, clock.now())
    if (own.length === 0) continue
    const messages = own.filter(isOrderEvent).map(orderMessage)
    news.set(id, { messages, complete: own.length < EVENTS_MAX })
  }
  return news
}

/** Reads the deliveries that changed since the last look: one statement for all stores. */
export async function readDeliveries(
  { db }: Pick<App, 'db'>,
  stores: readonly WatchedStore[],
): Promise<Map<number, News>> {
  const positions = stores.map(({ id, ledger, tracked }) => ({
    store_id: id,
    from: firstDeliveryOf(ledger.floor()),
    tracked,
  }))
  const deliveries = await q.selectDeliveries(db, positions, DELIVERIES_MAX)
  return new Map(
    stores.map((store) => {
      const own = deliveries.filter(({ store_id }) => store_id === store.id)
      const changed = own.filter((item) => store.deliveries.get(item.id) !== stateOf(item))
      store.deliveries = new Map(own.map((item) => [item.id, stateOf(item)]))
      store.tracked = own.filter(({ status }) => status === 'pending').map(({ id }) => id)
      const messages = changed.map(deliveryMessage)
      return [store.id, { messages, complete: changed.length < DELIVERIES_MAX }]
    }),
  )
}

const stateOf = ({ status, attempts, updated_at }: q.LiveDelivery): string =>
  `${status}|${attempts}|${updated_at}`

/** Reads the messages since this number; undefined if they cannot be repeated. */
export async function readMissed(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { id, ledger }: WatchedStore,
  no: number,
): Promise<Message[] | undefined> {
  const last = { store_id: id, no, now: iso(clock.now()) }
  const events = await q.selectMissedEvents(db, last, {
    kept_ms: KEPT_MS,
    overlap_ms: OVERLAP_MS,
    limit: EVENTS_MAX,
  })
  if (!events || events.length === EVENTS_MAX) return undefined
  const from = firstDeliveryOf(no)
  const deliveries = await q.selectDeliveries(
    db,
    [{ store_id: id, from, tracked: [] }],
    DELIVERIES_MAX,
  )
  if (deliveries.length >= DELIVERIES_MAX) return undefined
  // The others follow with the next look.
  const missed = events.filter((event) => isOrderEvent(event) && ledger.isRead(event.no))
  const changed = deliveries.filter((item) => item.id >= from)
  return [...missed.map(orderMessage), ...changed.map(deliveryMessage)]
}
