import { storeRequest } from '../../api/action.ts'
import type { Delivery, Order } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber, humanize } from '../../kit/format.ts'
import { Copy, Section, State, Time } from '../../kit/show.tsx'
import { Empty } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { orders } from '../../text/orders.ts'

/** A list of more keys is closed until the user opens it. */
const OPEN_KEYS_MAX = 20

export function OrderDeliveries({ order }: { order: Order }) {
  const isAllowed = useMayWrite('orders')
  const itemOf = ({ order_item_id }: Delivery) => order.items.find(({ id }) => id === order_item_id)
  // Goods that are only shipped have parcels and no other deliveries.
  const isShippedOnly = order.items.every(({ delivery_type }) => delivery_type === 'physical')
  if (isShippedOnly && order.deliveries.length === 0) return null
  return (
    <Section title={orders.deliveries}>
      {order.deliveries.length === 0 && <Empty>{orders.noDeliveries}</Empty>}
      {order.deliveries.map((delivery) => (
        <article key={delivery.id} className="delivery">
          <header className="card-head">
            <h3>
              {itemOf(delivery)?.name} <State state={delivery.status} />
            </h3>
            {isAllowed && !order.hold && <DeliveryActions order={order} delivery={delivery} />}
          </header>
          <p className="secondary-text">
            {humanize(delivery.type)} · <Time at={delivery.delivered_at ?? delivery.created_at} />
          </p>
          {delivery.error && <p className="failed">{delivery.error}</p>}
          {delivery.text && <Copy block text={delivery.text} />}
          {delivery.keys_count > 0 && <Keys delivery={delivery} />}
          {delivery.files.length > 0 && (
            <ul>
              {delivery.files.map(({ id, name, url }) => (
                <li key={id}>
                  <a href={url}>{name}</a>
                </li>
              ))}
            </ul>
          )}
        </article>
      ))}
    </Section>
  )
}

const Keys = ({ delivery: { keys, keys_count } }: { delivery: Delivery }) => (
  <details open={keys_count <= OPEN_KEYS_MAX}>
    <summary>{fill(orders.keys, { n: formatNumber(keys_count) })}</summary>
    <Copy block text={keys.join('\n')} label={orders.deliveries} />
  </details>
)

function DeliveryActions({ order, delivery }: { order: Order; delivery: Delivery }) {
  if (delivery.status === 'delivered' && delivery.keys_count > 0) {
    return (
      <Action
        label={orders.replace}
        isDanger
        lead={<p>{fill(orders.replaceLead, { count: formatNumber(delivery.keys_count) })}</p>}
        submit={orders.replace}
        request={() => storeRequest('orders', 'replaceDelivery', order.id, delivery.id)}
      />
    )
  }
  const isUndelivered = delivery.status === 'pending' || delivery.status === 'failed'
  if (!isUndelivered) return null
  return (
    <Action
      label={orders.deliver}
      isPrimary
      fields={[{ name: 'text', label: orders.deliverText, type: 'textarea' }]}
      submit={orders.deliver}
      request={({ text }) =>
        storeRequest('orders', 'deliver', order.id, {
          order_item_id: delivery.order_item_id,
          ...(text !== undefined && { text: String(text) }),
        })
      }
    />
  )
}
