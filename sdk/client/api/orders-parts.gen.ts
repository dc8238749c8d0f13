// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Address } from './shared.gen.ts'

/** A delivery of goods to the customer. */
export interface Delivery {
  /** The id of the delivery. */
  id: number
  /** Always `delivery`. */
  object: 'delivery'
  /** The id of the order. */
  order_id: string
  /** The id of the delivered order line. */
  order_item_id: number
  /** The product hash. */
  product_id: string
  /** The id of the variant. */
  variant_id: number
  /** The delivery type of the variant. */
  type: string
  /**
   * A `pending` delivery waits for stock, for the seller or for the dynamic address. A `failed` one
   * has to be delivered by the seller.
   */
  status: 'pending' | 'delivered' | 'failed' | 'replaced' | 'revoked'
  /**
   * The delivered keys, the oldest first. An order shows at most 1,000 keys of a delivery, and
   * 10,000 in all.
   */
  keys: string[]
  /**
   * The number of keys of the delivery. `GET /orders/{id}/deliveries/{delivery_id}/keys` lists all
   * of them.
   */
  keys_count: number
  /**
   * The files to download, in their current version. Empty if the delivery was replaced or revoked.
   */
  files: {
    /** The id of the file. */
    id: number
    /** The file name. */
    name: string
    /** The size in bytes. */
    size_bytes: number
    /** A signed URL for the download, valid for 15 minutes. */
    url: string
    /** The time at which the URL expires. */
    url_expires_at: string
  }[]
  /** The delivered text. */
  text: string | null
  /** The error of the last failed attempt. */
  error: string | null
  /** The number of attempts. */
  attempts: number
  /** The time of the delivery. */
  delivered_at: string | null
  /** The time at which the order was paid or the keys were replaced. */
  created_at: string
}

/** An order with its items. */
export interface ListedOrder {
  /** The id of the order. Conversions and subscriptions call it `invoice_id`. */
  id: string
  /** Always `order`. */
  object: 'order'
  /** The order number that people see. It increases within the store and may have gaps. */
  number: number
  /** The status of the order. */
  status:
    | 'pending'
    | 'partially_paid'
    | 'manual_review'
    | 'paid'
    | 'completed'
    | 'expired'
    | 'cancelled'
    | 'refunded'
  /** The part of the paid amount that was refunded: none, a part or all. */
  refund_status: 'none' | 'partial' | 'full'
  /** The part of the physical units that was shipped: none, some or all. */
  fulfillment_status: 'not_required' | 'unfulfilled' | 'partial' | 'fulfilled'
  /** The channel in which the order was created. */
  source: 'storefront' | 'api' | 'embed'
  /** The currency, as an ISO 4217 code. */
  currency: string
  /** The sum of the lines before the coupon discount, in minor units. */
  subtotal_cents: number
  /** The discount of the coupon in minor units. */
  discount_cents: number
  /** The price of shipping in minor units. */
  shipping_cents: number
  /** The subtotal, less the discount, plus shipping. */
  total_cents: number
  /** The sum of accepted payments; it may exceed the total. */
  paid_cents: number
  /** The sum of refunds. */
  refunded_cents: number
  /** The payment method; null until it is chosen. */
  payment_method: string | null
  /** The buyer. */
  customer: {
    /** The id of the customer. */
    id: number
    /** The email address in lower case. */
    email: string
    /** The name that was sent with the order, or the stored name of the customer. */
    name: string | null
    /** The country, as an ISO 3166-1 alpha-2 code. */
    country: string | null
  }
  /** The lines of the order. A bundle has a line for each of its contents. */
  items: OrderItem[]
  /** The coupon of the order. */
  coupon: {
    /** The code of the coupon. */
    code: string
    /** `percentage` or `fixed`. */
    type: string
    /** The discount in minor units. */
    discount_cents: number
  } | null
  /** The partner who referred the customer. */
  affiliate: {
    /** The id of the partner who earns a commission. */
    partner_id: string
    /** The code of the referral link, or of the coupon. */
    link_code: string
  } | null
  /** The address that the order is shipped to. */
  shipping_address: Address | null
  /** The shipping rate of the order. */
  shipping: {
    /** The id of the shipping zone. */
    zone_id: number
    /** The id of the shipping rate. */
    rate_id: number
    /** The name of the rate. */
    name: string
    /** The code of the carrier. */
    carrier_code: string
    /** The shortest delivery time in days. */
    min_days: number | null
    /** The longest delivery time in days. */
    max_days: number | null
  } | null
  /** The customer's answers to the custom fields of the product. */
  custom_fields: Record<string, string>
  /** Data that the caller stored with the order. */
  metadata: Record<string, string>
  /** A note that only the seller sees. */
  note: string | null
  /** The customer's IP address. */
  ip: string | null
  /** The user agent of the customer's browser. */
  user_agent: string | null
  /** The language of mail to the buyer. */
  language: 'en' | 'de' | 'es'
  /** The time at which the order expires if it is not paid. */
  expires_at: string | null
  /** Null unless the order is on hold. Nothing of an order on hold is delivered. */
  hold: {
    /** `dispute` if its buyer disputes a payment. */
    reason: 'dispute' | 'manual'
    /** The time since which it is on hold. */
    since: string
  } | null
  /**
   * The page of the order for its buyer, with the receipt and the delivered goods. Null for callers
   * who may not see those.
   */
  order_url: string | null
  /** The time at which it was paid in full. */
  paid_at: string | null
  /** The time at which everything was delivered. */
  completed_at: string | null
  /** The time of the cancellation. */
  cancelled_at: string | null
  /** The time of creation. */
  created_at: string
  /** The time of the last change. */
  updated_at: string
}

