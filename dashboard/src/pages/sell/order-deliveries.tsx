import { storeRequest } from '../../api/action.ts'
import type { Delivery, Order } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import type { Field } from '../../kit/fields.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber, humanize } from '../../kit/format.ts'
import { Copy, Section, State, Time } from '../../kit/show.tsx'
import { Empty } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
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

/** The choice of all keys. Each of the others is the position of a key. */
const ALL_KEYS = 'all'

/** Replaces one key of a delivery, or all of them. */
function ReplaceKeys({ order, delivery }: { order: Order; delivery: Delivery }) {
  const { keys, keys_count } = delivery
  const allKeys = { value: ALL_KEYS, label: fill(orders.allKeys, { n: formatNumber(keys_count) }) }
  const choice: Field = {
    name: 'which',
    label: orders.whichKey,
    type: 'select',
    required: true,
    options: [...keys.map((label, index) => ({ value: String(index), label })), allKeys],
  }
  return (
    <Action
      label={orders.replace}
      isDanger
      fields={[
        ...(keys_count > 1 ? [choice] : []),
        {
          name: 'reason',
          label: common.reason,
          required: true,
          help: orders.replaceReasonHelp,
        },
      ]}
      submit={orders.replace}
      request={({ which = ALL_KEYS, reason }) =>
        storeRequest('orders', 'replaceDelivery', order.id, delivery.id, {
          ...(which !== ALL_KEYS && { key: keys[Number(which)] }),
          reason: String(reason),
        })
      }
    >
      {({ which = keys_count > 1 ? undefined : ALL_KEYS }) =>
        which !== undefined && (
          <p className="consequence">
            {which === ALL_KEYS
              ? fill(orders.replaceLead, { n: formatNumber(keys_count) })
              : fill(orders.replaceOneLead, { n: formatNumber(keys_count - 1) })}
          </p>
        )
      }
    </Action>
  )
}

function DeliveryActions({ order, delivery }: { order: Order; delivery: Delivery }) {
  const hasStockKeys = delivery.keys_count > 0 && delivery.type !== 'license'
  if (delivery.status === 'delivered' && hasStockKeys) {
    return <ReplaceKeys order={order} delivery={delivery} />
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
