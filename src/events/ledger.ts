import { randomInt } from 'node:crypto'
import { afterCommit, type Tx } from '../db/database.ts'
import { SECOND_MS } from '../kernel/time.ts'
import type { Vault } from '../kernel/vault.ts'
import { eventId } from './event-id.ts'
import * as q from './queries.ts'
import { payloadSealContext } from './sealed.ts'
import type { EventObject, EventType } from './types.ts'

/** An event to record; `object` is `data.object` of its payload. */
export type NewEvent = {
  [T in EventType]: { type: T; object_id: string; object: EventObject<T> }
}[EventType]

/** The store of an event, as its payload shows it. */
export interface EventSource {
  id: number
  hash: string
  slug: string
  name: string
  livemode: boolean
}

/** Writes events with their webhook endpoints, in the transaction of the change. */
export interface Ledger {
  /** `now` is store time, ISO 8601. */
  record(tx: Tx, store: EventSource, now: string, events: readonly NewEvent[]): Promise<void>
  /** Writes a sample without a fan-out and returns its number (decision 52). */
  recordTest(tx: Tx, store: EventSource, now: string, event: NewEvent): Promise<number>
  /**
   * Calls the listener after each commit that wrote events. This is a hint to look for work; the
   * work itself is in the database.
   */
  onRecorded(listener: () => void): void
  /** Calls the listeners for other new work. */
  wake(): void
}

const TAG_MAX = 2 ** 47

export function openLedger(vault: Vault): Ledger {
  const listeners: (() => void)[] = []
  const numbers = numberBlocks()

  return {
    onRecorded: (listener) => void listeners.push(listener),
    wake,

    async record(tx, store, now, events) {
      if (events.length === 0) return
      const rows: q.EventRow[] = []
      for (const event of events) rows.push(await rowOf(tx, store, now, event))
      const hasSubscribers = await q.insertEvents(tx, store.id, now, rows)
      if (hasSubscribers) afterCommit(tx, wake)
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
  ): Promise<q.EventRow> {
    const no = await numbers.next(tx)
    const tag = randomInt(TAG_MAX)
    const payload = JSON.stringify(envelope(eventId(no, tag), event, store, now))
    const payload_enc = vault.seal(payloadSealContext(store.id, tag), payload)
    return { no, tag, type: event.type, object_id: event.object_id, payload_enc }
  }

  function wake() {
    for (const listener of listeners) listener()
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

/** Older numbers would sort below those that other processes have drawn since. */
const FRESH_MS = SECOND_MS

/**
 * Draws event numbers in blocks, so that most events need no statement for their number. The rest
 * of a block is dropped after a second: lists are sorted by these numbers and must show the latest
 * event first, from any process.
 */
function numberBlocks() {
  let free: number[] = []
  let drawnAt = Number.NEGATIVE_INFINITY
  return {
    async next(tx: Tx): Promise<number> {
      if (performance.now() - drawnAt > FRESH_MS) free = []
      if (free.length === 0) {
        const drawn = await q.drawEventNumbers(tx)
        drawnAt = performance.now()
        free.push(...drawn)
      }
      const no = free.shift()
      return no ?? this.next(tx)
    },
  }
}
