import { useParams } from '@tanstack/react-router'
import { storeRequest } from '../../api/action.ts'
import { type Subscription, useRead, useStore } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { momentOfDay } from '../../kit/days.ts'
import { useMayWrite } from '../../kit/form.tsx'
import {
  formatDate,
  formatDateTime,
  formatDuration,
  formatMoney,
  formatNumber,
  formatPercent,
  humanize,
} from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Facts, Money, Raw, Section, Stamp, State, Time } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { setStoreTime, useStoreClockLead } from '../../kit/store-clock.ts'
import { yesNo } from '../../kit/values.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { savedCards } from '../../text/saved-cards.ts'
import { subscriptions } from '../../text/subscriptions.ts'
import { Periods } from './periods.tsx'
import { RenewalPayment, useProviders } from './saved-card.tsx'

const HOUR_MS = 3_600_000

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const subscriptionId = Number(id)
  const read = useRead(
    ['subscriptions', subscriptionId],
    async ({ api }) => (await api.subscriptions.get(subscriptionId)).subscription,
  )
  return (
    <Loaded read={read}>
      {(subscription) => (
        <Frame
          title={fill(subscriptions.subscriptionTitle, { id: subscription.id })}
          parent={{ to: '/subscriptions', label: subscriptions.title }}
          lead={subscription.customer_email}
          actions={<Actions subscription={subscription} />}
        >
          <div className="split">
            <div>
              <Periods subscription={subscription} />
              <Payments subscription={subscription} />
            </div>
            <div>
              <Summary subscription={subscription} />
              <Renewal subscription={subscription} />
              <Raw record={subscription} />
            </div>
          </div>
        </Frame>
      )}
    </Loaded>
  )
}

const period = (from: string | null, to: string | null) =>
  from && to ? fill(subscriptions.until, { from: formatDate(from), to: formatDate(to) }) : undefined

const Payments = ({ subscription: { payments, currency } }: { subscription: Subscription }) => (
  <Section title={subscriptions.payments}>
    <Table
      label={subscriptions.payments}
      rows={payments}
      keyOf={({ id }) => id}
      hrefOf={({ invoice_id }) => `/orders/${invoice_id}`}
      columns={[
        {
          label: subscriptions.period,
          show: ({ period_start, period_end, created_at }) =>
            period(period_start, period_end) ?? formatDate(created_at),
        },
        { label: common.status, show: ({ status }) => <State state={status} /> },
        { label: subscriptions.paidAt, show: ({ paid_at }) => <Time at={paid_at} /> },
        {
          label: common.amount,
          isRightAligned: true,
          show: ({ amount_cents }) => <Money cents={amount_cents} currency={currency} />,
        },
      ]}
    />
  </Section>
)

function Summary({ subscription }: { subscription: Subscription }) {
  const { livemode } = useStore()
  const { product, currency } = subscription
  return (
    <Section title={common.details} actions={<Stamp state={subscription.status} />}>
      <Facts
        rows={[
          [
            subscriptions.product,
            <Link key="product" to={`/products/${product.id}`}>
              {product.name}
            </Link>,
          ],
          [
            subscriptions.price,
            <Money key="price" cents={subscription.recurring_price_cents} currency={currency} />,
          ],
          [
            subscriptions.firstPrice,
            <Money key="first" cents={subscription.initial_price_cents} currency={currency} />,
          ],
          [subscriptions.cycle, humanize(subscription.billing_cycle)],
          [
            subscriptions.period,
            period(subscription.current_period_start, subscription.current_period_end),
          ],
          [
            subscriptions.trialEnds,
            subscription.trial_ends_at && <Time key="trial" at={subscription.trial_ends_at} />,
          ],
          [subscriptions.next, <Time key="next" at={subscription.next_billing_date} />],
          [subscriptions.autoRenew, yesNo(subscription.auto_renew)],
          [
            subscriptions.cancelledAt,
            subscription.cancelled_at && <Time key="cancelled" at={subscription.cancelled_at} />,
          ],
        ]}
      />
      {!livemode && <p className="secondary-text">{subscriptions.clock}</p>}
    </Section>
  )
}

function Actions({ subscription }: { subscription: Subscription }) {
  const isAllowed = useMayWrite('subscriptions')
  const { livemode } = useStore()
  const mayMoveClock = useMayWrite('account') && !livemode
  const { id, status, auto_renew, next_billing_date } = subscription
  if (!isAllowed) return <NotAllowed area="subscriptions" />
  if (status === 'cancelled' || status === 'expired') return null
  // A pending subscription begins if its first order is paid, and ends otherwise.
  if (status === 'pending') {
    const [first] = subscription.payments
    return first && <Link to={`/orders/${first.invoice_id}`}>{subscriptions.openFirst}</Link>
  }
  const isEnding = !auto_renew && (status === 'active' || status === 'trialing')
  return (
    <>
      {isEnding && (
        <Action
          label={subscriptions.resume}
          isPrimary
          submit={subscriptions.resume}
          request={() => storeRequest('subscriptions', 'resume', id)}
        />
      )}
      {auto_renew &&
        next_billing_date !== null &&
        (status === 'active' || status === 'trialing') && (
          <Action
            label={subscriptions.later}
            fields={[
              {
                name: 'next_billing_date',
                label: subscriptions.next,
                type: 'date',
                required: true,
                help: subscriptions.laterHelp,
              },
            ]}
            submit={subscriptions.later}
            request={(values) =>
              storeRequest('subscriptions', 'update', id, {
                next_billing_date: momentOfDay(String(values.next_billing_date)),
              })
            }
          />
        )}
      {subscription.auto_renewal && (
        <ChangeMethod id={id} method={subscription.auto_renewal.provider} />
      )}
      {mayMoveClock && next_billing_date !== null && <Advance to={next_billing_date} />}
      <Cancel subscription={subscription} />
    </>
  )
}

