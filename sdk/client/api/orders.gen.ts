// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { Delivery, ListedOrder, Payment, Refund } from './orders-parts.gen.ts'
import type { CursorPagination, Explanation, Order } from './orders-records.gen.ts'
import type { BalancePaymentInput, DeliveryInput, DeliveryReplacement, DeliveryResend, HoldInput, ManualPaymentInput, OrderInput, OrderPatch, OrdersCancelBody, OrdersListDeliveryKeysQuery, OrdersListQuery, PaymentInput, PaymentReview, RefundInput, SimulationInput } from './orders-requests.gen.ts'
import type { Pagination } from './shared.gen.ts'

/** Orders with their payments, refunds and deliveries. */
export interface OrdersApi {
  /**
   * List orders with their items.
   *
   * Needs the permission `orders:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: OrdersListQuery, options?: CallOptions): List<{ orders: ListedOrder[]; pagination: CursorPagination }, ListedOrder>
  /**
   * Create an order and reserve its stock until it is paid, cancelled or expired.
   *
   * An order is paid and delivered at once if its total is 0, with `mark_paid`, or with the payment
   * method `balance`. With `balance` the whole total is taken from the balance of the customer; the
   * order is refused if the balance is too low.
   *
   * Needs the permission `orders:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`, `OUT_OF_STOCK`, `COUPON_INVALID`,
   * `CUSTOMER_BLOCKED`
   */
  create(body: OrderInput, options?: PostOptions): Call<{ order: Order }>
  /**
   * Get an order with its payments, refunds, deliveries and history.
   *
   * Needs the permission `orders:read`.
   * @param id The id of the order.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: string, options?: CallOptions): Call<{ order: Order }>
  /**
   * Explain the total of an order line by line.
   *
   * Payments and refunds do not change the total, so they have no lines. Taxes are not computed.
   *
   * Needs the permission `orders:read`.
   * @param id The id of the order.
   * @throws {TradepostError} `NOT_FOUND`
   */
  explain(id: string, options?: CallOptions): Call<{ explanation: Explanation }>
  /**
   * Change the notes of an order, and its buyer and address while it is unpaid.
   *
   * Needs the permission `orders:write`.
   * @param id The id of the order.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`, `COUPON_INVALID`,
   * `CUSTOMER_BLOCKED`
   */
  update(id: string, body: OrderPatch, options?: CallOptions): Call<{ order: Order }>
  /**
   * Put an order on hold.
   *
   * While an order is on hold, nothing of it is delivered, its links to files answer 409, its
   * license keys are banned and its subscriptions are not renewed. A dispute of its payment puts it
   * on hold too.
   *
   * Needs the permission `orders:write`.
   * @param id The id of the order.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  hold(id: string, body?: HoldInput, options?: PostOptions): Call<{ order: Order }>
  /**
   * Release an order that is on hold.
   *
   * The bans of its license keys by the hold are lifted. An order that was paid while it was on
   * hold is delivered now.
   *
   * Needs the permission `orders:write`.
   * @param id The id of the order.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  release(id: string, options?: PostOptions): Call<{ order: Order }>
  /**
   * Replace the link to the page of an order. The former link stops working.
   *
   * Use it if the link has reached somebody else. `order_url` of the answer is the new one.
   *
   * Needs the permission `orders:write`.
   * @param id The id of the order.
   * @throws {TradepostError} `NOT_FOUND`
   */
  rotateLink(id: string, options?: PostOptions): Call<{ order: Order }>
  /**
   * List the payments of an order, the oldest first.
   *
   * Needs the permission `orders:read`.
   * @param id The id of the order.
   * @throws {TradepostError} `NOT_FOUND`
   */
  listPayments(id: string, options?: CallOptions): Call<{
    /** All payments of the order. */
    payments: Payment[]
  }>
  /**
   * List the deliveries of an order, including pending ones.
   *
   * Needs the permission `orders:read`.
   * @param id The id of the order.
   * @throws {TradepostError} `NOT_FOUND`
   */
  listDeliveries(id: string, options?: CallOptions): Call<{
    /** All deliveries of the order. */
    deliveries: Delivery[]
  }>
  /**
   * List all keys of a delivery, including those that the order does not show.
   *
   * Needs the permission `orders:read`.
   * @param id The id of the order.
   * @param deliveryId The id of the delivery.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  listDeliveryKeys(id: string, deliveryId: number, query?: OrdersListDeliveryKeysQuery, options?: CallOptions): List<{ keys: string[]; pagination: Pagination }, string>
  /**
   * Deliver a pending line of a paid order manually.
   *
   * Delivers the text that you send. Without a text it delivers keys that were added to stock since
   * the payment or files that were added to the product, or calls the dynamic address again. The
   * last delivery completes the order.
   *
   * Needs the permission `orders:write`.
   * @param id The id of the order.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`, `OUT_OF_STOCK`
   */
  deliver(id: string, body: DeliveryInput, options?: PostOptions): Call<{ delivery: Delivery; order: Order }>
  /**
   * Mail the active deliveries of an order to the customer, or once to another address.
   *
   * The mail contains keys and texts, and the link to the page of the order, which has the files.
   * It goes to the present address of the customer. The mail of a test side is stored and not sent.
   *
   * Needs the permission `orders:write`.
   * @param id The id of the order.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`, `VALIDATION_FAILED`
   */
  resendDeliveries(id: string, body?: DeliveryResend, options?: PostOptions): Call<{ order: Order }>
  /**
   * Replace the keys of a delivery with new keys from stock.
   *
   * The old keys are burned: they are never sold again. With `key`, only this key is replaced: the
   * answer is a new delivery of the other keys and the new one. The deliveries of the order keep
   * the old one as `replaced`.
   *
   * Needs the permission `orders:write`.
   * @param id The id of the order.
   * @param deliveryId The id of the delivery.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`, `OUT_OF_STOCK`
   */
  replaceDelivery(id: string, deliveryId: number, body?: DeliveryReplacement, options?: PostOptions): Call<{ delivery: Delivery; order: Order }>
  /**
   * Record a payment that arrived outside of Tradepost.
   *
   * An approved payment counts at once, and an order that is paid in full is delivered. An order
   * accepts at most 100 payments that wait for a review, and 100 part payments. A payment of the
   * whole owed amount is accepted beyond these limits.
   *
   * Needs the permission `orders:write`.
   * @param id The id of the order.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  addManualPayment(id: string, body?: ManualPaymentInput, options?: PostOptions): Call<{ payment: Payment; order: Order }>
  /**
   * Pay an order, or a part of it, from the balance of its customer.
   *
   * The balance never falls below 0. An order that is now paid in full is delivered. A refund
   * returns the money to the balance.
   *
   * Needs the permission `orders:write`.
   * @param id The id of the order.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  addBalancePayment(id: string, body?: BalancePaymentInput, options?: PostOptions): Call<{ payment: Payment; order: Order }>
  /**
   * Cancel an unpaid order and release its stock.
   *
   * Open payments are ended at their providers first; if the buyer has paid meanwhile, the order is
   * not cancelled. Payments from the balance of the customer go back to it, and are recorded as a
   * refund. Other payments stay until they are refunded.
   *
   * Needs the permission `orders:write`.
   * @param id The id of the order.
   * @throws {TradepostError} `NOT_FOUND`, `INVOICE_PAID`, `INVALID_STATE`
   */
  cancel(id: string, body?: OrdersCancelBody, options?: PostOptions): Call<{ order: Order }>
  /**
   * Start a payment of what is owed at a payment provider.
   *
   * The answer has the page on which the buyer pays: `checkout_url`. An open payment of the same
   * method and amount is answered again, with 200, unless the call names another `return_url`;
   * other open payments are ended first. The order is paid when the provider says so.
   *
   * Needs the permission `orders:write`.
   * @param id The id of the order.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`, `PROVIDER_REFUSED`
   */
  startPayment(id: string, body: PaymentInput, options?: PostOptions): Call<{ payment: Payment; order: Order }>
  /**
   * End an open payment at its provider, so that the buyer can no longer pay there.
   *
   * Needs the permission `orders:write`.
   * @param id The id of the order.
   * @param paymentId The id of the payment.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`, `INVOICE_PAID`, `PROVIDER_REFUSED`
   */
  cancelPayment(id: string, paymentId: number, options?: PostOptions): Call<{ payment: Payment; order: Order }>
  /**
   * Ask the provider about a payment now.
   *
   * Needs the permission `orders:write`.
   * @param id The id of the order.
   * @param paymentId The id of the payment.
   * @throws {TradepostError} `NOT_FOUND`, `PROVIDER_REFUSED`
   */
  refreshPayment(id: string, paymentId: number, options?: PostOptions): Call<{ payment: Payment; order: Order }>
  /**
   * Play the buyer of a payment of the provider `test`.
   *
   * On test sides only. The provider then sends its callbacks, which are applied before the answer,
   * except with `late` and `never`.
   *
   * Needs the permission `orders:write`.
   * @param id The id of the order.
   * @param paymentId The id of the payment.
   * @throws {TradepostError} `STORE_NOT_ALLOWED`, `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  simulatePayment(id: string, paymentId: number, body: SimulationInput, options?: PostOptions): Call<{ payment: Payment; order: Order }>
  /**
   * Approve a payment after a review.
   *
   * A manual payment becomes `approved`. One through a provider, of which another amount arrived,
   * becomes `succeeded` with the amount that arrived; it is 409 if another currency arrived.
   *
   * Needs the permission `orders:write`.
   * @param id The id of the order.
   * @param paymentId The id of the payment.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`, `PROVIDER_REFUSED`
   */
  approveManualPayment(id: string, paymentId: number, body?: PaymentReview, options?: PostOptions): Call<{ payment: Payment; order: Order }>
  /**
   * Reject a payment after a review. An order that waited only for this review is unpaid again.
   *
   * The money of a payment through a provider goes back first.
   *
   * Needs the permission `orders:write`.
   * @param id The id of the order.
   * @param paymentId The id of the payment.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`, `PROVIDER_REFUSED`
   */
  rejectManualPayment(id: string, paymentId: number, body?: PaymentReview, options?: PostOptions): Call<{ payment: Payment; order: Order }>
  /**
   * Refund the paid amount, in full or in part.
   *
   * Money that came through a connected payment provider goes back through it: the newest payment
   * first, each in a refund of its own, `pending` until the provider has confirmed it. The rest is
   * only recorded, and what was paid from the balance goes back to it. `items` names the refunded
   * lines, and each unit is refunded once. When the whole paid amount is refunded, the order
   * becomes `refunded` and its keys are revoked, or are added to stock again with `restock`. A
   * cancelled or expired order with payments can also be refunded, and keeps its status. Cancel an
   * unpaid order before you refund it. An order whose total is 0 is refunded once, with 0.
   *
   * Needs the permission `orders:write`.
   * @param id The id of the order.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`,
   * `REFUND_EXCEEDS_PAID`
   */
  refund(id: string, body?: RefundInput, options?: PostOptions): Call<{
    /** The first refund. */
    refund: Refund
    /** One refund for each payment whose provider returns money, and one for the rest. */
    refunds: Refund[]
    order: Order
  }>
}
