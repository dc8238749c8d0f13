import { useRead } from '../../api/store.ts'
import { addDays } from '../../kit/calendar.ts'
import { formatMoney, formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Section } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { fill, language } from '../../text/catalogue.ts'
import { thirtyDays } from '../../text/thirty-days.ts'

const DAYS = 30

const signed = new Intl.NumberFormat(language, {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
})

/** The net sales of the last 30 days, compared with the 30 days before. */
export function ThirtyDays() {
  const read = useRead(['analytics', 'thirty days'], async ({ api }) => {
    // The server says which day it is in the time zone of the store.
    const { to } = (await api.analytics.sales()).summary
    const range = { from: addDays(to, 1 - DAYS), to, interval: 'day' } as const
    return (await api.analytics.sales({ ...range, compare: true })).summary
  })
  return (
    <Section title={thirtyDays.title} actions={<Link to="/analytics">{thirtyDays.analytics}</Link>}>
      <Loaded read={read} rows={3}>
        {({ net_cents, orders_count, currency, previous, change_percent, series }) => (
          <>
            <div className="sum-and-spark">
              <p className="sum">{formatMoney(net_cents, currency)}</p>
              <SparkLine values={series.map((row) => row.net_cents)} />
            </div>
            <p className="secondary-text">
              {change_percent?.net_cents != null &&
                `${fill(thirtyDays.change, { change: signed.format(change_percent.net_cents / 100) })} `}
              {previous &&
                fill(thirtyDays.before, { amount: formatMoney(previous.net_cents, currency) })}{' '}
              {fill(thirtyDays.orders, { n: formatNumber(orders_count) })}
            </p>
          </>
        )}
      </Loaded>
    </Section>
  )
}

const WIDTH = 240
const HEIGHT = 40

/** A line of values without axes. The text next to it gives the figures, and the link its table. */
function SparkLine({ values }: { values: readonly number[] }) {
  const max = Math.max(...values, 0)
  const min = Math.min(...values, 0)
  const x = (index: number) => (index / Math.max(values.length - 1, 1)) * WIDTH
  const y = (value: number) => HEIGHT - 1 - ((value - min) / (max - min || 1)) * (HEIGHT - 2)
  const points = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`)
  return (
    <svg
      className="spark-line"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline points={points.join(' ')} />
    </svg>
  )
}
