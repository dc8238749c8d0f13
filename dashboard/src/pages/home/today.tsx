import { Suspense } from 'react'
import type { DashboardAnswer } from '../../api/dashboard.ts'
import { useRead } from '../../api/store.ts'
import { formatDay } from '../../kit/calendar.ts'
import type { ChartPoint } from '../../kit/chart-point.ts'
import { moneyUnit } from '../../kit/chart-units.ts'
import { formatMoney } from '../../kit/format.ts'
import { lazyPart } from '../../kit/lazy-part.tsx'
import { Link } from '../../kit/link.tsx'
import { once } from '../../kit/once.ts'
import { Section } from '../../kit/show.tsx'
import { Loaded, Skeleton } from '../../kit/states.tsx'
import { fill, language } from '../../text/catalogue.ts'
import { home } from '../../text/home.ts'

// The chart waits for its numbers, so its code is loaded after the page's.
const Chart = lazyPart(async () => (await import('../../kit/chart.tsx')).Chart)

type Sales = DashboardAnswer<'analytics.sales_hours'>['sales']

/** Today's net sales by hour, compared with the same weekday of last week. */
export function Today() {
  // The server says which day it is, because the store has its own time zone and its test side its
  // own clock.
  const read = useRead(
    ['analytics', 'today'],
    async ({ readDashboard }) =>
      (await readDashboard<'analytics.sales_hours'>('/sales-hours')).sales,
  )
  return (
    <Section
      title={home.today}
      actions={read.data && <Link to={`/orders?paid_from=${read.data.day}`}>{home.paidToday}</Link>}
    >
      <div className="today">
        <Loaded read={read} rows={8}>
          {(sales) => (
            <>
              <p className="figure">{formatMoney(sales.net_cents, sales.currency)}</p>
              <p className="secondary-text">{comparisonOf(sales)}</p>
              <Suspense fallback={<Skeleton rows={4} />}>
                <Chart
                  label={home.net}
                  pointLabel={home.hour}
                  comparisonLabel={formatDay(sales.previous_day)}
                  kind="bars"
                  points={pointsOf(sales)}
                  unit={moneyUnit(sales.currency)}
                  file={`net-sales-${sales.day}`}
                />
              </Suspense>
            </>
          )}
        </Loaded>
      </div>
    </Section>
  )
}

function comparisonOf(sales: Sales): string {
  const { previous_until_cents, previous_net_cents, currency, time_zone } = sales
  const comparison = fill(home.lastWeek, {
    now: formatMoney(previous_until_cents, currency),
    all: formatMoney(previous_net_cents, currency),
  })
  return `${comparison} ${fill(home.zone, { zone: time_zone })}`
}

const timeFormat = once(
  () => new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: 'UTC' }),
)
const hourFormat = once(
  () => new Intl.DateTimeFormat(language, { hour: 'numeric', timeZone: 'UTC' }),
)
const timeText = (hour: number): string => timeFormat().format(Date.UTC(2000, 0, 1, hour))

const pointsOf = ({ hours }: Sales): ChartPoint[] =>
  hours.map(({ net_cents, previous_net_cents }, hour) => {
    const label = `${timeText(hour)}–${timeText((hour + 1) % hours.length)}`
    const key = `${String(hour).padStart(2, '0')}:00`
    return {
      key,
      label,
      value: net_cents,
      tick: hourFormat().format(Date.UTC(2000, 0, 1, hour)),
      comparison: { key, label, value: previous_net_cents },
    }
  })
