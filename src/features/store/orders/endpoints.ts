import { z } from 'zod'
import { type Caller, endpoint, mayReadSecrets } from '../../../http/endpoint.ts'
import {
  CursorListQuery,
  CursorPagination,
  PageQuery,
  Pagination,
  PathId,
} from '../../../kernel/shapes.ts'
import { CustomerPath } from '../customers/index.ts'
import { mask } from '../stock/index.ts'
import { addBalancePayment } from './add-balance-payment.ts'
import { addManualPayment } from './add-manual-payment.ts'
import { createOrder } from './create-order.ts'
import { deliverManually, replaceDelivery } from './deliver-manually.ts'
import { Delivery, DeliveryReplacement, DeliveryResend, NewDelivery } from './delivery-schema.ts'
import { explainOrder } from './explain-order.ts'
import { holdOrder, releaseOrder } from './hold-order.ts'
import { listDeliveryKeys } from './list-delivery-keys.ts'
import { maskDelivery } from './mask-delivery.ts'
import { NewBalancePayment, NewManualPayment, Payment } from './payment-schema.ts'
import { OrderQuery } from './query-schema.ts'
import { resendDeliveries } from './resend-deliveries.ts'
import { rotateLink } from './rotate-link.ts'
import {
  ListedOrder,
  NewHold,
  NewOrder,
  Order,
  OrderExplanation,
  OrderPatch,
  OrderPath,
} from './schema.ts'
import { getOrder, listOrders, listOrdersOfCustomer } from './show-order.ts'
import { updateOrder } from './update-order.ts'

/** Returns an order without its delivered goods, and without the link to them, if the caller may not see them. */
const visibleOrder = (caller: Caller, order: Order): Order =>
  mayReadSecrets(caller, 'orders')
    ? order
    : { ...order, order_url: null, deliveries: order.deliveries.map(maskDelivery) }

const visibleOrders = <T extends { orders: ListedOrder[] }>(caller: Caller, page: T): T =>
  mayReadSecrets(caller, 'orders')
    ? page
    : { ...page, orders: page.orders.map((order) => ({ ...order, order_url: null })) }

const OneOrder = z.object({ order: Order })
const DeliveryPath = OrderPath.extend({ delivery_id: PathId.describe('The id of the delivery.') })
const DeliveryAndOrder = z.object({ delivery: Delivery, order: Order })
const PaymentAndOrder = z.object({ payment: Payment, order: Order })

