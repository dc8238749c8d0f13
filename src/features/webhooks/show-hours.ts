import { HOUR_MS, iso } from '../../kernel/time.ts'
import type { StoreContext } from '../../store-context.ts'
import { selectHours } from './queries/stats.ts'
import type { WebhookHours } from './schema.ts'

/** 7 days. */
const HOURS = 168

/** The deliveries of each endpoint in the past 168 hours; the last is the hour that runs (decision 330). */
export async function showHours({
  db,
  store,
  now,
}: StoreContext): Promise<{ from: string; endpoints: WebhookHours[] }> {
  const from = iso(Math.floor(Date.parse(now) / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS)
  return { from, endpoints: await selectHours(db, store.id, { from, count: HOURS }) }
}
