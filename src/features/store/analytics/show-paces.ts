import { pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import { PACE_DAYS, type ProductPace, type RunwaysQuery } from './dashboard-schema.ts'
import { addDays, DAY_LENGTH } from './periods.rules.ts'
import * as q from './queries/index.ts'

/** Returns the sales paces of products in the given sequence. Unknown products are omitted. */
export async function showPaces(
  { db, store, now }: StoreContext,
  productIds: readonly string[],
): Promise<ProductPace[]> {
  const rows = await q.selectPaces(db, { storeId: store.id, now }, productIds)
  const today = now.slice(0, DAY_LENGTH)
  const calendar = Array.from({ length: PACE_DAYS }, (_, index) =>
    addDays(today, index + 1 - PACE_DAYS),
  )
  const byId = new Map(rows.map((row) => [row.product_id, row]))
  return [...new Set(productIds)].flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    const units = new Map(row.days.map((item) => [item.day, item.units]))
    return [{ ...row, days: calendar.map((day) => units.get(day) ?? 0) }]
  })
}

/** Returns a page of the products whose stock runs out within a year at their pace, the earliest first. */
export async function showRunways({ db, store, now }: StoreContext, page: RunwaysQuery) {
  const { runways, total } = await q.selectRunways(db, { storeId: store.id, now }, page)
  return { runways, pagination: pagination(page, total) }
}
