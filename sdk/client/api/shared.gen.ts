// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { ProductDetails, ProductMethod, ProductSeo } from './products-records.gen.ts'

/** A postal address. */
export interface Address {
  /** The name of the recipient. */
  name: string
  /** The street and house number. */
  line1: string
  /** The flat, floor or company. */
  line2: string | null
  /** The town or city. */
  city: string
  /** The state or province. */
  region: string | null
  /** The ZIP or postal code. */
  postal_code: string | null
  /** The country, as an ISO 3166-1 alpha-2 code. */
  country: string
  /** The phone number for the carrier. */
  phone: string | null
}

/** A postal address. */
export interface AddressInput {
  /** The name of the recipient. */
  name: string
  /** The street and house number. */
  line1: string
  /** The flat, floor or company. */
  line2?: string | null
  /** The town or city. */
  city: string
  /** The state or province. */
  region?: string | null
  /** The ZIP or postal code. */
  postal_code?: string | null
  /** The country, as an ISO 3166-1 alpha-2 code. */
  country: string
  /** The phone number for the carrier. */
  phone?: string | null
}

/** A link of a partner. */
export interface AffiliateLink {
  /** The code in the URL. */
  code: string
  /** The URL that the partner shares. */
  url: string
  /** The number of clicks on the link. */
  clicks: number
  /** The time when the link was created. */
  created_at: string
}

/** A partner of the programme. */
export interface AffiliatePartner {
  /** The id of the partner. */
  id: string
  /** Always `affiliate_partner`. */
  object: 'affiliate_partner'
  /** The email address, in lower case. */
  email: string
  /** The name of the person or company. */
  name: string | null
  /** A note that only the seller reads. */
  note: string | null
  /** The status of the partner. Only an approved partner earns commissions. */
  status: 'applied' | 'approved' | 'rejected' | 'suspended'
  /** The commission of this partner in percent; null means the commission of the programme. */
  commission_percent: number | null
  /** The links, the oldest first. */
  links: AffiliateLink[]
  /** The number of clicks on all links. */
  clicks: number
  /** The number of conversions of any status. */
  conversions: number
  /** The sum of all commissions after refunds, in minor units. */
  earned_cents: number
  /**
   * The amount of the next payout, in minor units. It can be below 0 after refunds of orders whose
   * commissions were paid.
   */
  available_cents: number
  /** The sum of the commissions in their hold period or waiting for a review, in minor units. */
  pending_cents: number
  /** The sum of the payouts that were sent, in minor units. */
  paid_cents: number
  /** The time when the partner applied or was invited. */
  created_at: string
  /** The time when the record last changed. */
  updated_at: string
}

/** The auto-renewal of a subscription. */
export interface AutoRenewal {
  /** The id of the auto-renewal. */
  id: number
  /** Always `auto_renewal`. */
  object: 'auto_renewal'
  /** The status of the auto-renewal. */
  status: 'active' | 'past_due' | 'cancelled' | 'expired'
  /** The payment method of renewals: `manual`, `balance` or a payment provider. */
  provider: string
  /** The email address of the customer. */
  customer_email: string
  /** The product of the subscription. */
  product: {
    /** The product hash. */
    id: string
    /** The name of the product. */
    name: string
  }
  /** The id of the order that created the subscription. */
  origin_invoice_id: string
  /** The id of the newest order of the subscription. */
  last_invoice_id: string
  /** The length of the current period in days. */
  period_days: number
  /** The price of each renewal, in minor units. */
  price_cents: number
  /** The currency, an ISO 4217 code. */
  currency: string
  /**
   * The percentage of a coupon that applies to renewals; 0 if there is none. `price_cents` includes
   * the discount.
   */
  discount_percent: number
  /** The number of paid renewals. */
  renewals_count: number
  /** The end of the current period. */
  current_period_end: string
  /** The time when the auto-renewal was cancelled; null if it was not. */
  cancelled_at: string | null
  /** True if the auto-renewal is active or past due. */
  can_cancel: boolean
  /** The time when the subscription started. */
  created_at: string
}

/** Email or IP addresses from which no orders are accepted. */
export interface BlocklistEntry {
  /** The id of the blocklist entry. */
  id: number
  /** Always `blocklist_entry`. */
  object: 'blocklist_entry'
  /** The type of the value: `email` or `ip`. */
  type: 'email' | 'ip'
  /**
   * The canonical form of the value: an email address, `*@domain`, an IP address, or a range such
   * as `192.0.2.0/24`.
   */
  value: string
  /** The reason, which only the seller sees. */
  reason: string | null
  /** The number of orders that the entry refused. */
  hits: number
  /** The time when the entry was added. */
  created_at: string
  /** The time when the value or the reason last changed. */
  updated_at: string
}

/**
 * The texts of the product page. Fields that are left out keep their value; in a new product they
 * are empty.
 */
export type DetailsPatch = Partial<ProductDetails>