export const orderEndpoints = [
  endpoint({
    id: 'orders.list',
    method: 'GET',
    path: '/orders',
    permission: 'orders:read',
    summary: 'List orders with their items.',
    query: OrderQuery,
    response: z.object({
      orders: z.array(ListedOrder).describe('A page of orders.'),
      pagination: CursorPagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: async ({ context, caller, query }) =>
      visibleOrders(caller, await listOrders(context, query)),
  }),
  endpoint({
    id: 'customers.list_orders',
    method: 'GET',
    path: '/customers/:id/orders',
    permission: 'customers:read',
    summary: 'List the orders of a customer with their items, the newest first.',
    params: CustomerPath,
    query: z.object(CursorListQuery),
    response: z.object({
      orders: z.array(ListedOrder).describe('A page of orders.'),
      pagination: CursorPagination,
    }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: async ({ context, caller, params, query }) =>
      visibleOrders(caller, await listOrdersOfCustomer(context, params.id, query)),
  }),
  endpoint({
    id: 'orders.create',
    method: 'POST',
    path: '/orders',
    permission: 'orders:write',
    summary: 'Create an order and reserve its stock until it is paid, cancelled or expired.',
    description:
      'An order is paid and delivered at once if its total is 0, with `mark_paid`, or with the payment method `balance`. With `balance` the whole total is taken from the balance of the customer; the order is refused if the balance is too low.',
    body: NewOrder,
    example: {
      items: [{ product_id: 'a1B2c3D4e5F6', quantity: 1 }],
      customer: { email: 'ada@example.com' },
    },
    status: 201,
    response: OneOrder,
    errors: ['VALIDATION_FAILED', 'OUT_OF_STOCK', 'COUPON_INVALID', 'CUSTOMER_BLOCKED'],
    audit: { action: 'order.create', object: 'order' },
    handle: async ({ context, body }) => ({ order: await createOrder(context, body) }),
  }),
  endpoint({
    id: 'orders.get',
    method: 'GET',
    path: '/orders/:id',
    permission: 'orders:read',
    summary: 'Get an order with its payments, refunds, deliveries and history.',
    params: OrderPath,
    response: OneOrder,
    errors: ['NOT_FOUND'],
    handle: async ({ context, caller, params }) => ({
      order: visibleOrder(caller, await getOrder(context, params.id)),
    }),
  }),
  endpoint({
    id: 'orders.explain',
    method: 'GET',
    path: '/orders/:id/explain',
    permission: 'orders:read',
    summary: 'Explain the total of an order line by line.',
    description:
      'Payments and refunds do not change the total, so they have no lines. Taxes are not computed.',
    params: OrderPath,
    response: z.object({ explanation: OrderExplanation }),
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({
      explanation: await explainOrder(context, params.id),
    }),
  }),
  endpoint({
    id: 'orders.update',
    method: 'PATCH',
    path: '/orders/:id',
    permission: 'orders:write',
    summary: 'Change the notes of an order, and its buyer and address while it is unpaid.',
    params: OrderPath,
    body: OrderPatch,
    example: { note: 'Asked for an invoice.' },
    response: OneOrder,
    errors: [
      'NOT_FOUND',
      'VALIDATION_FAILED',
      'INVALID_STATE',
      'COUPON_INVALID',
      'CUSTOMER_BLOCKED',
    ],
    audit: { action: 'order.update', object: 'order' },
    handle: async ({ context, params, body }) => ({
      order: await updateOrder(context, params.id, body),
    }),
  }),
  endpoint({
    id: 'orders.hold',
    method: 'POST',
    path: '/orders/:id/hold',
    permission: 'orders:write',
    summary: 'Put an order on hold.',
    description:
      'While an order is on hold, nothing of it is delivered, its links to files answer 409, its license keys are banned and its subscriptions are not renewed. A dispute of its payment puts it on hold too.',
    params: OrderPath,
    body: NewHold,
    example: { reason: 'manual' },
    response: OneOrder,
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    audit: { action: 'order.hold', object: 'order' },
    handle: async ({ context, params, body }) => ({
      order: await holdOrder(context, params.id, body.reason),
    }),
  }),
  endpoint({
    id: 'orders.release',
    method: 'POST',
    path: '/orders/:id/release',
    permission: 'orders:write',
    summary: 'Release an order that is on hold.',
    description:
      'The bans of its license keys by the hold are lifted. An order that was paid while it was on hold is delivered now.',
    params: OrderPath,
    response: OneOrder,
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    audit: { action: 'order.release', object: 'order' },
    handle: async ({ context, params }) => ({ order: await releaseOrder(context, params.id) }),
  }),
  endpoint({
    id: 'orders.rotate_link',
    method: 'POST',
    path: '/orders/:id/rotate-link',
    permission: 'orders:write',
    summary: 'Replace the link to the page of an order. The former link stops working.',
    description:
      'Use it if the link has reached somebody else. `order_url` of the answer is the new one.',
    params: OrderPath,
    response: OneOrder,
    errors: ['NOT_FOUND'],
    audit: { action: 'order.rotate_link', object: 'order' },
    handle: async ({ context, params }) => ({ order: await rotateLink(context, params.id) }),
  }),
  endpoint({
    id: 'orders.list_payments',
    method: 'GET',
    path: '/orders/:id/payments',
    permission: 'orders:read',
    summary: 'List the payments of an order, the oldest first.',
    params: OrderPath,
    response: z.object({ payments: z.array(Payment).describe('All payments of the order.') }),
    errors: ['NOT_FOUND'],
    handle: async ({ context, params: { id } }) => ({
      payments: (await getOrder(context, id)).payments,
    }),
  }),
  endpoint({
    id: 'orders.list_deliveries',
    method: 'GET',
    path: '/orders/:id/deliveries',
    permission: 'orders:read',
    summary: 'List the deliveries of an order, including pending ones.',
    params: OrderPath,
    response: z.object({ deliveries: z.array(Delivery).describe('All deliveries of the order.') }),
    errors: ['NOT_FOUND'],
    handle: async ({ context, caller, params: { id } }) => ({
      deliveries: visibleOrder(caller, await getOrder(context, id)).deliveries,
    }),
  }),
  endpoint({
    id: 'orders.list_delivery_keys',
    method: 'GET',
    path: '/orders/:id/deliveries/:delivery_id/keys',
    permission: 'orders:read',
    summary: 'List all keys of a delivery, including those that the order does not show.',
    params: DeliveryPath,
    query: z.object(PageQuery),
    response: z.object({
      keys: z.array(z.string()).describe('A page of keys, the oldest first.'),
      pagination: Pagination,
    }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: async ({ context, caller, params, query }) => {
      const page = await listDeliveryKeys(context, params, query)
      return mayReadSecrets(caller, 'orders') ? page : { ...page, keys: page.keys.map(mask) }
    },
  }),
  endpoint({
    id: 'orders.deliver',
    method: 'POST',
    path: '/orders/:id/deliveries',
    permission: 'orders:write',
    summary: 'Deliver a pending line of a paid order manually.',
    description:
      'Delivers the text that you send. Without a text it delivers keys that were added to stock since the payment or files that were added to the product, or calls the dynamic address again. The last delivery completes the order.',
    params: OrderPath,
    body: NewDelivery,
    example: { order_item_id: 7, text: 'Your lesson is on Monday at 10.' },
    status: 201,
    response: DeliveryAndOrder,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE', 'OUT_OF_STOCK'],
    audit: { action: 'order.deliver', object: 'order' },
    handle: ({ context, params, body }) => deliverManually(context, params.id, body),
  }),
  endpoint({
    id: 'orders.resend_deliveries',
    method: 'POST',
    path: '/orders/:id/deliveries/resend',
    permission: 'orders:write',
    summary: 'Mail the active deliveries of an order to the customer, or once to another address.',
    description:
      'The mail contains keys and texts, and the link to the page of the order, which has the files. It goes to the present address of the customer. The mail of a test side is stored and not sent.',
    params: OrderPath,
    body: DeliveryResend,
    example: { to: 'ada@example.com' },
    response: OneOrder,
    errors: ['NOT_FOUND', 'INVALID_STATE', 'VALIDATION_FAILED'],
    audit: { action: 'order.resend_deliveries', object: 'order' },
    handle: async ({ context, params, body }) => ({
      order: await resendDeliveries(context, params.id, body),
    }),
  }),
  endpoint({
    id: 'orders.replace_delivery',
    method: 'POST',
    path: '/orders/:id/deliveries/:delivery_id/replace',
    permission: 'orders:write',
    summary: 'Replace the keys of a delivery with new keys from stock.',
    description:
      'The old keys are burned: they are never sold again. With `key`, only this key is replaced: the answer is a new delivery of the other keys and the new one. The deliveries of the order keep the old one as `replaced`.',
    params: DeliveryPath,
    body: DeliveryReplacement,
    example: { key: 'AAAA-BBBB-CCCC', reason: 'The customer reports that it was used before.' },
    response: DeliveryAndOrder,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE', 'OUT_OF_STOCK'],
    audit: { action: 'order.replace_delivery', object: 'order' },
    handle: ({ context, params, body }) =>
      replaceDelivery(context, params.id, params.delivery_id, body),
  }),
  endpoint({
    id: 'orders.add_manual_payment',
    method: 'POST',
    path: '/orders/:id/manual-payments',
    permission: 'orders:write',
    summary: 'Record a payment that arrived outside of Tradepost.',
    description:
      'An approved payment counts at once, and an order that is paid in full is delivered. An order accepts at most 100 payments that wait for a review, and 100 part payments. A payment of the whole owed amount is accepted beyond these limits.',
    params: OrderPath,
    body: NewManualPayment,
    example: { reference: 'Transfer 4711' },
    status: 201,
    response: PaymentAndOrder,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    audit: { action: 'order.add_manual_payment', object: 'order' },
    handle: ({ context, params, body }) => addManualPayment(context, params.id, body),
  }),
  endpoint({
    id: 'orders.add_balance_payment',
    method: 'POST',
    path: '/orders/:id/balance-payments',
    permission: 'orders:write',
    summary: 'Pay an order, or a part of it, from the balance of its customer.',
    description:
      'The balance never falls below 0. An order that is now paid in full is delivered. A refund returns the money to the balance.',
    params: OrderPath,
    body: NewBalancePayment,
    example: { amount_cents: 500 },
    status: 201,
    response: PaymentAndOrder,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    audit: { action: 'order.add_balance_payment', object: 'order' },
    handle: ({ context, params, body }) => addBalancePayment(context, params.id, body),
  }),
]
