import type { NewEvent } from '../../../events/ledger.ts'
import type { EventObject } from '../../../events/types.ts'
import { toMajor } from '../../../kernel/money.ts'
import type { Payment, Refund } from './payment-schema.ts'
import type { Order } from './schema.ts'
import { owedCents } from './status.rules.ts'

/** Returns an order in the form of webhook payloads, with amounts in major units (specification, "Payload"). */
function orderObject(order: Order): EventObject<'order.created'> {
  const major = (cents: number) => toMajor(cents, order.currency)
  return {
    object: 'order',
    id: order.id,
    number: order.number,
    status: order.status,
    currency: order.currency,
    total: major(order.total_cents),
    paid_amount: major(order.paid_cents),
    refunded_amount: major(order.refunded_cents),
    customer: { email: order.customer.email, country: order.customer.country },
    items: order.items.map((item) => ({
      product_id: item.product_id,
      variant_id: item.variant_id,
      name: item.name,
      variant_name: item.variant_name,
      sku: item.sku,
      bundle: item.bundle,
      quantity: item.quantity,
      unit_price: major(item.unit_price_cents),
      total: major(item.total_cents),
    })),
    custom_fields: order.custom_fields,
    paid_at: order.paid_at,
  }
}

export const orderCreatedEvent = (order: Order): NewEvent => ({
  type: 'order.created',
  object_id: order.id,
  object: orderObject(order),
})

export const orderExpiredEvent = (order: Order): NewEvent => ({
  type: 'order.expired',
  object_id: order.id,
  object: orderObject(order),
})

export const orderCancelledEvent = (order: Order, reason: string | null): NewEvent => ({
  type: 'order.cancelled',
  object_id: order.id,
  object: { ...orderObject(order), reason },
})

const isDelivered = ({ status }: Order['deliveries'][number]) => status === 'delivered'

/** The event contains the deliveries, with at most as many keys as the order shows (decision 145). */
export const orderCompletedEvent = (order: Order): NewEvent => ({
  type: 'order.completed',
  object_id: order.id,
  object: {
    ...orderObject(order),
    deliveries: order.deliveries.filter(isDelivered).map((delivery) => ({
      order_item_id: delivery.order_item_id,
      product_id: delivery.product_id,
      variant_id: delivery.variant_id,
      type: delivery.type,
      keys: delivery.keys,
      keys_count: delivery.keys_count,
      files: delivery.files,
      text: delivery.text,
    })),
  },
})

/** A part of a payment through a provider arrived. */
export const partiallyPaidEvent = (order: Order): NewEvent => ({
  type: 'order.partially_paid',
  object_id: order.id,
  object: {
    ...orderObject(order),
    remaining_amount: toMajor(owedCents(order), order.currency),
  },
})

export const manualReviewEvent = (
  order: Order,
  { id, amount_cents, reference }: Payment,
): NewEvent => ({
  type: 'order.manual_review',
  object_id: order.id,
  object: {
    ...orderObject(order),
    payment: { id, amount: toMajor(amount_cents, order.currency), reference },
  },
})

/** `return_id` is the return that was refunded (decision 185). */
export function orderRefundedEvent(
  order: Order,
  { id, amount_cents, reason, note, items: lines }: Refund,
  return_id: number | null = null,
): NewEvent {
  const major = (cents: number) => toMajor(cents, order.currency)
  const items = lines.flatMap((line) => {
    const item = order.items.find((orderItem) => orderItem.id === line.order_item_id)
    if (!item) return []
    const { product_id, variant_id } = item
    return { product_id, variant_id, quantity: line.quantity, amount: major(line.amount_cents) }
  })
  const refund = { id, amount: major(amount_cents), reason, note, return_id, items }
  return {
    type: 'order.refunded',
    object_id: order.id,
    object: { ...orderObject(order), refund },
  }
}
