import { useParams } from '@tanstack/react-router'
import { storeRequest } from '../../api/action.ts'
import { type Subscription, useRead, useStore } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { momentOfDay } from '../../kit/days.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { formatDate, humanize } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Facts, Money, Raw, Section, Stamp, State, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { subscriptions } from '../../text/subscriptions.ts'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const number = Number(id)
  const read = useRead(
    ['subscriptions', number],
    async ({ api }) => (await api.subscriptions.get(number)).subscription,
  )
  return (
    <Loaded read={read}>
      {(subscription) => (
        <Frame
          title={fill(subscriptions.one, { id: subscription.id })}
          parent={{ to: '/subscriptions', label: subscriptions.title }}
          lead={subscription.customer_email}
          actions={<Actions subscription={subscription} />}
        >
          <div className="split">
            <div>
              <Payments subscription={subscription} />
            </div>
            <div>
              <Summary subscription={subscription} />
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
          isNumber: true,
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
        of={[
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
            subscriptions.first,
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
          [subscriptions.autoRenew, subscription.auto_renew ? common.yes : common.no],
          [
            subscriptions.cancelledAt,
            subscription.cancelled_at && <Time key="cancelled" at={subscription.cancelled_at} />,
          ],
        ]}
      />
      {!livemode && <p className="quiet">{subscriptions.clock}</p>}
    </Section>
  )
}

function Actions({ subscription }: { subscription: Subscription }) {
  const isAllowed = useMayWrite('subscriptions')
  const { id, status, auto_renew, next_billing_date } = subscription
  if (!isAllowed) return <span className="quiet">{common.notAllowed}</span>
  if (status === 'cancelled' || status === 'expired') return null
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
            request={(typed) =>
              storeRequest('subscriptions', 'update', id, {
                next_billing_date: momentOfDay(String(typed.next_billing_date)),
              })
            }
          />
        )}
      <Cancel id={id} />
    </>
  )
}

const Cancel = ({ id }: { id: number }) => (
  <Action
    label={subscriptions.cancel}
    title={subscriptions.cancelTitle}
    isDanger
    lead={<p>{subscriptions.cancelLead}</p>}
    fields={[
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
    ]}
    submit={subscriptions.cancelTitle}
    request={({ at_period_end }) =>
      storeRequest('subscriptions', 'cancel', id, { at_period_end: at_period_end === 'true' })
    }
  />
)
