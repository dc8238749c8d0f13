import { type ListedSubscription, useRead } from '../../api/store.ts'
import { dayOf, formatDay } from '../../kit/days.ts'
import { formatMoney, formatNumber } from '../../kit/format.ts'
import { Receipt } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { countText, listAnd } from '../../kit/words.ts'
import { fill } from '../../text/catalogue.ts'
import { subscriptions } from '../../text/subscriptions.ts'

/** The maximum number of subscriptions that are read. */
const SUBSCRIPTIONS_MAX = 100
const SHOWN_DAYS_MAX = 7

interface RenewalDay {
  day: string
  count: number
  /** Minor units by currency. */
  sums: Map<string, number>
}

/** The next days on which subscriptions are renewed, in the time zone of the store. */
export function NextRenewals() {
  const read = useRead(['subscriptions', 'next renewals'], async ({ api }) => {
    const page = await api.subscriptions.list({
      sort: 'next_billing_date',
      limit: SUBSCRIPTIONS_MAX,
    })
    const billedSubscriptions = page.subscriptions.filter(
      ({ next_billing_date }) => next_billing_date !== null,
    )
    const days = daysOf(billedSubscriptions)
    const isIncomplete =
      page.pagination.has_more && billedSubscriptions.length === SUBSCRIPTIONS_MAX
    // The last day of a full page may have more renewals than were read.
    const completeDays = isIncomplete ? days.slice(0, -1) : days
    return { days: completeDays.slice(0, SHOWN_DAYS_MAX), isIncomplete }
  })
  return (
    <section className="card torn-edge" aria-label={subscriptions.nextRenewals}>
      <header className="card-head">
        <h2>{subscriptions.nextRenewals}</h2>
      </header>
      <Loaded read={read} rows={3}>
        {({ days, isIncomplete }) => {
          if (days.length > 0) return <Receipt lines={days.map(lineOf)} />
          return isIncomplete ? (
            <p>{fill(subscriptions.moreThan, { n: formatNumber(SUBSCRIPTIONS_MAX) })}</p>
          ) : (
            <Empty>{subscriptions.noRenewals}</Empty>
          )
        }}
      </Loaded>
    </section>
  )
}

function lineOf({ day, count, sums }: RenewalDay) {
  const countOfDay = countText(count, subscriptions.oneRenewal, subscriptions.manyRenewals)
  return {
    key: day,
    name: `${formatDay(day)} · ${countOfDay}`,
    amount: listAnd([...sums].map(([currency, cents]) => formatMoney(cents, currency))),
  }
}

function daysOf(billedSubscriptions: readonly ListedSubscription[]): RenewalDay[] {
  const days = new Map<string, RenewalDay>()
  for (const { next_billing_date, recurring_price_cents, currency } of billedSubscriptions) {
    const day = dayOf(next_billing_date ?? '')
    const entry = days.get(day) ?? { day, count: 0, sums: new Map<string, number>() }
    entry.count++
    entry.sums.set(currency, (entry.sums.get(currency) ?? 0) + recurring_price_cents)
    days.set(day, entry)
  }
  return [...days.values()]
}
