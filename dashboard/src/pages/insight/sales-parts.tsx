import type { DashboardAnswer } from '../../api/dashboard.ts'
import { type SalesSummary, useRead } from '../../api/store.ts'
import { moneyUnit } from '../../kit/chart-units.ts'
import { Ranking } from '../../kit/ranking.tsx'
import { Loaded } from '../../kit/states.tsx'
import { analytics } from '../../text/analytics.ts'
import { countColumn, moneyColumn } from './breakdowns.tsx'

type Parts = DashboardAnswer<'analytics.sales_parts'>['parts']
type SourceRow = Parts['by_source'][number]
type CouponRow = Parts['by_coupon'][number]

const SOURCE_NAMES: Record<string, string> = {
  storefront: analytics.storefront,
  api: analytics.api,
  embed: analytics.embed,
}

/** The name of a source, or its word in the API if the dashboard does not know it. */
const sourceName = (source: string): string => SOURCE_NAMES[source] ?? source

/** Paid orders by source and by coupon, which the sales report does not have. */
export function SalesParts({ summary }: { summary: SalesSummary }) {
  const { from, to, gross_cents, orders_count } = summary
  const read = useRead(
    ['analytics', 'parts', from, to, gross_cents, orders_count],
    async (store) => {
      const query = { from, to }
      return (await store.readDashboard<'analytics.sales_parts'>('/sales-parts', query)).parts
    },
    { keepPrevious: true },
  )
  return (
    <Loaded read={read} rows={3}>
      {({ by_source, by_coupon }) => (
        <>
          {by_source.length > 0 && <Sources rows={by_source} summary={summary} />}
          {by_coupon.length > 0 && <Coupons rows={by_coupon} summary={summary} />}
        </>
      )}
    </Loaded>
  )
}

interface PartProps<Row> {
  rows: readonly Row[]
  summary: SalesSummary
}

const Sources = ({ rows, summary }: PartProps<SourceRow>) => (
  <Ranking<SourceRow>
    label={analytics.sources}
    rows={rows}
    keyOf={({ source }) => source}
    columns={[
      {
        label: analytics.source,
        show: ({ source }) => sourceName(source),
        text: ({ source }) => sourceName(source),
      },
      countColumn(analytics.ordersPaid, ({ orders_count }) => orders_count),
      moneyColumn(analytics.gross, moneyUnit(summary.currency), (row) => row.gross_cents),
    ]}
    amountOf={({ gross_cents }) => gross_cents}
    total={summary.gross_cents}
    file="sales-sources"
  />
)

const Coupons = ({ rows, summary }: PartProps<CouponRow>) => (
  <Ranking<CouponRow>
    label={analytics.coupons}
    rows={rows}
    keyOf={({ code }) => code}
    hrefOf={({ code }) => `/coupons?code=${encodeURIComponent(code)}`}
    columns={[
      { label: analytics.coupon, show: ({ code }) => code, text: ({ code }) => code },
      countColumn(analytics.ordersPaid, ({ orders_count }) => orders_count),
      moneyColumn(analytics.gross, moneyUnit(summary.currency), (row) => row.gross_cents),
      moneyColumn(analytics.discounts, moneyUnit(summary.currency), (row) => row.discount_cents),
    ]}
    file="sales-coupons"
  />
)
