import type { Subscription } from '../../api/store.ts'
import { formatDate } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Section, State } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { subscriptions } from '../../text/subscriptions.ts'

/** The maximum number of periods in the strip; the table of payments has all of them. */
const PERIODS_MAX = 12

/** The periods of a subscription as a strip: each paid one, and the one that is billed next. */
export function Periods({ subscription }: { subscription: Subscription }) {
  const { payments, next_billing_date } = subscription
  return (
    <Section title={subscriptions.periods}>
      <ol className="periods">
        {payments
          .slice(-PERIODS_MAX)
          .map(({ id, invoice_id, status, period_start, period_end, created_at }) => (
            <li key={id}>
              <Link to={`/orders/${invoice_id}`}>
                {period_start && period_end
                  ? fill(subscriptions.until, {
                      from: formatDate(period_start),
                      to: formatDate(period_end),
                    })
                  : formatDate(created_at)}
              </Link>
              <State state={status} />
            </li>
          ))}
        {next_billing_date !== null && (
          <li className="next">
            <span>{fill(subscriptions.from, { date: formatDate(next_billing_date) })}</span>
            <State state="waiting">{subscriptions.next}</State>
          </li>
        )}
      </ol>
    </Section>
  )
}
