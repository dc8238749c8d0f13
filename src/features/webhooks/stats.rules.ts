import type { StatRow } from './queries/stats.ts'

/** A delivery that has ended. */
export interface Ended {
  store_id: number
  endpoint_id: number
  status: string
  duration_ms: number | null
  /** By the store's clock, ISO 8601. */
  at: string
}

const HOUR_DIGITS = '2026-11-21T18'.length

const hourOf = (at: string): string => `${at.slice(0, HOUR_DIGITS)}:00:00.000Z`

/** Sums of deliveries by endpoint and hour; only successes and failures count (decision 49). */
export function sumUp(rows: readonly Ended[]): StatRow[] {
  const sums = new Map<string, StatRow>()
  for (const { store_id, endpoint_id, status, duration_ms, at } of rows) {
    if (status !== 'succeeded' && status !== 'failed') continue
    const hour = hourOf(at)
    const key = `${endpoint_id} ${hour}`
    const sum = sums.get(key) ?? nothing(store_id, endpoint_id, hour)
    sum[status]++
    sum.duration_ms += duration_ms ?? 0
    if (at > sum.last_at) sum.last_at = at
    sums.set(key, sum)
  }
  return [...sums.values()]
}

/** Removes a failure from its hour: the delivery has since succeeded by a manual attempt. */
export function undone({
  store_id,
  endpoint_id,
  at,
}: Omit<Ended, 'status' | 'duration_ms'>): StatRow {
  return { ...nothing(store_id, endpoint_id, hourOf(at)), failed: -1, last_at: at }
}

const nothing = (store_id: number, endpoint_id: number, hour: string): StatRow => ({
  store_id,
  endpoint_id,
  hour,
  succeeded: 0,
  failed: 0,
  duration_ms: 0,
  last_at: hour,
})