/** The payment methods that need no provider. */
const OWN_METHODS = ['manual', 'balance'] as const

function ChangeMethod({ id, method }: { id: number; method: string }) {
  const { data: providers = [] } = useProviders()
  const connected = providers.filter(({ status }) => status !== null)
  const methods = [...new Set([...OWN_METHODS, ...connected.flatMap((item) => item.methods)])]
  return (
    <Action
      label={subscriptions.changeMethod}
      lead={<p>{subscriptions.changeMethodLead}</p>}
      fields={[
        {
          name: 'payment_method',
          label: subscriptions.provider,
          type: 'select',
          required: true,
          value: method,
          options: methods.map((value) => ({ value, label: humanize(value) })),
        },
      ]}
      submit={subscriptions.changeMethod}
      request={({ payment_method }) =>
        storeRequest('subscriptions', 'update', id, {
          payment_method: payment_method as (typeof methods)[number],
        })
      }
    />
  )
}

/** Moves the clock of the test side to the next renewal of the subscription. */
function Advance({ to }: { to: string }) {
  const clockLead_ms = useStoreClockLead()
  const hours = Math.max(1, Math.ceil((Date.parse(to) - Date.now() - clockLead_ms) / HOUR_MS))
  return (
    <Action
      label={subscriptions.advance}
      lead={<p>{fill(subscriptions.advanceLead, { at: formatDateTime(to) })}</p>}
      submit={fill(subscriptions.advanceBy, { by: formatDuration(hours * HOUR_MS) })}
      request={() => ({
        ...storeRequest('account', 'advanceTestClock', { advance: `${hours}h` }),
        area: 'subscriptions',
      })}
      onDone={(answer) => setStoreTime((answer as { now: string }).now)}
    />
  )
}

/** The auto-renewal of a subscription, which begins with its first payment. */
function Renewal({ subscription }: { subscription: Subscription }) {
  const { auto_renewal: renewal } = subscription
  if (!renewal) return null
  return (
    <Section title={subscriptions.renewal} actions={<State state={renewal.status} />}>
      <Facts
        rows={[
          [subscriptions.provider, humanize(renewal.provider)],
          [savedCards.how, <RenewalPayment key="how" subscription={subscription} />],
          [subscriptions.renewals, formatNumber(renewal.renewals_count)],
          [
            subscriptions.discount,
            renewal.discount_percent > 0
              ? formatPercent(renewal.discount_percent / 100)
              : undefined,
          ],
          [
            subscriptions.firstOrder,
            <Link key="first" to={`/orders/${renewal.origin_invoice_id}`}>
              {renewal.origin_invoice_id}
            </Link>,
          ],
          [
            subscriptions.lastOrder,
            <Link key="last" to={`/orders/${renewal.last_invoice_id}`}>
              {renewal.last_invoice_id}
            </Link>,
          ],
        ]}
      />
    </Section>
  )
}

/**
 * Cancels a subscription. Only a paid period that would be renewed can still run to its end; a cancelled or
 * unpaid subscription can only end now.
 */
function Cancel({ subscription }: { subscription: Subscription }) {
  const { id, status, auto_renew, recurring_price_cents, currency, billing_cycle } = subscription
  const canEndLater = auto_renew && status !== 'past_due'
  return (
    <Action
      label={canEndLater ? subscriptions.cancel : subscriptions.endNow}
      title={canEndLater ? subscriptions.cancelTitle : subscriptions.endNow}
      isDanger
      lead={
        <p>
          {fill(canEndLater ? subscriptions.cancelLead : subscriptions.endNowLead, {
            amount: formatMoney(recurring_price_cents, currency),
            cycle: humanize(billing_cycle).toLocaleLowerCase(),
          })}
        </p>
      }
      fields={
        canEndLater
          ? [
              {
                name: 'at_period_end',
                label: subscriptions.cancelWhen,
                type: 'select',
                required: true,
                value: 'true',
                options: [
                  { value: 'true', label: subscriptions.atEnd },
                  { value: 'false', label: subscriptions.now },
                ],
              },
            ]
          : []
      }
      submit={canEndLater ? subscriptions.cancelTitle : subscriptions.endNow}
      request={({ at_period_end }) =>
        storeRequest('subscriptions', 'cancel', id, { at_period_end: at_period_end === 'true' })
      }
    />
  )
}
