import type { StoreContext } from '../../../store-context.ts'
import type { RefundsQuery, RefundsReport } from './dashboard-schema.ts'
import { findPeriod } from './find-period.ts'
import * as q from './queries/index.ts'
import { refundSeriesOf } from './sales.rules.ts'

/** Returns the refunds of a period over time, by reason, payment method and product. */
export async function showRefunds(
  context: StoreContext,
  { interval, ...requestedPeriod }: RefundsQuery,
): Promise<RefundsReport> {
  const { db, store } = context
  const timeZone = store.time_zone
  const period = await findPeriod(context, requestedPeriod)
  const span = await q.selectSpan(db, store.id, period, timeZone)
  const parts = await q.selectRefundParts(db, span, timeZone)
  const partsOfKind = (kind: (typeof parts)[number]['kind']) =>
    parts
      .filter((part) => part.kind === kind)
      .map(({ name, product_name, refunds_count, refunded_cents }) => ({
        name,
        product_name: product_name ?? '',
        sums: { refunds_count, refunded_cents },
      }))
  const days = partsOfKind('day').map(({ name, sums }) => ({ day: name ?? '', ...sums }))
  return {
    currency: store.currency,
    ...period,
    series: refundSeriesOf(days, period, interval),
    by_reason: partsOfKind('reason').map(({ name, sums }) => ({ reason: name ?? '', ...sums })),
    by_payment_method: partsOfKind('payment_method').map(({ name, sums }) => ({
      payment_method: name,
      ...sums,
    })),
    by_product: partsOfKind('product').map(({ name, product_name, sums }) => ({
      product_id: name ?? '',
      name: product_name,
      ...sums,
    })),
  }
}
