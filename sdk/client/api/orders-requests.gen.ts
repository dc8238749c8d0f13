// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { AddressInput, OrderItemInput, PageQuery } from './shared.gen.ts'

export interface BalancePaymentInput {
  /**
   * The amount in minor units, at most the owed amount. Default: the owed amount, or the balance if
   * that is lower.
   */
  amount_cents?: number
}

export interface DeliveryInput {
  /** The id of the order line to deliver. */
  order_item_id: number
  /**
   * The text to deliver. Default: keys from stock, license keys or the files of the product are
   * delivered, or the dynamic address is called again.
   */
  text?: string
}

/** The key to replace, and the reason. */
export interface DeliveryReplacement {
  /** The one key of the delivery to replace. Default: all of its keys. */
  key?: string
  /** The reason, for the audit trail. The customer does not see it. Default: none. */
  reason?: string
}

/** The address of a mail with deliveries. */
export interface DeliveryResend {
  /**
   * An address to use once. It is not stored with the order or the customer. Default: the address
   * of the customer.
   */
  to?: string
}

export interface HoldInput {
  /** The reason for the hold. Default `"manual"`. */
  reason?: 'dispute' | 'manual'
}

export interface ManualPaymentInput {
  /** The amount in minor units. Default: the owed amount. */
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
    /** The name of the customer. Default: the stored name of a known customer, otherwise none. */
    name?: string | null
    /**
     * The country, as an ISO 3166-1 alpha-2 code. Default: the stored country of a known customer,
     * otherwise none.
     */
    country?: string | null
  }
  /**
   * The payment method. Unless `mark_paid` is true, it must be connected to the store and enabled
   * for every product. If it is refused, `details.allowed` lists the accepted methods. Default:
   * none; it is chosen with the payment.
   */
  payment_method?: 'manual' | 'crypto' | 'card' | 'paypal' | 'balance' | 'test'
  /** The code of a coupon to apply. Default: none. */
  coupon_code?: string
  /**
   * The code of the referral link through which the customer came. A code that is unknown, or whose
   * partner is not approved, is ignored: unless the coupon has a partner, `affiliate` of the order
   * is then null. Default: none.
   */
  affiliate_code?: string
  /** The shipping address. Required for physical products. */
  shipping_address?: AddressInput | null
  /** The id of a shipping rate. Required for physical products. Default: none. */
  shipping_rate_id?: number
  /** The answers of the customer to the fields of the product. Default `{}`. */
  custom_fields?: Record<string, string>
  /** Your own data to store with the order. Default `{}`. */
  metadata?: Record<string, string>
  /** The customer's IP address. */
  ip?: string | null
  /** The user agent of the customer's browser. */
  user_agent?: string | null
  /** The channel in which the order is created. Default `"api"`. */
  source?: 'api' | 'embed'
  /** The language of mail to the buyer. Default: the language of the store. */
  language?: 'en' | 'de' | 'es'
  /**
   * The URL to which the customer returns after paying: https, or http to localhost. Default: none;
   * payments then return to the page of the order.
   */
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

export interface OrdersListQuery {
  /** The number of records on a page, 1 to 100. Default `25`. */
  limit?: number
  /** The number of records to skip. Not together with `cursor`. */
  offset?: number
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
  /**
   * The `next_cursor` of the previous page, with the same filters and sort. Unlike an offset, it
   * repeats and misses no record while others are created.
   */
  cursor?: string
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
  /**
   * Only orders for which more was paid and not refunded than they cost: than their total or, if
   * they are `expired`, `cancelled` or `refunded`, than nothing. With `false`, only all others.
   */
  overpaid?: boolean
  /** Only orders on hold; with `false`, only all others. */
  on_hold?: boolean
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

export interface PaymentInput {
  /**
   * The payment method. Its provider must be connected to the store, and all products of the order
   * must accept it. If it is refused, `details.allowed` lists the usable methods.
   */
  method: 'card' | 'paypal' | 'crypto' | 'test'
  /**
   * The page to which the provider links after the payment: https, or http to localhost. Default:
   * the `return_url` of the order, otherwise its page.
   */
  return_url?: string
  /**
   * True to save the method for renewals. For a first order of 0, `true` starts a payment of 0 that
   * saves a method and moves no money, until one is saved. Default: true if the order starts or
   * renews a subscription, otherwise false.
   */
  save_method?: boolean
}

export interface PaymentReview {
  /** A note for the seller; null removes it. Default: the stored note is kept. */
  note?: string | null
}

export interface RefundInput {
  /**
   * The amount in minor units. It can be 0 only if the total of the order is 0. Default: the sum of
   * `items` or, without them, the paid amount that is not refunded yet.
   */
  amount_cents?: number
  /**
   * The refunded lines, each line once. If `amount_cents` is sent too, it must be their sum.
   * Default: the refund names no lines.
   */
  items?: {
    /** The id of a line of the order. */
    order_item_id: number
    /** The number of units that are refunded. */
    quantity: number
    /**
     * The amount for these units in minor units. Default: the unit price less the line's share of
     * the discount, for each unit.
     */
    amount_cents?: number
  }[]
  /** The reason for the refund. Default `"other"`. */
  reason?: 'requested_by_customer' | 'duplicate' | 'fraudulent' | 'other'
  /** A note for the seller. */
  note?: string | null
  /**
   * If true, the items are added to stock again. Allowed if the whole paid amount is then refunded,
   * or for `items` that are not delivered yet. Default `false`.
   */
  restock?: boolean
  /**
   * If true, the whole refund goes to the customer's balance; if false, no part of it. Default: the
   * part that was paid from the balance goes there, after the part that was paid in other ways is
   * refunded.
   */
  to_balance?: boolean
}

export interface SimulationInput {
  /**
   * The action of the buyer or the bank. `pay_part` pays half and `overpay` one unit too much,
   * unless `amount_cents` is sent. Money can arrive for an ended payment too.
   */
  do:
    | 'pay'
    | 'pay_part'
    | 'overpay'
    | 'decline'
    | 'process'
    | 'expire'
    | 'refund_outside'
    | 'dispute'
    | 'win'
    | 'lose'
  /**
   * The amount that arrives, in minor units. Default: the amount of the payment, half of it for
   * `pay_part`, and one unit more for `overpay`.
   */
  amount_cents?: number
  /**
   * The way in which the provider reports it: `once`; `twice`; `late`, 5 minutes later by the clock
   * of the store; `never`; `forged`, a callback with a wrong signature about something that did not
   * happen; `reordered`, with an older callback after it. Default `"once"`.
   */
  callback?: 'once' | 'twice' | 'late' | 'never' | 'forged' | 'reordered'
}
