// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Address } from './shared.gen.ts'

/** A delivery of goods to the customer. */
export interface Delivery {
  /** The id of the delivery. */
  id: number
  /** Always `delivery`. */
  object: 'delivery'
  /** The order. */
  order_id: string
  /** The line it delivers. */
  order_item_id: number
  /** The product hash. */
  product_id: string
  /** The variant. */
  variant_id: number
  /** The delivery type of the variant. */
  type: string
  /**
   * `pending` waits for stock, for the seller or for the dynamic address. `failed` waits for the
   * seller.
   */
  status: 'pending' | 'delivered' | 'failed' | 'replaced' | 'revoked'
  /**
   * The keys, the oldest of the stock first: at most 1,000 of a delivery, and 10,000 of an order.
   */
  keys: string[]
  /** How many keys there are. `GET /orders/{id}/deliveries/{delivery_id}/keys` lists all. */
  keys_count: number
  /** Files to download, in their current version; none if the delivery was replaced or revoked. */
  files: {
    /** The file. */
    id: number
    /** Its name. */
    name: string
    /** Its size. */
    size_bytes: number
    /** A signed address, good for 15 minutes. */
    url: string
    /** Until when. */
    url_expires_at: string
  }[]
  /** The text that was delivered. */
  text: string | null
  /** Why it failed. */
  error: string | null
  /** How often it was tried. */
  attempts: number
  /** When it was handed over. */
  delivered_at: string | null
  /** When it was due. */
  created_at: string
}

/** An order with its items. */
export interface ListedOrder {
  /** The id of the order; other records name it `invoice_id`. */
  id: string
  /** Always `order`. */
  object: 'order'
  /** For people; counts up in the store, with gaps. */
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
  /** How much was refunded. */
  refund_status: 'none' | 'partial' | 'full'
  /** How much was shipped. */
  fulfillment_status: 'not_required' | 'unfulfilled' | 'partial' | 'fulfilled'
  /** The channel in which the order was created. */
  source: 'storefront' | 'api' | 'embed'
  /** ISO 4217. */
  currency: string
  /** The sum of the lines before any coupon. */
  subtotal_cents: number
  /** The discount of the coupon. */
  discount_cents: number
  /** The price of shipping. */
  shipping_cents: number
  /** Subtotal, less discount, plus shipping. */
  total_cents: number
  /** The sum of accepted payments; it may exceed the total. */
  paid_cents: number
  /** The sum of refunds. */
  refunded_cents: number
  /** How it is paid; null until that is known. */
  payment_method: string | null
  /** The buyer. */
  customer: {
    /** The customer. */
    id: number
    /** In lower case. */
    email: string
    /** As given with the order. */
    name: string | null
    /** ISO 3166-1 alpha-2. */
    country: string | null
  }
  /** The lines, as they were sent. */
  items: OrderItem[]
  /** The coupon that was used. */
  coupon: {
    /** The code that was used. */
    code: string
    /** `percentage` or `fixed`. */
    type: string
    /** The discount. */
    discount_cents: number
  } | null
  /** The partner who referred the customer. */
  affiliate: {
    /** The id of the partner who earns a commission. */
    partner_id: string
    /** The link or coupon that led here. */
    link_code: string
  } | null
  /** The address that the order is shipped to. */
  shipping_address: Address | null
  /** How it goes. */
  shipping: {
    /** The shipping zone. */
    zone_id: number
    /** The shipping rate. */
    rate_id: number
    /** The name of the rate. */
    name: string
    /** The code of the carrier. */
    carrier_code: string
    /** Earliest arrival. */
    min_days: number | null
    /** Latest arrival. */
    max_days: number | null
  } | null
  /** The answers of the customer to the fields of the product. */
  custom_fields: Record<string, string>
  /** The caller's notes. */
  metadata: Record<string, string>
  /** Seen by the seller only. */
  note: string | null
  /** The customer's address. */
  ip: string | null
  /** The customer's browser. */
  user_agent: string | null
  /** When it expires unless it is paid. */
  expires_at: string | null
  /** When it was paid in full. */
  paid_at: string | null
  /** When everything was delivered. */
  completed_at: string | null
  /** When it was cancelled. */
  cancelled_at: string | null
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

/** The order, with all that happened to it. */
export interface Order extends ListedOrder {
  /** The payments. */
  payments: Payment[]
  /** The refunds. */
  refunds: Refund[]
  /** The deliveries. */
  deliveries: Delivery[]
  /** Every status it had, the oldest first. */
  status_history: {
    /** The status it took. */
    status: string
    /** When. */
    at: string
    /** The reason, if one was sent. */
    reason: string | null
  }[]
}

/** A line of an order. */
export interface OrderItem {
  /** The id of the line. */
  id: number
  /** The product hash. */
  product_id: string
  /** The variant. */
  variant_id: number
  /** The name of the product when it was bought. */
  name: string
  /** The name of the variant when it was bought. */
  variant_name: string
  /** The seller's number when it was bought. */
  sku: string | null
  /** The kind of delivery. */
  delivery_type: string
  /** Units. */
  quantity: number
  /** Minor units, after the discount of product or variant. */
  unit_price_cents: number
  /** The line's share of a coupon. */
  discount_cents: number
  /** Units times price, less the share of a coupon. */
  total_cents: number
}

/** The payment. */
export interface Payment {
  /** The id of the payment. */
  id: number
  /** Always `payment`. */
  object: 'payment'
  /** The order. */
  order_id: string
  /** How it was paid. */
  kind: 'manual' | 'crypto' | 'balance' | 'card' | 'free' | 'test'
  /** A manual payment is approved or rejected; others succeed. */
  status: 'pending_review' | 'approved' | 'rejected' | 'succeeded'
  /** Minor units. */
  amount_cents: number
  /** ISO 4217. */
  currency: string
  /** Such as the number of a transfer. */
  reference: string | null
  /** The note of the customer. */
  proof_text: string | null
  /** A picture or document. */
  proof_url: string | null
  /** The seller's note. */
  note: string | null
  /** When it was approved or rejected. */
  reviewed_at: string | null
  /** The actor that recorded it; null for a payment of an earlier version. */
  actor: {
    /** The kind of actor. */
    type: 'api_key' | 'user' | 'command_line' | 'customer' | 'system'
    /** The id of the API key or the user. */
    id: string | null
    /** The name of the API key or the user, as it was then. */
    name: string | null
  } | null
  /** The actor that approved or rejected it after a review. */
  reviewed_by: {
    /** The kind of actor. */
    type: 'api_key' | 'user' | 'command_line' | 'customer' | 'system'
    /** The id of the API key or the user. */
    id: string | null
    /** The name of the API key or the user, as it was then. */
    name: string | null
  } | null
  /** When it was recorded. */
  created_at: string
}

/** A refund of an order. */
export interface Refund {
  /** The id of the refund. */
  id: number
  /** Always `refund`. */
  object: 'refund'
  /** The order. */
  order_id: string
  /** Minor units. */
  amount_cents: number
  /** ISO 4217. */
  currency: string
  /** Why it was given back. */
  reason: 'requested_by_customer' | 'duplicate' | 'fraudulent' | 'other'
  /** The seller's note. */
  note: string | null
  /** True if unopened keys went back into stock. */
  restock: boolean
  /** The actor that recorded it; null for a refund of an earlier version. */
  actor: {
    /** The kind of actor. */
    type: 'api_key' | 'user' | 'command_line' | 'customer' | 'system'
    /** The id of the API key or the user. */
    id: string | null
    /** The name of the API key or the user, as it was then. */
    name: string | null
  } | null
  /** When it was recorded. */
  created_at: string
}
