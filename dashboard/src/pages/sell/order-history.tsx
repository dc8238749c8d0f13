import type { ReactNode } from 'react'
import type { ListedWebhookDelivery } from '../../api/dashboard.ts'
import type { AccountAuditEvent, Order } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { actorText } from '../../kit/actor.ts'
import { eventName } from '../../kit/event-name.ts'
import { formatMoney, formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { reasonText } from '../../kit/reasons.ts'
import { Section, State, Time } from '../../kit/show.tsx'
import { Failure } from '../../kit/states.tsx'
import { actors } from '../../text/actors.ts'
import { fill } from '../../text/catalogue.ts'
import { orders } from '../../text/orders.ts'
import { paymentTimeline } from '../../text/payment-timeline.ts'
import { addressText } from '../build/webhook-parts.tsx'

const WEBHOOKS_SHOWN = 50
/** The changes of an order whose actors are read. */
const AUDIT_EVENTS_MAX = 100

/** The action of the audit trail that replaces keys of a delivery. */
const REPLACEMENT = 'order.replace_delivery'

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
  const trail = useRead(
    // Read again with the order, whose changes it explains.
    ['orders', 'audit', order.id],
    async ({ api }) => {
      const query = { object_id: order.id, limit: AUDIT_EVENTS_MAX }
      return (await api.account.listAuditEvents(query)).audit_events
    },
    { isOptional: true },
  )
  const webhookDeliveries = data?.deliveries ?? []
  const entries = [...entriesOf(order, trail.data), ...webhookDeliveries.map(webhookEntryOf)].sort(
    (a, b) => a.at.localeCompare(b.at),
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

/** Sources of orders that their buyers make themselves. */
const BUYER_SOURCES: readonly string[] = ['storefront', 'embed']

/** Returns the author of a change at a moment: changes and their audit events have the time of their transaction. */
function authorAt(order: Order, trail: readonly AccountAuditEvent[] | undefined) {
  return (at: string): string | undefined => {
    const event = trail?.find(({ created_at }) => created_at === at)
    if (event) return actorText(event.actor)
    if (at === order.created_at && BUYER_SOURCES.includes(order.source)) return orders.buyer
    return trail && actors.system
  }
}

/** The replacement of keys by which a delivery was made, with the reason that the seller gave. */
const replacementAt = (trail: readonly AccountAuditEvent[] | undefined, at: string) =>
  trail?.find(({ action, created_at }) => action === REPLACEMENT && created_at === at)

function deliveredText(item: string, replacement: AccountAuditEvent | undefined): string {
  if (!replacement) return fill(orders.delivered, { item })
  const { reason, keys_count, masked_key } = replacement.changes ?? {}
  const text = masked_key
    ? fill(orders.replacedKey, { item, key: String(masked_key.to) })
    : fill(orders.replaced, { item, n: formatNumber(Number(keys_count?.to ?? 1)) })
  return reason ? `${text}: ${reason.to}` : text
}

function entriesOf(order: Order, trail: readonly AccountAuditEvent[] | undefined): Entry[] {
  const { status_history, payments, deliveries, refunds, items, created_at, hold } = order
  const authorOf = authorAt(order, trail)
  const itemNameOf = (id: number) => items.find((item) => item.id === id)?.name ?? ''
  return [
    {
      key: 'created',
      at: created_at,
      content: (
        <>
          {orders.created}
          <By name={authorOf(created_at)} />
        </>
      ),
    },
    ...status_history.map(({ status, at, reason }) => ({
      key: `status ${status} ${at}`,
      at,
      content: (
        <>
          {orders.statusSet} <State state={status} /> {reason}
          <By name={authorOf(at)} />
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
          <By name={actor ? actorText(actor) : authorOf(at)} />
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
                {deliveredText(itemNameOf(order_item_id), replacementAt(trail, delivered_at))}{' '}
                {status !== 'delivered' && <State state={status} />}
                <By name={authorOf(delivered_at)} />
              </>
            ),
          },
    ),
    ...(hold
      ? [
          {
            key: 'hold',
            at: hold.since,
            content: (
              <>
                {orders.heldFor} {reasonText(hold.reason)}
                <By name={authorOf(hold.since)} />
              </>
            ),
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
            <By name={refund.actor ? actorText(refund.actor) : authorOf(at)} />
            {refund.note !== null && <blockquote>{refund.note}</blockquote>}
          </>
        ),
      }),
    ),
  ]
}

/** The author of a change, once it is known. A name has no form that fits every sentence, so it stands on its own. */
const By = ({ name }: { name: string | undefined }) =>
  name !== undefined && <span className="secondary-text"> · {name}</span>

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
        {fill(orders.webhook, { event: eventName(event.type), endpoint: addressText(webhook.url) })}
      </Link>{' '}
      <State state={status} />
      <By name={actors.system} />
    </>
  ),
})
