import type { LedgerEvent, Position } from './queries.ts'

/** How long an event may commit after others with higher numbers and still be read. */
const LATE_MS = 15_000
/** Numbers that are remembered; under a heavier load, late commits are noticed for a shorter time. */
const SEEN_MAX = 1_000

/** Which events of a store's ledger were read. */
export interface LedgerWindow {
  position(storeId: number): Position
  /** Everything from this number on is recent. */
  floor(): number
  isRead(no: number): boolean
  add(events: readonly Pick<LedgerEvent, 'no'>[], now: number): void
}

/** Numbers are drawn before their transaction commits, so the newest are remembered one by one. */
export function createLedgerWindow(newest: readonly number[], now: number): LedgerWindow {
  const seenAt = new Map(newest.map((no) => [no, now]))
  let floor = Math.max(0, Math.min(...newest, Number.MAX_SAFE_INTEGER) - 1)
  if (newest.length === 0) floor = 0

  function raise(): void {
    for (const no of seenAt.keys()) if (no <= floor) seenAt.delete(no)
  }

  return {
    position: (store_id) => ({ store_id, floor, seen: [...seenAt.keys()] }),
    floor: () => floor,
    isRead: (no) => no <= floor || seenAt.has(no),
    add(events, now) {
      for (const { no } of events) seenAt.set(no, now)
      for (const [no, at] of seenAt) if (now - at > LATE_MS) floor = Math.max(floor, no)
      raise()
      if (seenAt.size <= SEEN_MAX) return
      const sorted = [...seenAt.keys()].sort((item, other) => other - item)
      floor = sorted[SEEN_MAX] ?? floor
      raise()
    },
  }
}
