// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { Delivery, Explanation, ListedOrder, Order, Payment, Refund } from './orders-records.gen.ts'
import type { AddressInput, OrderItemInput, PageQuery, Pagination } from './shared.gen.ts'

/** Orders with their payments, refunds and deliveries. */
export interface OrdersApi {
  /**
   * List orders with their items.
   *
   * Needs the permission `orders:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: OrdersListQuery, options?: CallOptions): List<{ orders: ListedOrder[]; pagination: Pagination }, ListedOrder>
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
   * Cancel an unpaid order and release its stock.
   *
   * Payments from the balance of the customer go back to it, and are recorded as a refund. Other
   * payments stay until they are refunded.
   *
   * Needs the permission `orders:write`.
   * @param id The id of the order.
   * @throws {TradepostError} `NOT_FOUND`, `INVOICE_PAID`, `INVALID_STATE`
   */
  cancel(id: string, body?: OrdersCancelBody, options?: PostOptions): Call<{ order: Order }>
  /**
   * Record a partial or full refund of the paid amount.
   *
   * The refund is only recorded: money is not moved, except to the balance of the customer. `items`
   * names the refunded lines, and each unit is refunded once. When the whole paid amount is
   * refunded, the order becomes `refunded` and its keys are revoked, or are added to stock again
   * with `restock`. A cancelled or expired order with payments can also be refunded, and keeps its
   * status. Cancel an unpaid order before you refund it. An order whose total is 0 is refunded
   * once, with 0.
   *
   * Needs the permission `orders:write`.
   * @param id The id of the order.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`,
   * `REFUND_EXCEEDS_PAID`
   */
  refund(id: string, body?: RefundInput, options?: PostOptions): Call<{ refund: Refund; order: Order }>
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
   * The mail contains keys, texts, and URLs of files that are valid for 15 minutes. It goes to the
   * present address of the customer. The mail of a test side is stored and not sent.
   *
   * Needs the permission `orders:write`.
   * @param id The id of the order.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`, `VALIDATION_FAILED`
   */
  resendDeliveries(id: string, body?: DeliveryResend, options?: PostOptions): Call<{ order: Order }>
  /**
   * Replace the keys of a delivery with new keys from stock.
   *
   * The old keys are burned: they are never sold again.
   *
   * Needs the permission `orders:write`.
   * @param id The id of the order.
   * @param deliveryId The id of the delivery.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`, `OUT_OF_STOCK`
   */
  replaceDelivery(id: string, deliveryId: number, options?: PostOptions): Call<{ delivery: Delivery; order: Order }>
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
   * Approve a manual payment after a review.
   *
   * Needs the permission `orders:write`.
   * @param id The id of the order.
   * @param paymentId The id of the payment.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  approveManualPayment(id: string, paymentId: number, body?: PaymentReview, options?: PostOptions): Call<{ payment: Payment; order: Order }>
  /**
   * Reject a manual payment after a review. An order that waited only for this review is unpaid
   * again.
   *
   * Needs the permission `orders:write`.
   * @param id The id of the order.
   * @param paymentId The id of the payment.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  rejectManualPayment(id: string, paymentId: number, body?: PaymentReview, options?: PostOptions): Call<{ payment: Payment; order: Order }>
}

export interface BalancePaymentInput {
  /**
   * The amount in minor units, at most the owed amount. If absent, it is the owed amount, or the
   * balance if that is lower.
   */
  amount_cents?: number
}

export interface DeliveryInput {
  /** The id of the order line to deliver. */
  order_item_id: number
  /**
   * The text to deliver. If absent, keys from stock or the files of the product are delivered, or
   * the dynamic address is called again.
   */
  text?: string
}

/** The address of a mail with deliveries. */
export interface DeliveryResend {
  /**
   * An address to use once instead of the address of the customer. It is not stored with the order
   * or the customer.
   */
  to?: string
}

export interface ManualPaymentInput {
  /** The amount in minor units. If absent, it is the owed amount. */
  amount_cents?: number
  /** A reference, such as the number of a bank transfer. */
  reference?: string | null
  /** A note for the seller. */
  note?: string | null
  /** The customer's description of the payment. */
  proof_text?: string | null
  /** The URL of a picture or document that proves the payment. */
  proof_url?: string | null
  /** A payment with `pending_review` counts only after it is approved. Default `"approved"`. */
  status?: 'approved' | 'pending_review'
}

