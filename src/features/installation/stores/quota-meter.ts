import type { Db } from '../../../db/database.ts'
import { monthOf } from '../../../kernel/time.ts'
import { addUsage } from './queries.ts'
import type { CachedStore } from './store-book.ts'

interface Count {
  month: string
  /** As the database said last, all processes together. */
  stored: number
  /** Calls of this process that are not yet in the database. */
  pending: number
}

/** Counts the calls of live stores in a calendar month (UTC), without a statement a call (decision 5). */
export interface QuotaMeter {
  /** Calls of this month, before the one at hand. */
  used(store: CachedStore, now: number): number
  count(store: CachedStore, now: number): void
  /** Adds counted calls to the stores' rows, after a flush that is under way. */
  flush(db: Db): Promise<void>
}

export function createQuotaMeter(): QuotaMeter {
  const counts = new Map<number, Count>()
  let flushed = Promise.resolve()

  function countOf(store: CachedStore, now: number): Count {
    const month = monthOf(now)
    const known = counts.get(store.id)
    if (known?.month === month) return known
    const stored = store.quota_month === month ? store.quota_used : 0
    const count = { month, stored, pending: 0 }
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
      // Two at once would add the same calls twice: they are pending until the statement is over.
      const flushing = flushed.then(() => add(db))
      flushed = flushing.catch(() => {})
      return flushing
    },
  }

  async function add(db: Db): Promise<void> {
    const open = [...counts].filter(([, count]) => count.pending > 0)
    for (const month of new Set(open.map(([, count]) => count.month))) {
      const ofMonth = open.filter(([, count]) => count.month === month)
      const usages = ofMonth.map(([store_id, { pending }]) => ({ store_id, calls: pending }))
      const stored = await addUsage(db, month, usages)
      for (const [index, [, count]] of ofMonth.entries()) {
        const calls = usages[index]?.calls ?? 0
        count.pending -= calls
        count.stored = stored.get(usages[index]?.store_id ?? 0) ?? count.stored + calls
      }
    }
  }
}
