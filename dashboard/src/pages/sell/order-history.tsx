import type { ReactNode } from 'react'
import type { ListedWebhookDelivery, OwnAnswer } from '../../api/own.ts'
import type { Order } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { formatMoney, formatNumber, humanize } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Section, State, Time } from '../../kit/show.tsx'
import { Failure } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { orders } from '../../text/orders.ts'
import { addressText } from '../build/webhook-parts.tsx'

const WEBHOOKS_SHOWN = 50

interface Entry {
  key: string
  at: string
  show: ReactNode
}

/** The changes, payments, deliveries and webhooks of an order, the oldest first. */
export function OrderHistory({ order }: { order: Order }) {
  const { data, error, refetch } = useRead(['events', 'of order', order.id], ({ own }) =>
    own<OwnAnswer<'webhooks.object_deliveries'>>('GET', '/object-deliveries', {
      query: { object_id: order.id, limit: WEBHOOKS_SHOWN },
    }),
  )
  const sent = data?.deliveries ?? []
  const entries = [...entriesOf(order), ...sent.map(webhookEntry)].sort((a, b) =>
    a.at.localeCompare(b.at),
  )
  return (
    <Section title={orders.timeline}>
      <ol className="timeline">
        {entries.map(({ key, at, show }) => (
          <li key={key}>
            <Time at={at} />
            <span>{show}</span>
          </li>
        ))}
      </ol>
      {error && <Failure error={error} retry={() => refetch()} />}
      {data?.pagination.has_more && (
        <p className="quiet">
          {fill(orders.moreWebhooks, {
            n: formatNumber(sent.length),
            total: formatNumber(data.pagination.total),
          })}
        </p>
      )}
    </Section>
  )
}

function entriesOf(order: Order): Entry[] {
  const { status_history, payments, deliveries, refunds, items, created_at } = order
  const itemOf = (id: number) => items.find((item) => item.id === id)?.name ?? ''
  return [
    { key: 'created', at: created_at, show: common.created },
    ...status_history.map(({ status, at, reason }) => ({
      key: `status ${status} ${at}`,
      at,
      show: (
        <>
          <State state={status} /> {reason}
        </>
      ),
    })),
    ...payments.map(({ id, created_at: at, amount_cents, currency, status }) => ({
      key: `payment ${id}`,
      at,
      show: (
        <>
          {fill(orders.payment, { amount: formatMoney(amount_cents, currency) })}{' '}
          <State state={status} />
        </>
      ),
    })),
    ...deliveries
      .filter(({ delivered_at }) => delivered_at !== null)
      .map(({ id, delivered_at, created_at: made, order_item_id, status }) => ({
        key: `delivery ${id}`,
        at: delivered_at ?? made,
        show: (
          <>
            {fill(orders.delivered, { item: itemOf(order_item_id) })}{' '}
            {status !== 'delivered' && <State state={status} />}
          </>
        ),
      })),
    ...refunds.map(({ id, created_at: at, amount_cents, currency, reason }) => ({
      key: `refund ${id}`,
      at,
      show: `${fill(orders.refundOf, { amount: formatMoney(amount_cents, currency) })} · ${humanize(reason)}`,
    })),
  ]
}

const webhookEntry = ({
  id,
  event,
  webhook,
  status,
  created_at,
}: ListedWebhookDelivery): Entry => ({
  key: `webhook ${id}`,
  at: created_at,
  show: (
    <>
      <Link to={`/events/deliveries/${id}`}>
        {fill(orders.webhook, { event: event.type, endpoint: addressText(webhook.url) })}
      </Link>{' '}
      <State state={status} />
    </>
  ),
})
