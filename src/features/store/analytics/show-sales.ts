import type { StoreContext } from '../../../store-context.ts'
import { findPeriod } from './find-period.ts'
import { type Period, periodBefore } from './periods.rules.ts'
import * as q from './queries/index.ts'
import { changeOf, seriesOf, totalsOf } from './sales.rules.ts'
import type { SalesQuery, SalesSummary, SalesTotals } from './schema.ts'
import { topCustomers, topProducts } from './top-sales.ts'

/** Returns the sales of a store in a period, by days of its time zone. */
export async function showSales(
  context: StoreContext,
  { compare, interval, ...requestedPeriod }: SalesQuery,
): Promise<SalesSummary> {
  const { db, store } = context
  const timeZone = store.time_zone
  const period = await findPeriod(context, requestedPeriod)
  const span = await q.selectSpan(db, store.id, period, timeZone)
  const days = await q.selectDays(db, span, { ...period, timeZone })
  const totals = totalsOf(days, await q.countReturningCustomers(db, span))
  const parts = await q.selectSalesByMethodAndCountry(db, span)
  return {
    currency: store.currency,
    time_zone: timeZone,
    ...period,
    ...totals,
    series: seriesOf(days, period, interval),
    top_products: await topProducts(db, span),
    top_customers: await topCustomers(db, span, totals.orders_count),
    by_payment_method: groupsOfKind(parts, 'payment_method').map(({ name, ...part }) => ({
      payment_method: name,
      ...part,
    })),
    by_country: groupsOfKind(parts, 'country').map(({ name, ...part }) => ({
      country: name,
      ...part,
    })),
    ...(compare && (await compareWithPrevious({ db, store }, period, totals))),
  }
}

async function compareWithPrevious(
  { db, store }: Pick<StoreContext, 'db' | 'store'>,
  period: Period,
  totals: SalesTotals,
): Promise<Pick<SalesSummary, 'previous' | 'change_percent'>> {
  const timeZone = store.time_zone
  const previousPeriod = periodBefore(period)
  const span = await q.selectSpan(db, store.id, previousPeriod, timeZone)
  const days = await q.selectDays(db, span, { ...previousPeriod, timeZone })
  const previous = totalsOf(days, await q.countReturningCustomers(db, span))
  return {
    previous: { ...previousPeriod, ...previous },
    change_percent: changeOf(totals, previous),
  }
}

const groupsOfKind = (parts: readonly q.GroupSales[], kind: q.GroupSales['kind']) =>
  parts
    .filter((part) => part.kind === kind)
    .map(({ name, orders, gross_cents }) => ({
      name: name === '' ? null : name,
      orders_count: orders,
      gross_cents,
    }))
