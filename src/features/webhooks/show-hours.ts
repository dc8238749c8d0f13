import { HOUR_MS, iso } from '../../kernel/time.ts'
import type { StoreContext } from '../../store-context.ts'
import * as q from './queries/index.ts'
import type { WebhookHours } from './schema.ts'

/** 7 days. */
const HOURS = 168

/** Returns the deliveries of each endpoint by hour. The last hour is the current one. */
export async function showHours({
  db,
  store,
  now,
}: StoreContext): Promise<{ from: string; endpoints: WebhookHours[] }> {
  const from = iso(Math.floor(Date.parse(now) / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS)
  return { from, endpoints: await q.selectHours(db, store.id, { from, count: HOURS }) }
}
