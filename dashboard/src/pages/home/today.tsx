import { type StoreContext, useRead } from '../../api/store.ts'
import { addDays, formatDay, hourIn, startOfDay } from '../../kit/calendar.ts'
import { Chart, type ChartPoint } from '../../kit/chart.tsx'
import { COUNT } from '../../kit/chart-units.ts'
import { formatMoney } from '../../kit/format.ts'
import { Section } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { analytics } from '../../text/analytics.ts'
import { fill, language } from '../../text/catalogue.ts'
import { home } from '../../text/home.ts'

const WEEK_DAYS = 7
const HOURS = 24
const PAGE = 100
/** The hours are counted from the orders themselves, so a very busy day has no chart. */
const ORDERS_MAX = 300

/** Today's net sales and paid orders by hour, against the same weekday of last week. */
export function Today() {
  // The store says which day it is: it has its own time zone, and its test side has its own clock.
  const read = useRead(
    ['analytics', 'today'],
    async ({ api }) => (await api.analytics.sales()).summary,
  )
  return (
    <Section title={home.today}>
      <Loaded read={read} rows={4}>
        {({ series, currency, time_zone, to }) => (
          <>
            <p className="figure">{formatMoney(series.at(-1)?.net_cents ?? 0, currency)}</p>
            <p className="quiet">
              {fill(home.before, {
                amount: formatMoney(series.at(-1 - WEEK_DAYS)?.net_cents ?? 0, currency),
              })}{' '}
              {fill(home.zone, { zone: time_zone })}
            </p>
            <ByHour today={to} timeZone={time_zone} />
          </>
        )}
      </Loaded>
    </Section>
  )
}

/** Counts the orders that were paid in each hour of a day; undefined if there are too many to count. */
async function paidByHour({ api }: StoreContext, day: string, timeZone: string) {
  const query = {
    paid_from: startOfDay(day, timeZone),
    paid_to: startOfDay(addDays(day, 1), timeZone),
    sort: 'paid_at' as const,
    limit: PAGE,
  }
  const hours: number[] = Array.from({ length: HOURS }, () => 0)
  for (let offset = 0; offset < ORDERS_MAX; offset += PAGE) {
    const { orders, pagination } = await api.orders.list({ ...query, offset })
    if (pagination.total > ORDERS_MAX) return undefined
    for (const { paid_at } of orders) {
      const hour = paid_at === null ? 0 : hourIn(paid_at, timeZone)
      hours[hour] = (hours[hour] ?? 0) + 1
    }
    if (!pagination.has_more) break
  }
  return hours
}

function ByHour({ today, timeZone }: { today: string; timeZone: string }) {
  const earlier = addDays(today, -WEEK_DAYS)
  const now = useRead(['orders', 'paid by hour', today], async (store) => ({
    hours: await paidByHour(store, today, timeZone),
  }))
  // A day that is over does not change, so live updates do not fetch it again.
  const before = useRead(['home', 'paid by hour', earlier], async (store) => ({
    hours: await paidByHour(store, earlier, timeZone),
  }))
  return (
    <Loaded read={now} rows={4}>
      {({ hours }) =>
        hours === undefined ? (
          <p className="quiet">{fill(home.tooMany, { n: ORDERS_MAX })}</p>
        ) : (
          <Chart
            label={analytics.ordersPaid}
            pointLabel={home.hour}
            beforeLabel={formatDay(earlier)}
            kind="bars"
            points={pointsOf(hours, before.data?.hours)}
            unit={COUNT}
            file={`paid-orders-${today}`}
          />
        )
      }
    </Loaded>
  )
}

const clock = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: 'UTC' })
const hourOnly = new Intl.DateTimeFormat(language, { hour: 'numeric', timeZone: 'UTC' })
const timeOf = (hour: number): string => clock.format(Date.UTC(2000, 0, 1, hour))

function pointsOf(hours: readonly number[], before: readonly number[] | undefined): ChartPoint[] {
  return hours.map((value, hour) => {
    const label = `${timeOf(hour)}–${timeOf((hour + 1) % HOURS)}`
    const key = `${String(hour).padStart(2, '0')}:00`
    return {
      ...{ key, label, value, tick: hourOnly.format(Date.UTC(2000, 0, 1, hour)) },
      ...(before && { before: { key, label, value: before[hour] ?? 0 } }),
    }
  })
}
