import type { DashboardAnswer } from '../../api/dashboard.ts'
import { type SalesSummary, useRead } from '../../api/store.ts'
import { formatDay, formatShortDay } from '../../kit/calendar.ts'
import { Chart } from '../../kit/chart.tsx'
import { COUNT_UNIT, moneyUnit } from '../../kit/chart-units.ts'
import { formatMoney, formatNumber, humanize } from '../../kit/format.ts'
import { useSearch } from '../../kit/list.tsx'
import { Ranking } from '../../kit/ranking.tsx'
import { reasonText } from '../../kit/reasons.ts'
import { Section } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { analytics } from '../../text/analytics.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { countColumn, moneyColumn } from './breakdowns.tsx'
import type { Range } from './range.tsx'

type Report = DashboardAnswer<'analytics.refunds'>['refunds']
type ReasonRow = Report['by_reason'][number]
type MethodRow = Report['by_payment_method'][number]
type ProductRow = Report['by_product'][number]

/** Refunds over time, and by product, reason and payment method. */
export function Refunds({ range, summary }: { range: Range; summary: SalesSummary }) {
  const { from, to, interval } = range
  const { refunded_cents } = summary
  const read = useRead(
    ['analytics', 'refunds', from, to, interval, refunded_cents],
    async ({ readDashboard }) => {
      const query = { from, to, interval }
      return (await readDashboard<'analytics.refunds'>('/refunds-report', query)).refunds
    },
    { keepPrevious: true },
  )
  return (
    <Loaded read={read} rows={3}>
      {(report) =>
        report.by_reason.length === 0 ? (
          <Section title={analytics.refundsOverTime}>
            <Empty>{analytics.noRefunds}</Empty>
          </Section>
        ) : (
          <>
            <OverTime report={report} interval={interval} />
            <Products report={report} />
            <div className="pair">
              <Reasons report={report} />
              <Methods report={report} />
            </div>
          </>
        )
      }
    </Loaded>
  )
}

const sumOf = ({ by_reason }: Report, field: 'refunds_count' | 'refunded_cents'): number =>
  by_reason.reduce((sum, row) => sum + row[field], 0)

function OverTime({ report, interval }: { report: Report; interval: Range['interval'] }) {
  const [search, setSearch] = useSearch()
  const { currency, series } = report
  const isCount = search.refunds === 'count'
  return (
    <Section title={analytics.refundsOverTime}>
      <p className="figure">{formatMoney(sumOf(report, 'refunded_cents'), currency)}</p>
      <p className="secondary-text">
        {fill(analytics.refundsHelp, { n: formatNumber(sumOf(report, 'refunds_count')) })}
      </p>
      <Chart
        label={isCount ? analytics.refundsCount : analytics.refundedAmount}
        pointLabel={analytics[interval]}
        kind="bars"
        points={series.map(({ date, refunded_cents, refunds_count }) => ({
          key: date,
          label: formatDay(date),
          tick: formatShortDay(date),
          value: isCount ? refunds_count : refunded_cents,
        }))}
        unit={isCount ? COUNT_UNIT : moneyUnit(currency)}
        file={isCount ? 'refunds-count' : 'refunds-amount'}
      >
        <label className="inline">
          {analytics.showRefunds}{' '}
          <select
            value={isCount ? 'count' : 'amount'}
            onChange={({ target }) => setSearch({ ...search, refunds: target.value })}
          >
            <option value="amount">{common.amount}</option>
            <option value="count">{analytics.number}</option>
          </select>
        </label>
      </Chart>
    </Section>
  )
}

/** The columns that each list of refunds ends with. */
const sumColumns = <Row extends { refunds_count: number; refunded_cents: number }>({
  currency,
}: Report) => [
  countColumn<Row>(analytics.refundsCount, (row) => row.refunds_count),
  moneyColumn<Row>(analytics.refundedAmount, moneyUnit(currency), (row) => row.refunded_cents),
]

const Products = ({ report }: { report: Report }) => (
  <Ranking<ProductRow>
    label={analytics.refundedProducts}
    lead={analytics.refundedProductsHelp}
    rows={report.by_product}
    keyOf={({ product_id }) => product_id}
    hrefOf={({ product_id }) => `/products/${product_id}`}
    columns={[
      { label: analytics.product, show: ({ name }) => name, text: ({ name }) => name },
      ...sumColumns<ProductRow>(report),
    ]}
    amountOf={({ refunded_cents }) => refunded_cents}
    total={sumOf(report, 'refunded_cents')}
    file="refunds-products"
  />
)

const Reasons = ({ report }: { report: Report }) => (
  <Ranking<ReasonRow>
    label={analytics.refundReasons}
    rows={report.by_reason}
    keyOf={({ reason }) => reason}
    columns={[
      {
        label: common.reason,
        show: ({ reason }) => reasonText(reason),
        text: ({ reason }) => reasonText(reason),
      },
      ...sumColumns<ReasonRow>(report),
    ]}
    amountOf={({ refunded_cents }) => refunded_cents}
    total={sumOf(report, 'refunded_cents')}
    file="refunds-reasons"
  />
)

const Methods = ({ report }: { report: Report }) => (
  <Ranking<MethodRow>
    label={analytics.refundMethods}
    rows={report.by_payment_method}
    keyOf={({ payment_method }) => payment_method ?? ''}
    columns={[
      {
        label: analytics.method,
        show: ({ payment_method }) =>
          payment_method === null ? analytics.unknown : humanize(payment_method),
        text: ({ payment_method }) => payment_method && humanize(payment_method),
      },
      ...sumColumns<MethodRow>(report),
    ]}
    amountOf={({ refunded_cents }) => refunded_cents}
    total={sumOf(report, 'refunded_cents')}
    file="refunds-methods"
  />
)
