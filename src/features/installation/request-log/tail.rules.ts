/** The maximum number of calls that `logs tail` reads in one poll. */
export const CALLS_PER_POLL = 100
/** The maximum number of remembered ids. A slow call may be logged after calls with higher ids. */
const SHOWN_MAX = 10_000

interface TailedCall {
  request_id: string
}

/** Distinguishes new calls from those that were shown before. */
interface Tail<Call extends TailedCall> {
  /**
   * Returns the new calls of a page, but only the last `lines` calls of the first page. `mayHaveMissed` is true if
   * the page was full of new calls, so that there were probably more.
   */
  add(page: readonly Call[]): { calls: Call[]; mayHaveMissed: boolean }
}

export function createTail<Call extends TailedCall>(lines: number): Tail<Call> {
  const shownIds = new Set<string>()
  let isFirst = true
  return {
    add(page) {
      const calls = page.filter(({ request_id }) => !shownIds.has(request_id))
      for (const { request_id } of calls) shownIds.add(request_id)
      for (const id of shownIds) {
        if (shownIds.size <= SHOWN_MAX) break
        shownIds.delete(id)
      }
      if (!isFirst) return { calls, mayHaveMissed: calls.length === CALLS_PER_POLL }
      isFirst = false
      return { calls: lines === 0 ? [] : calls.slice(-lines), mayHaveMissed: false }
    },
  }
}
