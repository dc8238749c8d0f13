import type { Db } from '../../../db/database.ts'
import { mayBeCommitted } from '../../../db/failure.ts'
import { monthOf } from '../../../kernel/time.ts'
import * as q from './queries.ts'

interface MonthCount {
  month: string
  /** The count over all processes, as last read from the database. */
  stored: number
  /** Calls of this process that are not yet in the database. */
  pending: number
}

/** Counts the calls of live stores in a calendar month (UTC), without a statement for each call (decision 5). */
export interface QuotaMeter {
  /** Returns the calls of this month, without the current call. */
  used(store: q.StoreRow, now: number): number
  count(store: q.StoreRow, now: number): void
  /** Adds the counted calls to the rows of the stores. Flushes run one after the other. */
  flush(db: Db): Promise<void>
}

export function createQuotaMeter(): QuotaMeter {
  const counts = new Map<number, MonthCount>()
  let lastFlush = Promise.resolve()

  function countOf(store: q.StoreRow, now: number): MonthCount {
    const month = monthOf(now)
    const current = counts.get(store.id)
    if (current?.month === month) return current
    const storedCount = store.quota_month === month ? store.quota_used : 0
    const count = { month, stored: storedCount, pending: 0 }
    counts.set(store.id, count)
    return count
  }

  return {
    used(store, now) {
      const { stored, pending } = countOf(store, now)
      return stored + pending
    },
    count(store, now) {
      countOf(store, now).pending++
    },
    flush(db) {
      // Concurrent flushes would add the same calls twice, because calls stay pending until the statement ends.
      const flush = lastFlush.then(() => addPendingCalls(db))
      lastFlush = flush.catch(() => {})
      return flush
    },
  }

  async function addPendingCalls(db: Db): Promise<void> {
    const pendingCounts = [...counts].filter(([, count]) => count.pending > 0)
    for (const month of new Set(pendingCounts.map(([, count]) => count.month))) {
      // Calls that are counted during the statement stay pending, so the number before it is kept.
      const usages = pendingCounts
        .filter(([, count]) => count.month === month)
        .map(([store_id, count]) => ({ store_id, calls: count.pending, count }))
      const subtractUsages = () => {
        for (const { calls, count } of usages) count.pending -= calls
      }
      const storedUsage = await q.addUsage(db, month, usages).catch((error) => {
        // It is better to miss a call than to count it twice (decision 5).
        if (mayBeCommitted(error)) subtractUsages()
        throw error
      })
      subtractUsages()
      for (const { store_id, calls, count } of usages)
        count.stored = storedUsage.get(store_id) ?? count.stored + calls
    }
  }
}
