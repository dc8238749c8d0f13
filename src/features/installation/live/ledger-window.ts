import type { LedgerEvent, ReadPosition } from './queries.ts'

/** An event is read only if it commits within this time after an event with a higher number. */
const LATE_MS = 15_000
/** The maximum number of remembered numbers. Under heavy load they cover less time than `LATE_MS`. */
const READ_MAX = 1_000

/** A record of the events of a store's ledger that were read. */
export interface LedgerWindow {
  position(storeId: number): ReadPosition
  /** Returns the number up to which all events count as read. */
  readUpTo(): number
  isRead(eventNo: number): boolean
  add(events: readonly Pick<LedgerEvent, 'no'>[], now: number): void
}

/**
 * Remembers the newest numbers one by one. The highest number alone would miss late commits, because the
 * number of an event is drawn before its transaction commits.
 */
export function createLedgerWindow(newest: readonly number[], now: number): LedgerWindow {
  const readAt = new Map(newest.map((eventNo) => [eventNo, now]))
  let readUpTo = newest.length === 0 ? 0 : Math.min(...newest) - 1

  function pruneRead(): void {
    for (const eventNo of readAt.keys()) if (eventNo <= readUpTo) readAt.delete(eventNo)
  }

  return {
    position: (store_id) => ({ store_id, readUpTo, laterNumbers: [...readAt.keys()] }),
    readUpTo: () => readUpTo,
    isRead: (eventNo) => eventNo <= readUpTo || readAt.has(eventNo),
    add(events, now) {
      for (const { no } of events) readAt.set(no, now)
      for (const [eventNo, read_ms] of readAt)
        if (now - read_ms > LATE_MS) readUpTo = Math.max(readUpTo, eventNo)
      pruneRead()
      if (readAt.size <= READ_MAX) return
      const sorted = [...readAt.keys()].sort((item, other) => other - item)
      readUpTo = sorted[READ_MAX] ?? readUpTo
      pruneRead()
    },
  }
}
