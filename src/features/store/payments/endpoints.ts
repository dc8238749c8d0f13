import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { NextCursor } from '../../../kernel/client-shapes.ts'
import { Line, PathId } from '../../../kernel/shapes.ts'
import {
  NewRefund,
  Order,
  OrderPath,
  Payment,
  PaymentReview,
  Refund,
  refundOrder,
  rejectPayment,
} from '../orders/index.ts'
import { applyAgain } from './apply-callback.ts'
import { refreshPayment } from './apply-record.ts'
import { approveArrived, readArrived } from './approve-arrived.ts'
import { cancelEndedOrder } from './cancel-order.ts'
import { cancelPayment, endPaymentsOf } from './end-payment.ts'
import { findProviderPayment, showPayment } from './find-payment.ts'
import { finishRefunds, withFirst } from './finish-refunds.ts'
import { returnMoney } from './return-money.ts'
import { CallbackQuery, NewPayment, PaymentCallback, Simulation } from './schema.ts'
import { listCallbacks } from './show-callbacks.ts'
import { checkTestSide, simulatePayment } from './simulate-payment.ts'
import { startPayment } from './start-payment.ts'

const PaymentPath = OrderPath.extend({ payment_id: PathId.describe('The id of the payment.') })
const PaymentAndOrder = z.object({ payment: Payment, order: Order })
const pathOf = ({ id, payment_id }: z.output<typeof PaymentPath>) => ({
  orderId: id,
  id: payment_id,
})

const NewCancellation = z.strictObject({
  reason: Line(255)
    .nullable()
    .default(null)
    .describe('The reason; it is included in the event `order.cancelled`.'),
})

const CallbackPath = z.object({ id: PathId.describe('The id of the callback.') })

