// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.

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
  /** The id of this picture or video. */
  id: number
  /** The kind. */
  kind: 'image' | 'video'
  /** The URL. */
  url: string
  /** Its position, from 0. */
  position: number
  /** True if it stands for the product. */
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
  /** True if this product accepts it. Orders also need it connected to the store. */
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

/** A variant of a product: the unit that is sold. */
export interface Variant {
  /** The id of the variant. */
  id: number
  /** Always `variant`. */
  object: 'variant'
  /** The hash of its product. */
  product_id: string
  /** The name that distinguishes it from the other variants. */
  name: string
  /** The name in addresses, unique in the product. */
  slug: string
  /** The kind of delivery. */
  delivery_type: 'serial' | 'file' | 'service' | 'dynamic' | 'physical' | 'license'
  /** Minor units, before any discount. */
  price_cents: number
  /** Taken off each unit; 0 means the product's applies. */
  discount_percent: number
  /** A former price to show next to it. */
  compare_at_cents: number | null
  /** Sold where an order names no variant. */
  is_default: boolean
  /** True if it is sold. */
  active: boolean
  /** Its position among its siblings. */
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
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}
