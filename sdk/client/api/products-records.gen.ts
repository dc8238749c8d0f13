// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.

/** The texts of the product page. */
export interface ProductDetails {
  /** A summary of one or two sentences. */
  short_description: string | null
  /** The description as HTML. Scripts and other unsafe parts are removed. */
  description_html: string | null
  /** The URL of a video to show. */
  youtube_url: string | null
  /** A message to the customer on delivery. */
  delivered_message: string | null
  /** Short facts about the product, by name. */
  highlights: Record<string, string>
}

/** A picture or a video. */
export interface ProductMedia {
  /** The id of the picture or video. */
  id: number
  /** The kind of media. */
  kind: 'image' | 'video'
  /** The URL of the picture or video. */
  url: string
  /** The position among the media of the product, from 0. */
  position: number
  /** True for the main picture of the product. */
  is_main: boolean
  /** Further data, such as width and height. */
  meta: Record<string, unknown>
  /** The time at which it was added. */
  created_at: string
}

/** A payment method of the product. */
export interface ProductMethod {
  /** The payment method. `test` exists on test sides only. */
  method: 'manual' | 'crypto' | 'card' | 'paypal' | 'balance' | 'test'
  /**
   * True if the product accepts the method. An order can use it only if it is also connected to the
   * store.
   */
  enabled: boolean
}

/** The texts for search engines and shared links. */
export interface ProductSeo {
  /** The title for search engines. */
  meta_title: string | null
  /** The summary for search engines. */
  meta_description: string | null
  /** The title for shared links. */
  og_title: string | null
  /** The summary for shared links. */
  og_description: string | null
  /** The URL of the picture for shared links. */
  og_image_url: string | null
}

/** A variant of a product: the unit that is sold. */
export interface Variant {
  /** The id of the variant. */
  id: number
  /** Always `variant`. */
  object: 'variant'
  /** The hash of the product. */
  product_id: string
  /** The name that distinguishes it from the other variants. */
  name: string
  /** The name in URLs, unique in the product. */
  slug: string
  /** The delivery type. */
  delivery_type: 'serial' | 'file' | 'service' | 'dynamic' | 'physical' | 'license'
  /** The price in minor units, before any discount. */
  price_cents: number
  /** The discount on each unit in percent. If it is 0, the discount of the product applies. */
  discount_percent: number
  /** A former price in minor units, shown for comparison. */
  compare_at_cents: number | null
  /** True for the variant that is sold if an item has no `variant_id`. */
  is_default: boolean
  /** True if the variant can be sold. */
  active: boolean
  /** The position among the variants of the product. */
  sort_order: number
  /** The URL of a picture of the variant. */
  image_url: string | null
  /**
   * `calculated` counts stock keys, with `manual` the seller sets the quantity, and `unlimited`
   * never runs out.
   */
  stock_mode: 'calculated' | 'manual' | 'unlimited'
  /** The units that can be sold now; 0 if stock is unlimited. */
  stock_quantity: number
  /** The SKU, unique in the store. */
  sku: string | null
  /** A GTIN, EAN or UPC. */
  barcode: string | null
  /** The weight of one unit in grams, for shipping rates by weight. */
  weight_grams: number | null
  /** If false, stock is not counted. */
  track_inventory: boolean
  /** If true, the variant can be ordered without stock. */
  allow_backorder: boolean
  /** Stock counts as low at this number of units or fewer; null for never. */
  low_stock_threshold: number | null
  /** The options of the variant, such as its size and colour. */
  option_values: string[]
  /** The time of creation. */
  created_at: string
  /** The time of the last change. */
  updated_at: string
}