export const paymentEndpoints = [
  endpoint({
    id: 'orders.cancel',
    method: 'POST',
    path: '/orders/:id/cancel',
    permission: 'orders:write',
    summary: 'Cancel an unpaid order and release its stock.',
    description:
      'Open payments are ended at their providers first; if the buyer has paid meanwhile, the order is not cancelled. Payments from the balance of the customer go back to it, and are recorded as a refund. Other payments stay until they are refunded.',
    params: OrderPath,
    body: NewCancellation,
    example: { reason: 'The customer asked.' },
    response: z.object({ order: Order }),
    errors: ['NOT_FOUND', 'INVOICE_PAID', 'INVALID_STATE'],
    audit: { action: 'order.cancel', object: 'order' },
    prepare: ({ context, params }) => endPaymentsOf(context, params.id, { processing: 'refused' }),
    handle: async ({ context, params, body: { reason }, prepared: endedPayments }) => ({
      order: await cancelEndedOrder(context, params.id, { reason, endedPayments }),
    }),
  }),
  endpoint({
    id: 'orders.start_payment',
    method: 'POST',
    path: '/orders/:id/payments',
    permission: 'orders:write',
    summary: 'Start a payment of what is owed at a payment provider.',
    description:
      'The answer has the page on which the buyer pays: `checkout_url`. An open payment of the same method and amount is answered again, with 200, unless the call names another `return_url`; other open payments are ended first. The order is paid when the provider says so.',
    params: OrderPath,
    body: NewPayment,
    example: { method: 'test', return_url: 'https://shop.example.com/thanks' },
    status: 201,
    isExisting: (result) => !(result as { is_new: boolean }).is_new,
    response: PaymentAndOrder,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE', 'PROVIDER_REFUSED'],
    audit: 'itself',
    prepare: ({ context, params, body }) => startPayment(context, params.id, body),
    handle: async ({ context, params, prepared: { id, is_new } }) => {
      const shown = await showPayment(context, { orderId: params.id, id })
      return { ...shown, is_new }
    },
  }),
  endpoint({
    id: 'orders.cancel_payment',
    method: 'POST',
    path: '/orders/:id/payments/:payment_id/cancel',
    permission: 'orders:write',
    summary: 'End an open payment at its provider, so that the buyer can no longer pay there.',
    params: PaymentPath,
    response: PaymentAndOrder,
    errors: ['NOT_FOUND', 'INVALID_STATE', 'INVOICE_PAID', 'PROVIDER_REFUSED'],
    audit: 'itself',
    prepare: async ({ context, params }) =>
      cancelPayment(context, await findProviderPayment(context, pathOf(params))),
    handle: ({ context, params }) => showPayment(context, pathOf(params)),
  }),
  endpoint({
    id: 'orders.refresh_payment',
    method: 'POST',
    path: '/orders/:id/payments/:payment_id/refresh',
    permission: 'orders:write',
    summary: 'Ask the provider about a payment now.',
    params: PaymentPath,
    response: PaymentAndOrder,
    errors: ['NOT_FOUND', 'PROVIDER_REFUSED'],
    audit: 'itself',
    prepare: async ({ context, params }) =>
      refreshPayment(context, await findProviderPayment(context, pathOf(params))),
    handle: ({ context, params }) => showPayment(context, pathOf(params)),
  }),
  endpoint({
    id: 'orders.simulate_payment',
    method: 'POST',
    path: '/orders/:id/payments/:payment_id/simulate',
    permission: 'orders:write',
    summary: 'Play the buyer of a payment of the provider `test`.',
    description:
      'On test sides only. The provider then sends its callbacks, which are applied before the answer, except with `late` and `never`.',
    params: PaymentPath,
    body: Simulation,
    example: { do: 'pay', callback: 'twice' },
    response: PaymentAndOrder,
    errors: ['STORE_NOT_ALLOWED', 'NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    audit: 'itself',
    prepare: async ({ context, params, body }) => {
      checkTestSide(context)
      await simulatePayment(context, await findProviderPayment(context, pathOf(params)), body)
    },
    handle: ({ context, params }) => showPayment(context, pathOf(params)),
  }),
  endpoint({
    id: 'orders.approve_manual_payment',
    method: 'POST',
    path: '/orders/:id/manual-payments/:payment_id/approve',
    permission: 'orders:write',
    summary: 'Approve a payment after a review.',
    description:
      'A manual payment becomes `approved`. One through a provider, of which another amount arrived, becomes `succeeded` with the amount that arrived; it is 409 if another currency arrived.',
    params: PaymentPath,
    body: PaymentReview,
    example: { note: 'Seen on the account.' },
    response: PaymentAndOrder,
    errors: ['NOT_FOUND', 'INVALID_STATE', 'PROVIDER_REFUSED'],
    audit: { action: 'order.approve_manual_payment', object: 'order' },
    prepare: ({ context, params }) => readArrived(context, pathOf(params)),
    handle: ({ context, params, body, prepared }) =>
      approveArrived(context, pathOf(params), { ...body, record: prepared }),
  }),
  endpoint({
    id: 'orders.reject_manual_payment',
    method: 'POST',
    path: '/orders/:id/manual-payments/:payment_id/reject',
    permission: 'orders:write',
    summary:
      'Reject a payment after a review. An order that waited only for this review is unpaid again.',
    description: 'The money of a payment through a provider goes back first.',
    params: PaymentPath,
    body: PaymentReview,
    example: { note: 'Nothing arrived.' },
    response: PaymentAndOrder,
    errors: ['NOT_FOUND', 'INVALID_STATE', 'PROVIDER_REFUSED'],
    audit: { action: 'order.reject_manual_payment', object: 'order' },
    prepare: ({ context, params }) => returnMoney(context, pathOf(params)),
    handle: ({ context, params, body }) => rejectPayment(context, pathOf(params), body),
  }),
  endpoint({
    id: 'orders.refund',
    method: 'POST',
    path: '/orders/:id/refund',
    permission: 'orders:write',
    summary: 'Refund the paid amount, in full or in part.',
    description:
      'Money that came through a connected payment provider goes back through it: the newest payment first, each in a refund of its own, `pending` until the provider has confirmed it. The rest is only recorded, and what was paid from the balance goes back to it. `items` names the refunded lines, and each unit is refunded once. When the whole paid amount is refunded, the order becomes `refunded` and its keys are revoked, or are added to stock again with `restock`. A cancelled or expired order with payments can also be refunded, and keeps its status. Cancel an unpaid order before you refund it. An order whose total is 0 is refunded once, with 0.',
    params: OrderPath,
    body: NewRefund,
    example: { amount_cents: 500, reason: 'requested_by_customer' },
    status: 201,
    response: z.object({
      refund: Refund.describe('The first refund.'),
      refunds: z
        .array(Refund)
        .describe(
          'One refund for each payment whose provider returns money, and one for the rest.',
        ),
      order: Order,
    }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE', 'REFUND_EXCEEDS_PAID'],
    audit: { action: 'order.refund', object: 'order' },
    handle: async ({ context, params, body }) =>
      withFirst(await refundOrder(context, params.id, body)),
    finish: ({ context, params }, { refunds }) => finishRefunds(context, params.id, refunds),
  }),
  endpoint({
    id: 'account.list_payment_callbacks',
    method: 'GET',
    path: '/account/payment-callbacks',
    permission: 'account:read',
    summary: 'List the callbacks of payment providers, the newest first.',
    description: 'They are kept for 30 days.',
    query: CallbackQuery,
    response: z.object({
      payment_callbacks: z.array(PaymentCallback).describe('A page of callbacks.'),
      next_cursor: NextCursor,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listCallbacks(context, query),
  }),
  endpoint({
    id: 'account.apply_payment_callback',
    method: 'POST',
    path: '/account/payment-callbacks/:id/apply',
    permission: 'account:write',
    summary: 'Apply a callback again: ask its provider about the payment that it names.',
    params: CallbackPath,
    response: z.object({ payment_callback: PaymentCallback }),
    errors: ['NOT_FOUND'],
    audit: { action: 'account.apply_payment_callback', object: 'payment_callback' },
    prepare: ({ context, params }) => applyAgain(context, params.id),
    handle: async ({ prepared }) => ({ payment_callback: prepared }),
  }),
]
