// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { Delivery, ListedOrder, Order, Payment, Refund } from './orders-records.gen.ts'
import type { NewAddress, NewOrderItem, PageQuery, Pagination } from './shared.gen.ts'

/** Create, pay, cancel and refund orders; their deliveries. */
export interface OrdersApi {
  /**
   * List orders with their items.
   *
   * Needs the permission `orders:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: OrdersListQuery, options?: CallOptions): List<{ orders: ListedOrder[]; pagination: Pagination }, ListedOrder>
  /**
   * Create an order and hold its stock until it is paid, cancelled or expired.
   *
   * A total of zero, `mark_paid`, or the payment method `balance` pays and delivers at once. With
   * `balance` the whole total is taken from the balance of the customer; if that is too low, the
   * order is refused.
   *
   * Needs the permission `orders:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`, `OUT_OF_STOCK`, `COUPON_INVALID`,
   * `CUSTOMER_BLOCKED`
   */
  create(body: NewOrder, options?: PostOptions): Call<{ order: Order }>
  /**
   * Get an order with its payments, refunds, deliveries and history.
   *
   * Needs the permission `orders:read`.
   * @param id The order.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: string, options?: CallOptions): Call<{ order: Order }>
  /**
   * Explain the total of an order line by line.
   *
   * Payments and refunds do not change the total, so they have no lines. No taxes are computed.
   *
   * Needs the permission `orders:read`.
   * @param id The order.
   * @throws {TradepostError} `NOT_FOUND`
   */
  explain(id: string, options?: CallOptions): Call<{ explanation: Explanation }>
  /**
   * Change the notes of an order, and its buyer and address while it is unpaid.
   *
   * Needs the permission `orders:write`.
   * @param id The order.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`, `COUPON_INVALID`,
   * `CUSTOMER_BLOCKED`
   */
  update(id: string, body: OrderPatch, options?: CallOptions): Call<{ order: Order }>
  /**
   * Cancel an unpaid order and give back its stock.
   *
   * Needs the permission `orders:write`.
   * @param id The order.
   * @throws {TradepostError} `NOT_FOUND`, `INVOICE_PAID`, `INVALID_STATE`
   */
  cancel(id: string, body?: OrdersCancelBody, options?: PostOptions): Call<{ order: Order }>
  /**
   * Record a refund of a part or of the rest of the payment.
   *
   * Only records the refund; no money is moved. The refund of the last paid amount makes the order
   * `refunded`: its keys are revoked, or go back into stock with `restock`. A cancelled or expired
   * order with payments can be refunded too, and keeps its status. Cancel an unpaid order first. An
   * order whose total is 0 is refunded once, with 0.
   *
   * Needs the permission `orders:write`.
   * @param id The order.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`,
   * `REFUND_EXCEEDS_PAID`
   */
  refund(id: string, body?: NewRefund, options?: PostOptions): Call<{ refund: Refund; order: Order }>
  /**
   * List the payments of an order, the oldest first.
   *
   * Needs the permission `orders:read`.
   * @param id The order.
   * @throws {TradepostError} `NOT_FOUND`
   */
  listPayments(id: string, options?: CallOptions): Call<{
    /** All of them. */
    payments: Payment[]
  }>
  /**
   * List the deliveries of an order, made and pending.
   *
   * Needs the permission `orders:read`.
   * @param id The order.
   * @throws {TradepostError} `NOT_FOUND`
   */
  listDeliveries(id: string, options?: CallOptions): Call<{
    /** All of them. */
    deliveries: Delivery[]
  }>
  /**
   * List the keys that a delivery handed over, also beyond those that its order shows.
   *
   * Needs the permission `orders:read`.
   * @param id The order.
   * @param deliveryId The delivery.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  listDeliveryKeys(id: string, deliveryId: number, query?: OrdersListDeliveryKeysQuery, options?: CallOptions): List<{ keys: string[]; pagination: Pagination }, string>
  /**
   * Deliver a waiting line of a paid order manually.
   *
   * With a text of your own; or without one, with keys that came into stock since, or files that
   * were added to the product. The last delivery completes the order.
   *
   * Needs the permission `orders:write`.
   * @param id The order.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`, `OUT_OF_STOCK`
   */
  deliver(id: string, body: NewDelivery, options?: PostOptions): Call<{ delivery: Delivery; order: Order }>
  /**
   * Mail the active deliveries of an order to the customer.
   *
   * Keys, texts, and addresses of files that are valid for 15 minutes. Mail of a test side is kept,
   * not sent.
   *
   * Needs the permission `orders:write`.
   * @param id The order.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  resendDeliveries(id: string, options?: PostOptions): Call<{ order: Order }>
  /**
   * Take new keys from stock for those of a delivery.
   *
   * The old keys are burned: they are never sold again.
   *
   * Needs the permission `orders:write`.
   * @param id The order.
   * @param deliveryId The delivery.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`, `OUT_OF_STOCK`
   */
  replaceDelivery(id: string, deliveryId: number, options?: PostOptions): Call<{ delivery: Delivery; order: Order }>
  /**
   * Record a payment that arrived outside of Tradepost.
   *
   * Approved, it counts at once; an order that is paid in full is delivered. At most 100 payments
   * of an order wait for review, and 100 pay a part of it; neither refuses the payment of all that
   * is owed.
   *
   * Needs the permission `orders:write`.
   * @param id The order.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  addManualPayment(id: string, body?: NewManualPayment, options?: PostOptions): Call<{ payment: Payment; order: Order }>
  /**
   * Pay an order, or a part of it, from the balance of its customer.
   *
   * The balance never goes below 0. An order that is paid in full with it is delivered. A refund
   * puts the money back on the balance.
   *
   * Needs the permission `orders:write`.
   * @param id The order.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  addBalancePayment(id: string, body?: NewBalancePayment, options?: PostOptions): Call<{ payment: Payment; order: Order }>
  /**
   * Accept a manual payment after review.
   *
   * Needs the permission `orders:write`.
   * @param id The order.
   * @param paymentId The payment.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  approveManualPayment(id: string, paymentId: number, body?: PaymentReview, options?: PostOptions): Call<{ payment: Payment; order: Order }>
  /**
   * Refuse a manual payment after review; the order waits for money again.
   *
   * Needs the permission `orders:write`.
   * @param id The order.
   * @param paymentId The payment.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  rejectManualPayment(id: string, paymentId: number, body?: PaymentReview, options?: PostOptions): Call<{ payment: Payment; order: Order }>
}

/** How the total of an order came about. */
export interface Explanation {
  /** The lines; they add up to the total. */
  lines: {
    /** The name of the item, discount or charge. */
    label: string
    /** The amount that the line adds to the total; below 0 for a discount. */
    amount_cents: number
    /** How the amount came about. */
    rule: string
  }[]
  /** `total_cents` of the order. */
  total_cents: number
}

export interface NewBalancePayment {
  /**
   * Minor units, at most the owed amount; if absent, the lesser of the owed amount and the balance.
   */
  amount_cents?: number
}

export interface NewDelivery {
  /** The line that is delivered. */
  order_item_id: number
  /**
   * The text to deliver. If absent: keys from stock, the files of the product, or a new call of the
   * dynamic address.
   */
  text?: string
}

export interface NewManualPayment {
  /** Minor units; if absent, the owed amount. */
  amount_cents?: number
  /** Such as the number of a transfer. */
  reference?: string | null
  /** For the seller. */
  note?: string | null
  /** The note of the customer. */
  proof_text?: string | null
  /** A picture or document. */
  proof_url?: string | null
  /** `pending_review` waits for approve or reject. Default `"approved"`. */
  status?: 'approved' | 'pending_review'
}

export interface NewOrder {
  /** The items, 1 to 50 lines. */
  items: NewOrderItem[]
  /** The buyer. */
  customer: {
    /** Kept in lower case; a new one makes a customer. */
    email: string
    /** The name to address. */
    name?: string | null
    /** ISO 3166-1 alpha-2. */
    country?: string | null
  }
  /**
   * Has to be connected to the store and enabled for every product, unless `mark_paid`;
   * `details.allowed` of a refusal names those that are.
   */
  payment_method?: 'manual' | 'crypto' | 'card' | 'paypal' | 'balance' | 'test'
  /** A coupon to apply. */
  coupon_code?: string
  /** The link that led here; an unknown one is ignored. */
  affiliate_code?: string
  /** Needed for physical products. */
  shipping_address?: NewAddress | null
  /** Needed for physical products. */
  shipping_rate_id?: number
  /** The answers of the customer to the fields of the product. */
  custom_fields?: Record<string, string>
  /** Notes of your own. */
  metadata?: Record<string, string>
  /** The customer's address. */
  ip?: string | null
  /** The customer's browser. */
  user_agent?: string | null
  /** The channel in which the order is created. Default `"api"`. */
  source?: 'api' | 'embed'
  /** The URL to which the customer returns after paying. */
  return_url?: string
  /** Records a manual payment of the whole total at once. Default `false`. */
  mark_paid?: boolean
}

export interface NewRefund {
  /**
   * Minor units; if absent, the paid amount that is not refunded yet. 0 only if the total of the
   * order is 0.
   */
  amount_cents?: number
  /** Why it is given back. Default `"other"`. */
  reason?: 'requested_by_customer' | 'duplicate' | 'fraudulent' | 'other'
  /** For the seller. */
  note?: string | null
  /**
   * Puts the items back into stock; only with the refund of the last paid amount. Default `false`.
   */
  restock?: boolean
  /**
   * True refunds all of it to the customer's balance, false nothing. If absent, only the part that
   * was paid from the balance goes back there, after the part that was paid otherwise.
   */
  to_balance?: boolean
}

export interface OrderPatch {
  /** For the seller; null clears. */
  note?: string | null
  /** Notes of your own; replaces all that were there. */
  metadata?: Record<string, string>
  /** The buyer; can be changed while the order is unpaid. A new address creates a customer. */
  customer_email?: string
  /**
   * The shipping address; can be changed while the order is unpaid, within the zone of its shipping
   * rate.
   */
  shipping_address?: NewAddress | null
}

export interface OrdersCancelBody {
  /** The reason; included in `order.cancelled`. */
  reason?: string | null
}

export type OrdersListDeliveryKeysQuery = PageQuery

export interface OrdersListQuery extends PageQuery {
  /** One or several statuses. */
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
  /** `none`, `partial`, `full`. */
  refund_status?: ('none' | 'partial' | 'full')[]
  /** How much was shipped. */
  fulfillment_status?: ('not_required' | 'unfulfilled' | 'partial' | 'fulfilled')[]
  /** The customer's address, whole. */
  email?: string
  /** The customer. */
  customer_id?: number
  /** The product hash; the numeric id is accepted too. */
  product_id?: string
  /** The coupon, without case. */
  coupon_code?: string
  /** How it is paid. */
  payment_method?: ('manual' | 'crypto' | 'card' | 'paypal' | 'balance' | 'test' | 'free')[]
  /** `storefront`, `api`, `embed`. */
  source?: ('storefront' | 'api' | 'embed')[]
  /** Made at this moment or later. */
  created_from?: string
  /** Made before this moment. */
  created_to?: string
  /** Paid at this moment or later. */
  paid_from?: string
  /** Paid before this moment. */
  paid_to?: string
  /** Part of the id, number or email, without case; or a whole stock key. */
  search?: string
  /** A field, with `-` for falling order; ties by id. Default `"-created_at"`. */
  sort?: 'created_at' | '-created_at' | 'paid_at' | '-paid_at' | 'total_cents' | '-total_cents'
}

export interface PaymentReview {
  /** For the seller; null clears. */
  note?: string | null
}