export interface OrderInput {
  /** The items, 1 to 50 lines. */
  items: OrderItemInput[]
  /** The buyer. */
  customer: {
    /** The email address. It is stored in lower case. A new address creates a customer. */
    email: string
    /** The name of the customer. */
    name?: string | null
    /** The country, as an ISO 3166-1 alpha-2 code. */
    country?: string | null
  }
  /**
   * The payment method. Unless `mark_paid` is true, it must be connected to the store and enabled
   * for every product. If it is refused, `details.allowed` lists the accepted methods.
   */
  payment_method?: 'manual' | 'crypto' | 'card' | 'paypal' | 'balance' | 'test'
  /** The code of a coupon to apply. */
  coupon_code?: string
  /** The code of the referral link through which the customer came. An unknown code is ignored. */
  affiliate_code?: string
  /** The shipping address. Required for physical products. */
  shipping_address?: AddressInput | null
  /** The id of a shipping rate. Required for physical products. */
  shipping_rate_id?: number
  /** The answers of the customer to the fields of the product. */
  custom_fields?: Record<string, string>
  /** Your own data to store with the order. */
  metadata?: Record<string, string>
  /** The customer's IP address. */
  ip?: string | null
  /** The user agent of the customer's browser. */
  user_agent?: string | null
  /** The channel in which the order is created. Default `"api"`. */
  source?: 'api' | 'embed'
  /** The URL to which the customer returns after paying. */
  return_url?: string
  /** If true, a manual payment of the whole total is recorded at once. Default `false`. */
  mark_paid?: boolean
}

export interface OrderPatch {
  /** A note for the seller; null removes it. */
  note?: string | null
  /** Your own data. It replaces all stored metadata. */
  metadata?: Record<string, string>
  /**
   * The email address of the buyer. It can be changed while the order is unpaid. A new address
   * creates a customer.
   */
  customer_email?: string
  /**
   * The shipping address. It can be changed while the order is unpaid, within the zone of its
   * shipping rate.
   */
  shipping_address?: AddressInput | null
}

export interface OrdersCancelBody {
  /** The reason; it is included in the event `order.cancelled`. */
  reason?: string | null
}

export type OrdersListDeliveryKeysQuery = PageQuery

export interface OrdersListQuery extends PageQuery {
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
  /** Only orders with one of these statuses. */
  status?: (
    | 'pending'
    | 'partially_paid'
    | 'manual_review'
    | 'paid'
    | 'completed'
    | 'expired'
    | 'cancelled'
    | 'refunded'
  )[]
  /** Only orders with one of these refund statuses. */
  refund_status?: ('none' | 'partial' | 'full')[]
  /** Only orders with one of these fulfillment statuses. */
  fulfillment_status?: ('not_required' | 'unfulfilled' | 'partial' | 'fulfilled')[]
  /** The customer's complete email address. */
  email?: string
  /** The id of the customer. */
  customer_id?: number
  /** The hash of the product. Its numeric id is also accepted. */
  product_id?: string
  /** The code of the coupon; case is ignored. */
  coupon_code?: string
  /** Only orders with one of these payment methods. */
  payment_method?: ('manual' | 'crypto' | 'card' | 'paypal' | 'balance' | 'test' | 'free')[]
  /** Only orders from one of these sources. */
  source?: ('storefront' | 'api' | 'embed')[]
  /** Only orders paid at this time or later. */
  paid_from?: string
  /** Only orders paid before this time. */
  paid_to?: string
  /** A part of the id, number or email in any case, or the complete text of a stock key. */
  search?: string
  /**
   * The field to sort by, with `-` for descending order. Equal values are sorted by id. Default
   * `"-created_at"`.
   */
  sort?: 'created_at' | '-created_at' | 'paid_at' | '-paid_at' | 'total_cents' | '-total_cents'
}

export interface PaymentReview {
  /** A note for the seller. Null removes the stored note; if absent, it is kept. */
  note?: string | null
}

export interface RefundInput {
  /**
   * The amount in minor units. If absent, it is the sum of `items` or, without them, the paid
   * amount that is not refunded yet. It can be 0 only if the total of the order is 0.
   */
  amount_cents?: number
  /** The refunded lines, each line once. If `amount_cents` is sent too, it must be their sum. */
  items?: {
    /** The id of a line of the order. */
    order_item_id: number
    /** The number of units that are refunded. */
    quantity: number
    /**
     * The amount for these units in minor units. If absent, it is the unit price less the line's
     * share of the discount.
     */
    amount_cents?: number
  }[]
  /** The reason for the refund. Default `"other"`. */
  reason?: 'requested_by_customer' | 'duplicate' | 'fraudulent' | 'other'
  /** A note for the seller. */
  note?: string | null
  /**
   * If true, the items are added to stock again. Allowed only if the whole paid amount is then
   * refunded. Default `false`.
   */
  restock?: boolean
  /**
   * If true, the whole refund goes to the customer's balance; if false, no part of it. If absent,
   * the part that was paid from the balance goes there, after the part that was paid in other ways
   * is refunded.
   */
  to_balance?: boolean
}