/** A line of an order. */
export interface OrderItem {
  /** The id of the line. */
  id: number
  /** The product hash. */
  product_id: string
  /** The id of the variant. */
  variant_id: number
  /** The name of the product at the time of the order. */
  name: string
  /** The name of the variant at the time of the order. */
  variant_name: string
  /** The SKU at the time of the order. */
  sku: string | null
  /** The delivery type of the variant. */
  delivery_type: string
  /** The number of units. */
  quantity: number
  /** The units that were refunded before their delivery, so they are not delivered. */
  cancelled_quantity: number
  /** The price of one unit in minor units, after the discount of the product or variant. */
  unit_price_cents: number
  /** The line's share of the coupon discount, in minor units. */
  discount_cents: number
  /** The quantity times the unit price, less the share of the coupon discount. */
  total_cents: number
  /** The bundle that the line belongs to; null if the product was ordered itself. */
  bundle: {
    /** The product hash of the bundle. */
    product_id: string
    /** The name of the bundle at the time of the order. */
    name: string
  } | null
}

/** A payment for an order. */
export interface Payment {
  /** The id of the payment. */
  id: number
  /** Always `payment`. */
  object: 'payment'
  /** The id of the order. */
  order_id: string
  /** The payment method. */
  kind: 'manual' | 'crypto' | 'paypal' | 'balance' | 'card' | 'free' | 'test'
  /**
   * The status. A manual payment is approved or rejected after a review. A payment through a
   * provider is `pending` until the buyer pays and `processing` while the provider is not sure, and
   * ends as `succeeded`, `failed`, `expired` or `cancelled`; it is `disputed` while its buyer
   * disputes it, and after a lost dispute. Only `approved`, `succeeded` and `disputed` count as
   * paid.
   */
  status:
    | 'pending'
    | 'processing'
    | 'succeeded'
    | 'failed'
    | 'expired'
    | 'cancelled'
    | 'pending_review'
    | 'approved'
    | 'rejected'
    | 'disputed'
  /**
   * The amount in minor units. When a payment through a provider succeeds, it becomes the amount
   * that arrived.
   */
  amount_cents: number
  /** The currency, as an ISO 4217 code. */
  currency: string
  /** A reference, such as the number of a bank transfer. */
  reference: string | null
  /** The customer's description of the payment. */
  proof_text: string | null
  /** The URL of a picture or document that proves the payment. */
  proof_url: string | null
  /** The seller's note. */
  note: string | null
  /** The payment provider; null for payments without one. */
  provider: string | null
  /** The id of the payment at its provider. */
  external_id: string | null
  /** The page of the provider on which the buyer pays. */
  checkout_url: string | null
  /** The time until which the buyer can pay there. */
  expires_at: string | null
  /** The reason for which a payment with the status `failed` failed. */
  failure: {
    /** The code of the reason. */
    code: string
    /** The reason in words. */
    message: string
  } | null
  /** The amount that went back through the provider; null for payments without one. */
  refunded_cents: number | null
  /** The dispute of the buyer; null if there is none. */
  dispute: {
    /** The id of the dispute at the provider. */
    id: string
    /** The status, as the seller sees it. */
    status: 'open' | 'won' | 'lost'
    /** The reason, in the words of the provider. */
    reason: string | null
    /** The disputed amount in minor units. */
    amount_cents: number
    /** The time until which the seller can answer. */
    due_at: string | null
    /** The fee of the provider in minor units; null until it is known. */
    fee_cents: number | null
  } | null
  /**
   * The reason for which a payment through a provider waits, or has waited, for a review: another
   * amount or another currency arrived.
   */
  review_reason: 'amount_mismatch' | 'currency_mismatch' | null
  /**
   * The fee of the provider in the minor units of `fee_currency`; null until the provider has told
   * it, and if it takes none.
   */
  fee_cents: number | null
  /** The currency of the fee, in which the provider pays the seller. */
  fee_currency: string | null
  /**
   * The time at which it was approved or rejected, or at which a provider said that it succeeded.
   */
  reviewed_at: string | null
  /** The actor that recorded the payment; null if an earlier version of Tradepost recorded it. */
  actor: {
    /** The kind of actor. */
    type: 'api_key' | 'user' | 'command_line' | 'customer' | 'system'
    /** The id of the API key or the user. */
    id: string | null
    /** The name of the API key or the user at that time. */
    name: string | null
  } | null
  /** The actor that approved or rejected the payment after a review. */
  reviewed_by: {
    /** The kind of actor. */
    type: 'api_key' | 'user' | 'command_line' | 'customer' | 'system'
    /** The id of the API key or the user. */
    id: string | null
    /** The name of the API key or the user at that time. */
    name: string | null
  } | null
  /** The time at which it was recorded. */
  created_at: string
}

