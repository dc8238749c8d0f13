import { requireRecord } from '../../../kernel/errors.ts'
import { pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { StockAlertQuery } from './schema.ts'

/** Returns a page of the sign-ups for a product, the newest first. */
export async function listAlerts({ db, store }: StoreContext, ref: string, query: StockAlertQuery) {
  const { id } = requireRecord(await q.selectProduct(db, store.id, ref), 'Product')
  const { alerts, total } = await q.selectAlerts(db, store.id, id, query)
  return { stock_alerts: alerts, pagination: pagination(query, total) }
}
