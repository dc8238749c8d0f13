/** Calls that `logs tail` reads at a time. */
export const NEWEST = 100
/** How many ids are remembered. A slow call is logged after calls that began later. */
const SEEN_MAX = 10_000

interface Identified {
  request_id: string
}

/** Tells new calls from those that were shown already. */
export interface Tail<Call extends Identified> {
  /**
   * Returns the calls of a page that are new; of the first page only the last `lines`. `missed` is
   * true if there were probably more new calls than the page holds.
   */
  add(page: readonly Call[]): { calls: Call[]; missed: boolean }
}

export function openTail<Call extends Identified>(lines: number): Tail<Call> {
  const seen = new Set<string>()
  let isFirst = true
  return {
    add(page) {
      const calls = page.filter(({ request_id }) => !seen.has(request_id))
      for (const { request_id } of calls) seen.add(request_id)
      for (const id of seen) {
        if (seen.size <= SEEN_MAX) break
        seen.delete(id)
      }
      if (!isFirst) return { calls, missed: calls.length === NEWEST }
      isFirst = false
      return { calls: lines === 0 ? [] : calls.slice(-lines), missed: false }
    },
  }
}