/** A refund of an order. */
export interface Refund {
  /** The id of the refund. */
  id: number
  /** Always `refund`. */
  object: 'refund'
  /** The id of the order. */
  order_id: string
  /** The amount in minor units. */
  amount_cents: number
  /** The currency, as an ISO 4217 code. */
  currency: string
  /**
   * `pending` until the payment provider has confirmed it, then `succeeded` or `failed`. Only a
   * refund that succeeded counts.
   */
  status: 'pending' | 'succeeded' | 'failed'
  /** The reason for the refund. */
  reason: 'requested_by_customer' | 'duplicate' | 'fraudulent' | 'other'
  /** The seller's note. */
  note: string | null
  /** True if the items were added to stock again. */
  restock: boolean
  /** The refunded lines, whose amounts add up to the amount. Empty if the refund names no lines. */
  items: {
    /** The id of the order line. */
    order_item_id: number
    /** The number of refunded units. */
    quantity: number
    /** The part of the amount for these units. */
    amount_cents: number
  }[]
  /**
   * `seller` if it was made here, `provider` if it was made at the payment provider, `dispute` if a
   * lost dispute took the money.
   */
  source: 'seller' | 'provider' | 'dispute'
  /** The payment whose provider returns the money; null if none does. */
  payment_id: number | null
  /** The id of the refund at the provider. */
  external_id: string | null
  /**
   * The reason for which a refund with the status `failed` failed. With the status `succeeded`, the
   * bank of the buyer has sent the money back later: the refund counts, and the money has to reach
   * the buyer in another way.
   */
  failure: {
    /** The code of the reason. */
    code: string
    /** The reason in words. */
    message: string
  } | null
  /** The actor that recorded the refund; null if an earlier version of Tradepost recorded it. */
  actor: {
    /** The kind of actor. */
    type: 'api_key' | 'user' | 'command_line' | 'customer' | 'system'
    /** The id of the API key or the user. */
    id: string | null
    /** The name of the API key or the user at that time. */
    name: string | null
  } | null
  /**
   * The time at which it was recorded; for a refund through a provider, the time at which it was
   * confirmed.
   */
  created_at: string
}
