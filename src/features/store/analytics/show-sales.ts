import type { StoreContext } from '../../../store-context.ts'
import { type Period, periodBefore, periodOf } from './periods.rules.ts'
import * as q from './queries/report.ts'
import { changeOf, seriesOf, totalsOf } from './sales.rules.ts'
import type { SalesQuery, SalesSummary, SalesTotals } from './schema.ts'
import { topCustomers, topProducts } from './top-sales.ts'

/** Returns the sales of a store in a period, by days of its time zone. */
export async function showSales(
  { db, store, now }: StoreContext,
  { compare, interval, ...asked }: SalesQuery,
): Promise<SalesSummary> {
  const zone = store.time_zone
  const period = periodOf(asked, { zone, now })
  const span = await q.selectSpan(db, store.id, period, zone)
  const days = await q.selectDays(db, span, { ...period, zone })
  const totals = totalsOf(days, await q.countReturning(db, span))
  const parts = await q.selectParts(db, span)
  return {
    currency: store.currency,
    time_zone: zone,
    ...period,
    ...totals,
    series: seriesOf(days, period, interval),
    top_products: await topProducts(db, span),
    top_customers: await topCustomers(db, span, totals.orders_count),
    by_payment_method: partsOf(parts, 'payment_method').map(({ name, ...part }) => ({
      payment_method: name,
      ...part,
    })),
    by_country: partsOf(parts, 'country').map(({ name, ...part }) => ({ country: name, ...part })),
    ...(compare && (await comparison({ db, store }, period, totals))),
  }
}

async function comparison(
  { db, store }: Pick<StoreContext, 'db' | 'store'>,
  period: Period,
  totals: SalesTotals,
): Promise<Pick<SalesSummary, 'previous' | 'change_percent'>> {
  const zone = store.time_zone
  const before = periodBefore(period)
  const span = await q.selectSpan(db, store.id, before, zone)
  const days = await q.selectDays(db, span, { ...before, zone })
  const previous = totalsOf(days, await q.countReturning(db, span))
  return { previous: { ...before, ...previous }, change_percent: changeOf(totals, previous) }
}

const partsOf = (parts: readonly q.PartSales[], wanted: q.PartSales['kind']) =>
  parts
    .filter(({ kind }) => kind === wanted)
    .map(({ name, orders, gross_cents }) => ({
      name: name === '' ? null : name,
      orders_count: orders,
      gross_cents,
    }))
