import type { StatRow } from './queries/stats.ts'

/** A delivery that has ended. */
interface EndedDelivery {
  store_id: number
  endpoint_id: number
  status: string
  duration_ms: number | null
  /** The time when it ended, by the store's clock, as ISO 8601. */
  at: string
}

const HOUR_DIGITS = '2026-11-21T18'.length

const hourOf = (time: string): string => `${time.slice(0, HOUR_DIGITS)}:00:00.000Z`

/** Sums up deliveries by endpoint and hour. Only succeeded and failed deliveries count (decision 49). */
export function sumStats(rows: readonly EndedDelivery[]): StatRow[] {
  const sums = new Map<string, StatRow>()
  for (const { store_id, endpoint_id, status, duration_ms, at } of rows) {
    if (status !== 'succeeded' && status !== 'failed') continue
    const hour = hourOf(at)
    const key = `${endpoint_id} ${hour}`
    const sum = sums.get(key) ?? emptyRow(store_id, endpoint_id, hour)
    sum[status]++
    sum.duration_ms += duration_ms ?? 0
    if (at > sum.last_at) sum.last_at = at
    sums.set(key, sum)
  }
  return [...sums.values()]
}

/** Returns a row that removes a failure from its hour, after a manual attempt of the delivery succeeded. */
export function failureReversal({
  store_id,
  endpoint_id,
  at,
}: Omit<EndedDelivery, 'status' | 'duration_ms'>): StatRow {
  return { ...emptyRow(store_id, endpoint_id, hourOf(at)), failed: -1, last_at: at }
}

const emptyRow = (store_id: number, endpoint_id: number, hour: string): StatRow => ({
  store_id,
  endpoint_id,
  hour,
  succeeded: 0,
  failed: 0,
  duration_ms: 0,
  last_at: hour,
})
