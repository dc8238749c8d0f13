import type { StoreContext } from '../../../store-context.ts'
import type { PartsQuery, SalesParts } from './dashboard-schema.ts'
import { periodOf } from './periods.rules.ts'
import { selectSpan } from './queries/report.ts'
import { selectPaidParts } from './queries/sales-parts.ts'

/** Returns the sales of a period by source and by coupon. */
export async function showParts(
  { db, store, now }: StoreContext,
  query: PartsQuery,
): Promise<SalesParts> {
  const timeZone = store.time_zone
  const span = await selectSpan(db, store.id, periodOf(query, { timeZone, now }), timeZone)
  const parts = await selectPaidParts(db, span)
  return {
    by_source: parts
      .filter(({ kind }) => kind === 'source')
      .map(({ name, orders_count, gross_cents }) => ({ source: name, orders_count, gross_cents })),
    by_coupon: parts
      .filter(({ kind }) => kind === 'coupon')
      .map(({ kind, name, ...sums }) => ({ code: name, ...sums })),
  }
}
