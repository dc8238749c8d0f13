// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.

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
  /** What the next payout comes to; below 0 after refunds of paid commissions. */
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
  /** Where it stands. */
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
  /** What the receiver answered last. */
  last_status_code: number | null
  /** `code: sentence` of the last failure; null on success. */
  last_error: string | null
  /** How long the last attempt took. */
  last_duration_ms: number | null
  /** What is told. */
  event: {
    /** The event; receivers discard doubles by it. */
    id: string
    /** Its type. */
    type: string
    /** Whether it is a sample. */
    test: boolean
    /** The record it tells of. */
    object_id: string
  }
  /** Whom it is told to. */
  webhook: {
    /** The endpoint. */
    id: string
    /** Its address now. */
    url: string
    /** What it is for. */
    description: string | null
    /** Whether it is gone. */
    deleted: boolean
  }
  /** When the event happened. */
  created_at: string
  /** When it was last tried or changed. */
  updated_at: string
  /** Whether a value is hidden from this key. */
  payload_redacted: boolean
}

/** What is bought, and how much of it. */
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
  /** What tells it from its siblings. */
  name: string
  /** The name in addresses, unique in the product. */
  slug?: string
  /** What is handed over. */
  delivery_type?: 'serial' | 'file' | 'service' | 'dynamic' | 'physical' | 'license'
  /** Minor units, before any discount. */
  price_cents?: number
  /** Taken off each unit; 0 means the product's applies. */
  discount_percent?: number
  /** A former price to show beside it. */
  compare_at_cents?: number | null
  /** Sold where an order names no variant. */
  is_default?: boolean
  /** Whether it is sold. */
  active?: boolean
  /** Its place among its siblings. */
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

/** Texts of its page. */
export interface ProductDetails {
  /** One or two sentences. */
  short_description: string | null
  /** HTML; scripts and unsafe parts are removed. */
  description_html: string | null
  /** A video to show. */
  youtube_url: string | null
  /** Told to the customer on delivery. */
  delivered_message: string | null
  /** Short facts by name. */
  highlights: Record<string, string>
}

/** A picture or a video. */
export interface ProductMedia {
  /** Of this picture or video. */
  id: number
  /** What it is. */
  kind: 'image' | 'video'
  /** Where it is. */
  url: string
  /** Its place, from 0. */
  position: number
  /** Whether it stands for the product. */
  is_main: boolean
  /** Facts such as width and height. */
  meta: Record<string, unknown>
  /** When it was added. */
  created_at: string
}

/** A payment method of the product. */
export interface ProductMethod {
  /** A payment method; `test` on test sides only. */
  method: 'manual' | 'crypto' | 'card' | 'paypal' | 'balance' | 'test'
  /** Whether this product takes it. Orders also need it connected to the store. */
  enabled: boolean
}

/** Texts for search engines and shares. */
export interface ProductSeo {
  /** Title for search engines. */
  meta_title: string | null
  /** Summary for search engines. */
  meta_description: string | null
  /** Title when shared. */
  og_title: string | null
  /** Summary when shared. */
  og_description: string | null
  /** Picture when shared. */
  og_image_url: string | null
}

/** What the receiver said. */
export interface SendResult {
  /** Whether the receiver answered with 2xx in time. */
  ok: boolean
  /** What it answered. */
  status_code: number | null
  /** `code: sentence` of a failure; null on success. */
  error: string | null
  /** How long it took. */
  duration_ms: number
}

export type SeoPatch = Partial<ProductSeo>

/** What exactly is sold. */
export interface Variant {
  /** The id of the variant. */
  id: number
  /** Always `variant`. */
  object: 'variant'
  /** The hash of its product. */
  product_id: string
  /** What tells it from its siblings. */
  name: string
  /** The name in addresses, unique in the product. */
  slug: string
  /** What is handed over. */
  delivery_type: 'serial' | 'file' | 'service' | 'dynamic' | 'physical' | 'license'
  /** Minor units, before any discount. */
  price_cents: number
  /** Taken off each unit; 0 means the product's applies. */
  discount_percent: number
  /** A former price to show beside it. */
  compare_at_cents: number | null
  /** Sold where an order names no variant. */
  is_default: boolean
  /** Whether it is sold. */
  active: boolean
  /** Its place among its siblings. */
  sort_order: number
  /** Its own picture. */
  image_url: string | null
  /** `calculated` counts stock keys, `manual` is set by the seller, `unlimited` never ends. */
  stock_mode: 'calculated' | 'manual' | 'unlimited'
  /** Units that can be sold now; 0 where stock is unlimited. */
  stock_quantity: number
  /** The seller's own number, unique in the store. */
  sku: string | null
  /** A GTIN, EAN or UPC. */
  barcode: string | null
  /** For shipping by weight. */
  weight_grams: number | null
  /** When false, stock is not counted. */
  track_inventory: boolean
  /** When true, orders pass without stock. */
  allow_backorder: boolean
  /** Units at which stock counts as low. */
  low_stock_threshold: number | null
  /** Such as size and colour. */
  option_values: string[]
  /** When it was made. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

/** A webhook delivery with all its attempts. */
export interface WebhookDelivery extends ListedWebhookDelivery {
  /** The event as it is sent. */
  payload: Record<string, unknown>
  /** Every attempt, the oldest first. */
  attempt_history: {
    /** Its number, from 1. */
    attempt: number
    /** What the receiver answered. */
    status_code: number | null
    /** The first 4 KiB of the answer; null where `payload_redacted`, as it may repeat it. */
    response_body: string | null
    /** `code: sentence` of a failure; null on success. */
    error: string | null
    /** How long it took. */
    duration_ms: number | null
    /** Whether somebody asked for it. */
    manual: boolean
    /** When it was made. */
    created_at: string
  }[]
}
