// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.

/** Where something goes. */
export interface Address {
  /** Who receives it. */
  name: string
  /** Street and number. */
  line1: string
  /** Flat, floor or company. */
  line2: string | null
  /** Town or city. */
  city: string
  /** State or province. */
  region: string | null
  /** ZIP or postal code. */
  postal_code: string | null
  /** ISO 3166-1 alpha-2. */
  country: string
  /** For the carrier. */
  phone: string | null
}

/** What was handed over. */
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
  /** Files to download, as they are now; none where it does not hold any more. */
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
  /** What was delivered as text. */
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
  /** Of the order; the `invoice_id` of other records. */
  id: string
  /** Always `order`. */
  object: 'order'
  /** For people; counts up in the store, with gaps. */
  number: number
  /** Where the order stands. */
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
  /** Where it was made. */
  source: 'storefront' | 'api' | 'embed'
  /** ISO 4217. */
  currency: string
  /** The sum of the lines before any coupon. */
  subtotal_cents: number
  /** What a coupon took off. */
  discount_cents: number
  /** What shipping costs. */
  shipping_cents: number
  /** Subtotal, less discount, plus shipping. */
  total_cents: number
  /** What was paid; may exceed the total. */
  paid_cents: number
  /** What was given back. */
  refunded_cents: number
  /** How it is paid; null until that is known. */
  payment_method: string | null
  /** Who bought. */
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
    /** What it took off. */
    discount_cents: number
  } | null
  /** Who led the customer here. */
  affiliate: {
    /** Who earns a commission. */
    partner_id: string
    /** The link or coupon that led here. */
    link_code: string
  } | null
  /** Where it goes. */
  shipping_address: Address | null
  /** How it goes. */
  shipping: {
    /** The shipping zone. */
    zone_id: number
    /** The shipping rate. */
    rate_id: number
    /** The name of the rate. */
    name: string
    /** Who carries it. */
    carrier_code: string
    /** Earliest arrival. */
    min_days: number | null
    /** Latest arrival. */
    max_days: number | null
  } | null
  /** What the customer was asked. */
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
  /** When it was made. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

/** The order, with all that happened to it. */
export interface Order extends ListedOrder {
  /** What was paid, and how. */
  payments: Payment[]
  /** What was given back. */
  refunds: Refund[]
  /** What was handed over. */
  deliveries: Delivery[]
  /** Every status it had, the oldest first. */
  status_history: {
    /** The status it took. */
    status: string
    /** When. */
    at: string
    /** Why, where somebody said so. */
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
  /** What is handed over. */
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

/** The position of this page in the whole list. */
export interface Pagination {
  /** Records that match, on all pages. */
  total: number
  /** The page size that was used. */
  limit: number
  /** How many records were skipped. */
  offset: number
  /** True if another page follows. */
  has_more: boolean
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
  /** What the customer says of it. */
  proof_text: string | null
  /** A picture or document. */
  proof_url: string | null
  /** The seller's note. */
  note: string | null
  /** When it was approved or rejected. */
  reviewed_at: string | null
  /** Who recorded it; null for a payment of an earlier version. */
  actor: {
    /** What kind of actor it is. */
    type: 'api_key' | 'user' | 'command_line' | 'customer' | 'system'
    /** The id of the API key or the user. */
    id: string | null
    /** The name of the API key or the user, as it was then. */
    name: string | null
  } | null
  /** Who approved or rejected it after a review. */
  reviewed_by: {
    /** What kind of actor it is. */
    type: 'api_key' | 'user' | 'command_line' | 'customer' | 'system'
    /** The id of the API key or the user. */
    id: string | null
    /** The name of the API key or the user, as it was then. */
    name: string | null
  } | null
  /** When it was recorded. */
  created_at: string
}

/** What was given back. */
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
  /** Whether unopened keys went back into stock. */
  restock: boolean
  /** Who recorded it; null for a refund of an earlier version. */
  actor: {
    /** What kind of actor it is. */
    type: 'api_key' | 'user' | 'command_line' | 'customer' | 'system'
    /** The id of the API key or the user. */
    id: string | null
    /** The name of the API key or the user, as it was then. */
    name: string | null
  } | null
  /** When it was recorded. */
  created_at: string
}
