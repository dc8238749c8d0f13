import type { ReactNode } from 'react'
import type { ListedWebhookDelivery } from '../../api/dashboard.ts'
import type { Order } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { formatMoney, formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { reasonText } from '../../kit/reasons.ts'
import { Section, State, Time } from '../../kit/show.tsx'
import { Failure } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { orders } from '../../text/orders.ts'
import { paymentTimeline } from '../../text/payment-timeline.ts'
import { addressText } from '../build/webhook-parts.tsx'

const WEBHOOKS_SHOWN = 50

interface Entry {
  key: string
  at: string
  content: ReactNode
}

/** The changes, payments, deliveries and webhooks of an order, oldest first. */
export function OrderHistory({ order }: { order: Order }) {
  const { data, error, refetch } = useRead(['events', 'of order', order.id], ({ readDashboard }) =>
    readDashboard<'webhooks.object_deliveries'>('/object-deliveries', {
      object_id: order.id,
      limit: WEBHOOKS_SHOWN,
    }),
  )
  const webhookDeliveries = data?.deliveries ?? []
  const entries = [...entriesOf(order), ...webhookDeliveries.map(webhookEntryOf)].sort((a, b) =>
    a.at.localeCompare(b.at),
  )
  return (
    <Section title={orders.timeline}>
      <ol className="timeline">
        {entries.map(({ key, at, content }) => (
          <li key={key}>
            <Time at={at} />
            <span>{content}</span>
          </li>
        ))}
      </ol>
      {error && <Failure error={error} retry={() => refetch()} />}
      {data?.pagination.has_more && (
        <p className="secondary-text">
          {fill(orders.moreWebhooks, {
            n: formatNumber(webhookDeliveries.length),
            total: formatNumber(data.pagination.total),
          })}
        </p>
      )}
    </Section>
  )
}

function entriesOf(order: Order): Entry[] {
  const { status_history, payments, deliveries, refunds, items, created_at, hold } = order
  const itemNameOf = (id: number) => items.find((item) => item.id === id)?.name ?? ''
  return [
    { key: 'created', at: created_at, content: common.created },
    ...status_history.map(({ status, at, reason }) => ({
      key: `status ${status} ${at}`,
      at,
      content: (
        <>
          <State state={status} /> {reason}
        </>
      ),
    })),
    ...payments.map(({ id, created_at: at, amount_cents, currency, status, provider, actor }) => ({
      key: `payment ${id}`,
      at,
      content: (
        <>
          {provider !== null && amount_cents === 0
            ? paymentTimeline.setUp
            : fill(orders.payment, { amount: formatMoney(amount_cents, currency) })}{' '}
          <State state={status} />
          <By actor={actor} />
        </>
      ),
    })),
    ...deliveries.flatMap(({ id, delivered_at, order_item_id, status }) =>
      delivered_at === null
        ? []
        : {
            key: `delivery ${id}`,
            at: delivered_at,
            content: (
              <>
                {fill(orders.delivered, { item: itemNameOf(order_item_id) })}{' '}
                {status !== 'delivered' && <State state={status} />}
              </>
            ),
          },
    ),
    ...(hold
      ? [
          {
            key: 'hold',
            at: hold.since,
            content: <State state="on_hold" />,
          },
        ]
      : []),
    ...refunds.map(
      ({ id, created_at: at, amount_cents, currency, status, failure, ...refund }) => ({
        key: `refund ${id}`,
        at,
        content: (
          <>
            {fill(orders.refundOf, { amount: formatMoney(amount_cents, currency) })} ·{' '}
            {refund.source === 'provider' ? orders.atProvider : reasonText(refund.reason)}{' '}
            {status !== 'succeeded' && <State state={status} />} {failure?.message}
            <By actor={refund.actor} />
            {refund.note !== null && <blockquote>{refund.note}</blockquote>}
          </>
        ),
      }),
    ),
  ]
}

/** The person, API key or program that made a payment or refund, if it has a name. */
const By = ({ actor }: Pick<Order['refunds'][number], 'actor'>) =>
  actor?.name != null && (
    <span className="secondary-text"> {fill(orders.by, { name: actor.name })}</span>
  )

const webhookEntryOf = ({
  id,
  event,
  webhook,
  status,
  created_at,
}: ListedWebhookDelivery): Entry => ({
  key: `webhook ${id}`,
  at: created_at,
  content: (
    <>
      <Link to={`/events/deliveries/${id}`}>
        {fill(orders.webhook, { event: event.type, endpoint: addressText(webhook.url) })}
      </Link>{' '}
      <State state={status} />
    </>
  ),
})
