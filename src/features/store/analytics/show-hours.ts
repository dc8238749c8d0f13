import { cutSum } from '../../../kernel/sums.ts'
import { DAY_MS, iso } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import { DAY_HOURS, type SalesHours } from './dashboard-schema.ts'
import { addDays } from './periods.rules.ts'
import * as q from './queries/index.ts'

const WEEK_DAYS = 7

/** Returns the sales of the current day by hour, next to the same weekday of the week before. */
export async function showHours({ db, store, now }: StoreContext): Promise<SalesHours> {
  const timeZone = store.time_zone
  const moment = Date.parse(now)
  const day = await q.selectDay(db, now, timeZone)
  const previousDay = addDays(day, -WEEK_DAYS)
  const weekAgo = iso(moment - WEEK_DAYS * DAY_MS)
  const salesOf = async (date: string, until: string) => {
    const span = await q.selectSpan(db, store.id, { from: date, to: date }, timeZone)
    return q.selectHours(db, span, { timeZone, until })
  }
  const currentHours = await salesOf(day, now)
  const previousHours = await salesOf(previousDay, weekAgo)
  const sum = (values: readonly bigint[]) =>
    cutSum(values.reduce((total, value) => total + value, 0n))
  const hours = Array.from({ length: DAY_HOURS }, (_, hour) => {
    const currentSales = currentHours.find((row) => row.hour === hour)
    const previousSales = previousHours.find((row) => row.hour === hour)
    return {
      orders_count: currentSales?.orders_count ?? 0,
      net_cents: cutSum(currentSales?.net_cents ?? 0),
      previous_orders_count: previousSales?.orders_count ?? 0,
      previous_net_cents: cutSum(previousSales?.net_cents ?? 0),
    }
  })
  return {
    currency: store.currency,
    time_zone: timeZone,
    day,
    previous_day: previousDay,
    net_cents: sum(currentHours.map(({ net_cents }) => net_cents)),
    previous_net_cents: sum(previousHours.map(({ net_cents }) => net_cents)),
    previous_until_cents: sum(previousHours.map(({ until_cents }) => until_cents)),
    hours,
  }
}
