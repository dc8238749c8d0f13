import type { StoreContext } from '../../../store-context.ts'
import type { PartsQuery, SalesParts } from './dashboard-schema.ts'
import { findPeriod } from './find-period.ts'
import * as q from './queries/index.ts'

/** Returns the sales of a period by source and by coupon. */
export async function showParts(context: StoreContext, query: PartsQuery): Promise<SalesParts> {
  const { db, store } = context
  const span = await q.selectSpan(db, store.id, await findPeriod(context, query), store.time_zone)
  const parts = await q.selectPaidParts(db, span)
  return {
    by_source: parts
      .filter(({ kind }) => kind === 'source')
      .map(({ name, orders_count, gross_cents }) => ({ source: name, orders_count, gross_cents })),
    by_coupon: parts
      .filter(({ kind }) => kind === 'coupon')
      .map(({ kind, name, ...sums }) => ({ code: name, ...sums })),
  }
}