/** A webhook delivery without its payload and attempts. */
export interface ListedWebhookDelivery {
  /** The id of the delivery. */
  id: number
  /** Always `webhook_delivery`. */
  object: 'webhook_delivery'
  /** The status. It is `delivering` while an attempt runs. */
  status: 'pending' | 'delivering' | 'succeeded' | 'failed' | 'cancelled'
  /** The number of attempts. */
  attempts: number
  /** The time of the next attempt; null if none is planned, or if the endpoint is turned off. */
  next_attempt_at: string | null
  /** The last status code of the receiver. */
  last_status_code: number | null
  /** The error of the last attempt, as `code: sentence`; null if it succeeded. */
  last_error: string | null
  /** The duration of the last attempt in milliseconds. */
  last_duration_ms: number | null
  /** The event. */
  event: {
    /** The event id. Receivers recognise repeated deliveries by it. */
    id: string
    /** The event type. */
    type: string
    /** True if the event is a sample. */
    test: boolean
    /** The id of the record that the event is about. */
    object_id: string
  }
  /** The webhook endpoint. */
  webhook: {
    /** The id of the endpoint. */
    id: string
    /** The current URL of the endpoint. */
    url: string
    /** A note on the purpose of the endpoint. */
    description: string | null
    /** True if the endpoint was deleted. */
    deleted: boolean
  }
  /** The time when the event happened. */
  created_at: string
  /** The time of the last attempt or change. */
  updated_at: string
  /** True if a value is hidden because the API key lacks the permission to read it. */
  payload_redacted: boolean
}

/** A variant and a quantity. */
export interface OrderItemInput {
  /** The hash of the product. Its numeric id is also accepted. */
  product_id: string
  /** The id of the variant. Default: the default variant. */
  variant_id?: number
  /** The number of units. */
  quantity: number
}

export interface PageQuery {
  /** The number of records on a page, 1 to 100. Default `25`. */
  limit?: number
  /** The number of records to skip. Default `0`. */
  offset?: number
}

/** The position of this page in the whole list. */
export interface Pagination {
  /** The number of matching records on all pages. */
  total: number
  /** The number of records on a page. */
  limit: number
  /** The number of skipped records. */
  offset: number
  /** True if another page follows. */
  has_more: boolean
}

/** A payment method, and whether the product accepts it. */
export type ProductMethodInput = ProductMethod

/** The result of one attempt. */
export interface SendResult {
  /** True if the receiver answered with 2xx in time. */
  ok: boolean
  /** The status code of the receiver; null if it did not respond. */
  status_code: number | null
  /** The error, as `code: sentence`; null on success. */
  error: string | null
  /** The duration in milliseconds. */
  duration_ms: number
}

/**
 * The texts for search engines and shared links. Fields that are left out keep their value; in a
 * new product they are empty.
 */
export type SeoPatch = Partial<ProductSeo>

export interface VariantInput {
  /** The name that distinguishes it from the other variants. */
  name: string
  /** The name in URLs, unique in the product. Default: made from the name. */
  slug?: string
  /** The delivery type. Default: the type of the product. */
  delivery_type?: 'serial' | 'file' | 'service' | 'dynamic' | 'physical' | 'license'
  /** The price in minor units, before any discount. Default: the price of the product. */
  price_cents?: number
  /**
   * The discount on each unit in percent. If it is 0, the discount of the product applies. Default
   * `0`.
   */
  discount_percent?: number
  /** A former price in minor units, shown for comparison. */
  compare_at_cents?: number | null
  /**
   * True for the variant that is sold if an item has no `variant_id`. Default: true for the first
   * variant of a new product if no other has it, otherwise false.
   */
  is_default?: boolean
  /** True if the variant can be sold. Default `true`. */
  active?: boolean
  /** The position among the variants of the product. Default: after the others. */
  sort_order?: number
  /** The URL of a picture of the variant. */
  image_url?: string | null
  /**
   * `calculated` counts stock keys, with `manual` the seller sets the quantity, and `unlimited`
   * never runs out. Default: `calculated` for the delivery type `serial`, `manual` for `physical`,
   * and `unlimited` for the others.
   */
  stock_mode?: 'calculated' | 'manual' | 'unlimited'
  /** The units that can be sold now; 0 if stock is unlimited. Default `0`. */
  stock_quantity?: number
  /** The SKU, unique in the store. */
  sku?: string | null
  /** A GTIN, EAN or UPC. */
  barcode?: string | null
  /** The weight of one unit in grams, for shipping rates by weight. */
  weight_grams?: number | null
  /** If false, stock is not counted. Default `true`. */
  track_inventory?: boolean
  /** If true, the variant can be ordered without stock. Default `false`. */
  allow_backorder?: boolean
  /** Stock counts as low at this number of units or fewer; null for never. */
  low_stock_threshold?: number | null
  /** The options of the variant, such as its size and colour. Default `[]`. */
  option_values?: string[]
}

/** A webhook delivery with all its attempts. */
export interface WebhookDelivery extends ListedWebhookDelivery {
  /** The event, as it is sent to the receiver. */
  payload: Record<string, unknown>
  /** All attempts, oldest first. */
  attempt_history: {
    /** The number of the attempt, from 1. */
    attempt: number
    /** The status code of the receiver; null if it did not respond. */
    status_code: number | null
    /**
     * The first 4 KiB of the response. Null if `payload_redacted`, because the response may repeat
     * the payload.
     */
    response_body: string | null
    /** The error, as `code: sentence`; null on success. */
    error: string | null
    /** The duration in milliseconds. */
    duration_ms: number | null
    /** True for a resend or a test. */
    manual: boolean
    /** The time when the attempt was made. */
    created_at: string
  }[]
}

/** The type of an event. */
export type WebhookEventType = 'order.created' | 'order.completed' | 'order.partially_paid' | 'order.manual_review' | 'order.expired' | 'order.cancelled' | 'order.refunded' | 'product.out_of_stock' | 'product.restocked' | 'product.deleted' | 'review.created' | 'question.created' | 'question.answered' | 'customer.created' | 'withdrawal.completed' | 'affiliate.partner_applied' | 'affiliate.conversion' | 'affiliate.payout_requested' | 'affiliate.payout_sent'
