import type { SalesRow, SalesSummary } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { formatDay, formatShortDay } from '../../kit/calendar.ts'
import { Chart } from '../../kit/chart.tsx'
import type { ChartPoint } from '../../kit/chart-point.ts'
import { COUNT_UNIT, moneyUnit } from '../../kit/chart-units.ts'
import { formatMoney } from '../../kit/format.ts'
import { useSearch } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Section } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { analytics } from '../../text/analytics.ts'
import { fill } from '../../text/catalogue.ts'
import { Countries, Customers, Methods, Products } from './breakdowns.tsx'
import { OrderCounts } from './order-counts.tsx'
import { type Range, RangeForm, readRange } from './range.tsx'
import { Refunds } from './refunds.tsx'
import { SalesParts } from './sales-parts.tsx'
import { Totals } from './totals.tsx'

/** The fields of the series that the chart can show. */
const MEASURES = {
  net: { field: 'net_cents', label: analytics.net, kind: 'line' },
  gross: { field: 'gross_cents', label: analytics.gross, kind: 'line' },
  orders: { field: 'orders_count', label: analytics.ordersPaid, kind: 'bars' },
} as const
type Measure = keyof typeof MEASURES

const measureOf = (name: string | undefined): Measure =>
  name === 'gross' || name === 'orders' ? name : 'net'

export function Page() {
  const [search] = useSearch()
  const read = useRead(
    ['analytics', 'sales', search.days, search.from, search.to, search.interval],
    async (store) => {
      const { api } = store
      const range = await readRange(store, search)
      const { summary } = await api.analytics.sales({ ...range, compare: true })
      const { previous } = summary
      if (range.interval !== 'day' || !previous) return { range, summary, previousSeries: [] }
      const { from, to } = previous
      const previousSales = await api.analytics.sales({ from, to, interval: 'day' })
      return { range, summary, previousSeries: previousSales.summary.series }
    },
    { keepPrevious: true },
  )
  return (
    <Frame title={analytics.title}>
      <RangeForm range={read.data?.range} />
      <Loaded read={read}>
        {({ range, summary, previousSeries }) => (
          <>
            <p className="secondary-text">
              {fill(analytics.lead, {
                from: formatDay(summary.from),
                to: formatDay(summary.to),
                zone: summary.time_zone,
              })}
            </p>
            <OverTime range={range} summary={summary} previousSeries={previousSeries} />
            <Totals summary={summary} />
            <Products summary={summary} />
            <div className="pair">
              <Countries summary={summary} />
              <Methods summary={summary} />
            </div>
            <SalesParts summary={summary} />
            <Refunds range={range} summary={summary} />
            <OrderCounts summary={summary} />
            <Customers summary={summary} />
          </>
        )}
      </Loaded>
    </Frame>
  )
}

interface OverTimeProps {
  range: Range
  summary: SalesSummary
  previousSeries: readonly SalesRow[]
}

function OverTime({ range, summary, previousSeries }: OverTimeProps) {
  const [search] = useSearch()
  const { currency, previous } = summary
  const measure = measureOf(search.show)
  const { field, label, kind } = MEASURES[measure]
  return (
    <Section title={analytics.overTime}>
      <p className="figure">{formatMoney(summary.net_cents, currency)}</p>
      <p className="secondary-text">
        {analytics.netHelp}{' '}
        {previous &&
          fill(analytics.previousOf, {
            amount: formatMoney(previous.net_cents, currency),
            from: formatDay(previous.from),
            to: formatDay(previous.to),
          })}
      </p>
      <Chart
        label={label}
        pointLabel={analytics[range.interval]}
        comparisonLabel={analytics.previous}
        kind={kind}
        points={pointsOf(summary.series, previousSeries, field)}
        unit={measure === 'orders' ? COUNT_UNIT : moneyUnit(currency)}
        file={`sales-${measure}`}
      >
        <MeasureSelect measure={measure} />
      </Chart>
      {range.interval !== 'day' && <p className="secondary-text">{analytics.byDayOnly}</p>}
    </Section>
  )
}

function MeasureSelect({ measure }: { measure: Measure }) {
  const [search, setSearch] = useSearch()
  return (
    <label className="inline">
      {analytics.show}{' '}
      <select
        value={measure}
        onChange={({ target }) => setSearch({ ...search, show: target.value })}
      >
        {Object.entries(MEASURES).map(([name, { label }]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}

type Field = (typeof MEASURES)[Measure]['field']

function pointsOf(
  series: readonly SalesRow[],
  previousSeries: readonly SalesRow[],
  field: Field,
): ChartPoint[] {
  return series.map((row, index) => {
    const previousRow = previousSeries[index]
    return {
      key: row.date,
      label: formatDay(row.date),
      tick: formatShortDay(row.date),
      value: row[field],
      comparison: previousRow && {
        key: previousRow.date,
        label: formatDay(previousRow.date),
        value: previousRow[field],
      },
    }
  })
}
