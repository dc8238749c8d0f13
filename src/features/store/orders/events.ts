import type { NewEvent } from '../../../events/ledger.ts'
import type { EventObject } from '../../../events/types.ts'
import { toMajor } from '../../../kernel/money.ts'
import type { Payment, Refund } from './payment-schema.ts'
import type { Order } from './schema.ts'

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
      name: item.name,
      quantity: item.quantity,
      unit_price: major(item.unit_price_cents),
      total: major(item.total_cents),
    })),
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

/** The event contains the deliveries, with at most as many keys as the order shows (decision 145). */
export const orderCompletedEvent = (order: Order): NewEvent => ({
  type: 'order.completed',
  object_id: order.id,
  object: {
    ...orderObject(order),
    deliveries: order.deliveries.map(({ product_id, type, keys, keys_count, files, text }) => ({
      product_id,
      type,
      keys,
      keys_count,
      files,
      text,
    })),
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

export const orderRefundedEvent = (
  order: Order,
  { id, amount_cents, reason }: Refund,
): NewEvent => ({
  type: 'order.refunded',
  object_id: order.id,
  object: {
    ...orderObject(order),
    refund: { id, amount: toMajor(amount_cents, order.currency), reason },
  },
})
