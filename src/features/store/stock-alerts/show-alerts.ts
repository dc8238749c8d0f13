import { found } from '../../../kernel/errors.ts'
import { type Pagination, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectAlerts, selectProduct } from './queries.ts'
import type { StockAlert, StockAlertQuery } from './schema.ts'

/** A page of the sign-ups for a product, newest first. */
export async function listAlerts(
  { db, store }: StoreContext,
  ref: string,
  query: StockAlertQuery,
): Promise<{ stock_alerts: StockAlert[]; pagination: Pagination }> {
  const { id } = found(await selectProduct(db, store.id, ref), 'Product')
  const { alerts, total } = await selectAlerts(db, store.id, id, query)
  return { stock_alerts: alerts, pagination: pagination(query, total) }
}
