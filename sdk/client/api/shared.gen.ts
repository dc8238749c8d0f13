// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { ProductDetails, ProductMethod, ProductSeo } from './products-records.gen.ts'

/** A postal address. */
export interface Address {
  /** The name of the recipient. */
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

/** A link of a partner. */
export interface AffiliateLink {
  /** The code in the address. */
  code: string
  /** The address to share. */
  url: string
  /** How often it was followed. */
  clicks: number
  /** When it was created. */
  created_at: string
}

/** A partner of the programme. */
export interface AffiliatePartner {
  /** The partner. */
  id: string
  /** Always `affiliate_partner`. */
  object: 'affiliate_partner'
  /** In lower case. */
  email: string
  /** As given. */
  name: string | null
  /** For the seller. */
  note: string | null
  /** Only an approved partner earns. */
  status: 'applied' | 'approved' | 'rejected' | 'suspended'
  /** Null means that of the programme. */
  commission_percent: number | null
  /** The links, the oldest first. */
  links: AffiliateLink[]
  /** Clicks of all links. */
  clicks: number
  /** Conversions of any status. */
  conversions: number
  /** All commissions, less what refunds took back. */
  earned_cents: number
  /** The amount of the next payout; below 0 after refunds of paid commissions. */
  available_cents: number
  /** Held until it is available, or until a review. */
  pending_cents: number
  /** The sum of the payouts that were sent. */
  paid_cents: number
  /** When the partner applied or was invited. */
  created_at: string
  /** When the record last changed. */
  updated_at: string
}

/** The auto-renewal of a subscription. */
export interface AutoRenewal {
  /** The id of the auto-renewal. */
  id: number
  /** Always `auto_renewal`. */
  object: 'auto_renewal'
  /** The status. */
  status: 'active' | 'past_due' | 'cancelled' | 'expired'
  /** How renewals are paid: `manual`, `balance` or a provider. */
  provider: string
  /** The subscriber. */
  customer_email: string
  /** The product of the subscription. */
  product: {
    /** The product hash. */
    id: string
    /** The name of the product. */
    name: string
  }
  /** The order that started it. */
  origin_invoice_id: string
  /** The newest order of the subscription. */
  last_invoice_id: string
  /** The length of the current period in days. */
  period_days: number
  /** The price of each renewal, in minor units. */
  price_cents: number
  /** ISO 4217. */
  currency: string
  /** A coupon that applies to renewals; the price is already reduced by it. */
  discount_percent: number
  /** Renewals that were paid. */
  renewals_count: number
  /** Until when it is paid. */
  current_period_end: string
  /** When it was cancelled. */
  cancelled_at: string | null
  /** True while it is active or past due. */
  can_cancel: boolean
  /** When the subscription started. */
  created_at: string
}

/** An e-mail or IP address that cannot place orders. */
export interface BlocklistEntry {
  /** Blocklist entry id. */
  id: number
  /** Always `blocklist_entry`. */
  object: 'blocklist_entry'
  /** `email` or `ip`. */
  type: 'email' | 'ip'
  /**
   * In canonical form: an address, `*@domain`, an IP address, or a range such as `192.0.2.0/24`.
   */
  value: string
  /** Why, for the seller. */
  reason: string | null
  /** How many orders the entry refused. */
  hits: number
  /** When it was added. */
  created_at: string
  /** When it last changed; hits do not count. */
  updated_at: string
}

export type DetailsPatch = Partial<ProductDetails>

/** A webhook delivery. */
export interface ListedWebhookDelivery {
  /** The id of the delivery. */
  id: number
  /** Always `webhook_delivery`. */
  object: 'webhook_delivery'
  /** `delivering` while an attempt runs. */
  status: 'pending' | 'delivering' | 'succeeded' | 'failed' | 'cancelled'
  /** How often it was tried. */
  attempts: number
  /** When it is tried next; null if never, or parked. */
  next_attempt_at: string | null
  /** The last status code of the receiver. */
  last_status_code: number | null
  /** `code: sentence` of the last failure; null on success. */
  last_error: string | null
  /** How long the last attempt took. */
  last_duration_ms: number | null
  /** The event. */
  event: {
    /** The event; receivers discard doubles by it. */
    id: string
    /** Its type. */
    type: string
    /** True if it is a sample. */
    test: boolean
    /** The record of the event. */
    object_id: string
  }
  /** The webhook endpoint. */
  webhook: {
    /** The endpoint. */
    id: string
    /** Its address now. */
    url: string
    /** A note on its purpose. */
    description: string | null
    /** True if it is gone. */
    deleted: boolean
  }
  /** When the event happened. */
  created_at: string
  /** When it was last tried or changed. */
  updated_at: string
  /** True if a value is hidden from this key. */
  payload_redacted: boolean
}

/** A postal address to store. */
export interface NewAddress {
  /** The name of the recipient. */
  name: string
  /** Street and number. */
  line1: string
  /** Flat, floor or company. */
  line2?: string | null
  /** Town or city. */
  city: string
  /** State or province. */
  region?: string | null
  /** ZIP or postal code. */
  postal_code?: string | null
  /** ISO 3166-1 alpha-2. */
  country: string
  /** For the carrier. */
  phone?: string | null
}

/** A variant and its quantity. */
export interface NewOrderItem {
  /** The product hash; the numeric id is accepted too. */
  product_id: string
  /** Absent: the default variant. */
  variant_id?: number
  /** Units. */
  quantity: number
}

/** A way to pay, on or off. */
export type NewProductMethod = ProductMethod

export interface NewVariant {
  /** The name that distinguishes it from the other variants. */
  name: string
  /** The name in addresses, unique in the product. */
  slug?: string
  /** The kind of delivery. */
  delivery_type?: 'serial' | 'file' | 'service' | 'dynamic' | 'physical' | 'license'
  /** Minor units, before any discount. */
  price_cents?: number
  /** Taken off each unit; 0 means the product's applies. */
  discount_percent?: number
  /** A former price to show next to it. */
  compare_at_cents?: number | null
  /** Sold where an order names no variant. */
  is_default?: boolean
  /** True if it is sold. */
  active?: boolean
  /** Its position among its siblings. */
  sort_order?: number
  /** Its own picture. */
  image_url?: string | null
  /** `calculated` counts stock keys, `manual` is set by the seller, `unlimited` never ends. */
  stock_mode?: 'calculated' | 'manual' | 'unlimited'
  /** Units that can be sold now; 0 where stock is unlimited. */
  stock_quantity?: number
  /** The seller's own number, unique in the store. */
  sku?: string | null
  /** A GTIN, EAN or UPC. */
  barcode?: string | null
  /** For shipping by weight. */
  weight_grams?: number | null
  /** When false, stock is not counted. */
  track_inventory?: boolean
  /** When true, orders pass without stock. */
  allow_backorder?: boolean
  /** Units at which stock counts as low. */
  low_stock_threshold?: number | null
  /** Such as size and colour. */
  option_values?: string[]
}

export interface PageQuery {
  /** Records on a page, 1 to 100. Default `25`. */
  limit?: number
  /** Records to skip. Default `0`. */
  offset?: number
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

/** The result of one attempt. */
export interface SendResult {
  /** True if the receiver answered with 2xx in time. */
  ok: boolean
  /** The status code of the receiver; null without an answer. */
  status_code: number | null
  /** `code: sentence` of a failure; null on success. */
  error: string | null
  /** How long it took. */
  duration_ms: number
}

export type SeoPatch = Partial<ProductSeo>

/** A webhook delivery with all its attempts. */
export interface WebhookDelivery extends ListedWebhookDelivery {
  /** The event as it is sent. */
  payload: Record<string, unknown>
  /** Every attempt, the oldest first. */
  attempt_history: {
    /** Its number, from 1. */
    attempt: number
    /** The status code of the receiver; null without an answer. */
    status_code: number | null
    /** The first 4 KiB of the answer; null where `payload_redacted`, as it may repeat it. */
    response_body: string | null
    /** `code: sentence` of a failure; null on success. */
    error: string | null
    /** How long it took. */
    duration_ms: number | null
    /** True for a manual attempt. */
    manual: boolean
    /** When it was created. */
    created_at: string
  }[]
}
