import { randomInt } from 'node:crypto'
import { afterCommit, type Tx } from '../db/database.ts'
import { NO_PROCESS_METER, type ProcessMeter } from '../kernel/process-meter.ts'
import { SECOND_MS } from '../kernel/time.ts'
import type { Vault } from '../kernel/vault.ts'
import { eventId } from './event-id.ts'
import * as q from './queries.ts'
import { payloadSealContext } from './sealed.ts'
import type { EventObject, EventType } from './types.ts'

/** An event to record. `object` becomes `data.object` of its payload. */
export type NewEvent = {
  [T in EventType]: { type: T; object_id: string; object: EventObject<T> }
}[EventType]

/** The fields of a store that payloads contain. */
interface EventSource {
  id: number
  hash: string
  slug: string
  name: string
  livemode: boolean
}

/** Events of one call, by their numbers. `fanouts` of them have subscribers. */
export interface RecordedEvents {
  store_id: number
  nos: readonly number[]
  fanouts: number
}

/** Writes events with their webhook endpoints, in the transaction of the change. */
export interface Ledger {
  /** `now` is store time, ISO 8601. */
  record(tx: Tx, store: EventSource, now: string, events: readonly NewEvent[]): Promise<void>
  /** Writes a sample without a fan-out and returns its number (decision 52). */
  recordTest(tx: Tx, store: EventSource, now: string, event: NewEvent): Promise<number>
  /**
   * Calls the listener after each commit that wrote events with subscribers, and after `wake`, then without events. The
   * call is only a hint, because the work itself is in the database.
   */
  onRecorded(listener: (recorded?: RecordedEvents) => void): void
  /** Calls the listeners for other new work. */
  wake(): void
}

type OrderEvent = Extract<EventType, `order.${string}`>
const isOrderEvent = (type: EventType): type is OrderEvent => type.startsWith('order.')
const orderStateOf = (type: OrderEvent) =>
  type.slice('order.'.length) as OrderEvent extends `order.${infer State}` ? State : never

/** The limit of the random part of an event id. */
const TAG_MAX = 2 ** 47

export function openLedger(vault: Vault, meter: ProcessMeter = NO_PROCESS_METER): Ledger {
  const listeners: ((recorded?: RecordedEvents) => void)[] = []
  const eventNumbers = createNumberBlocks()

  return {
    onRecorded: (listener) => void listeners.push(listener),
    wake: () => notify(),

    async record(tx, store, now, events) {
      if (events.length === 0) return
      const rows: q.NewEventRow[] = []
      for (const event of events) rows.push(await rowOf(tx, store, now, event))
      const sent = await q.insertEvents(tx, store.id, now, rows)
      afterCommit(tx, () => {
        const fanouts = sent.changedCount
        if (fanouts > 0) notify({ store_id: store.id, nos: rows.map((row) => row.no), fanouts })
        for (const { type } of events) {
          if (isOrderEvent(type)) meter.count('order', orderStateOf(type))
        }
      })
    },

    async recordTest(tx, store, now, event) {
      const row = await rowOf(tx, { ...store, livemode: false }, now, event)
      await q.insertTestEvent(tx, store.id, now, row)
      return row.no
    },
  }

  async function rowOf(
    tx: Tx,
    store: EventSource,
    now: string,
    event: NewEvent,
  ): Promise<q.NewEventRow> {
    const no = await eventNumbers.next(tx)
    const tag = randomInt(TAG_MAX)
    const payload = JSON.stringify(envelope(eventId(no, tag), event, store, now))
    const payload_enc = vault.seal(payloadSealContext(store.id, tag), payload)
    return { no, tag, type: event.type, object_id: event.object_id, payload_enc }
  }

  function notify(recorded?: RecordedEvents) {
    for (const listener of listeners) listener(recorded)
  }
}

const envelope = (id: string, { type, object }: NewEvent, store: EventSource, now: string) => ({
  id,
  object: 'event',
  type,
  created: Math.floor(Date.parse(now) / 1_000),
  livemode: store.livemode,
  store: { id: store.hash, name: store.name, slug: store.slug },
  data: { object },
})

/** The maximum age of a block. Older numbers would sort below newer events of other processes. */
const BLOCK_AGE_MAX_MS = SECOND_MS

/**
 * Reserves event numbers in blocks, so that most events need no statement for their number. The remaining
 * numbers of a block are dropped after a second, because lists are sorted by number and must show the latest
 * event of any process first.
 */
function createNumberBlocks() {
  let numbers: number[] = []
  let reservedAt = Number.NEGATIVE_INFINITY
  return {
    async next(tx: Tx): Promise<number> {
      if (performance.now() - reservedAt > BLOCK_AGE_MAX_MS) numbers = []
      if (numbers.length === 0) {
        const block = await q.reserveEventNumbers(tx)
        reservedAt = performance.now()
        numbers.push(...block)
      }
      // Concurrent calls may have taken all numbers of the block during the `await`.
      const no = numbers.shift()
      return no ?? this.next(tx)
    },
  }
}
