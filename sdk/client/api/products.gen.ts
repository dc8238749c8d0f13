// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { ProductDetails, ProductMedia, ProductMethod, ProductSeo, Variant } from './products-records.gen.ts'
import type { DetailsPatch, NewProductMethod, NewVariant, PageQuery, Pagination, SeoPatch } from './shared.gen.ts'

/** Products, variants, texts, media and files. */
export interface ProductsApi {
  /**
   * List products.
   *
   * `total` is exact up to 10,000, and beyond it for a category, or for filters by status,
   * visibility, `active`, type and kind. `has_more` is always right.
   *
   * Needs the permission `products:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: ProductsListQuery, options?: CallOptions): List<{ products: ListedProduct[]; pagination: Pagination }, ListedProduct>
  /**
   * Create a product with its sections and variants.
   *
   * Without `variants` one is created: "Default", with the price and type of the product.
   *
   * Needs the permission `products:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  create(body: NewProduct, options?: PostOptions): Call<ProductSections>
  /**
   * Get a product with all its sections.
   *
   * Needs the permission `products:read`.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: string, options?: CallOptions): Call<ProductSections>
  /**
   * Update a product. Fields you leave out keep their value; null clears.
   *
   * A changed `price_cents` is the price of the default variant too.
   *
   * Needs the permission `products:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  update(id: string, body: ProductPatch, options?: CallOptions): Call<ProductSections>
  /**
   * Delete a product. Orders keep its name; its slug and SKUs are free again.
   *
   * Needs the permission `products:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`
   */
  delete(id: string, options?: CallOptions): Call<{
    /** Always true. */
    deleted: true
    /** The product hash. */
    id: string
  }>
  /**
   * Create a draft copy of a product.
   *
   * Texts, prices, options, categories and media are copied; keys, stock, files and SKUs are not.
   *
   * Needs the permission `products:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`
   */
  duplicate(id: string, options?: PostOptions): Call<ProductSections>
}

/** A product, with the sections that were asked for. */
export interface ListedProduct extends Product {
  details?: ProductDetails
  seo?: ProductSeo
  /** How it can be paid. */
  methods?: ProductMethod[]
  /** Pictures and videos, by position. */
  media?: ProductMedia[]
  /** The variants, by sort order. */
  variants?: Variant[]
}

export interface NewProduct {
  /** The name, 1 to 128 characters. */
  name: string
  /** The name in addresses, unique in the store; generated from the name if absent. */
  slug?: string
  /** The kind of goods. */
  type?: 'serial' | 'file' | 'service' | 'dynamic' | 'physical' | 'license'
  /** Sold once, as a subscription, or as a bundle of other products. */
  product_kind?: 'single' | 'subscription' | 'bundle'
  /** Only an active product is sold. */
  status?: 'draft' | 'active' | 'archived'
  /** A switch in addition to the status: both must allow the sale. */
  active?: boolean
  /** The visibility; `on_hold` is not sold. */
  visibility?: 'public' | 'unlisted' | 'private' | 'on_hold'
  /** Minor units; the default variant's price, both are one value. */
  price_cents?: number
  /** Taken off each unit, 0 to 100; a variant may have its own. */
  discount_percent?: number
  /** ISO 4217; the currency of the store. */
  currency?: string
  /** True if coupons apply to it. */
  accepts_coupons?: boolean
  /** Fewest units in one order. */
  min_qty?: number
  /** Most units in one order; null means no limit. */
  max_qty?: number | null
  /** Units one customer may ever buy; null means no limit. */
  sell_limit?: number | null
  /** True if it is sent to an address. */
  requires_shipping?: boolean
  /** The seller's own number, unique in the store. */
  sku?: string | null
  /** Shown with the delivery. */
  delivery_note?: string | null
  /** Marks it in the storefront. */
  best_seller?: boolean
  /** Notes of your own: 20 keys of 40 characters, values of 500. */
  metadata?: Record<string, string>
  /** Units at which stock counts as low; null means never. */
  stock_alert_threshold?: number | null
  /** Categories to list it in; replaces the list it had. */
  category_ids?: number[]
  /** Texts of its page. */
  details?: DetailsPatch
  /** Texts for search engines and shares. */
  seo?: SeoPatch
  /** Methods that are not named keep their state. */
  methods?: NewProductMethod[]
  /** Without them one is created: "Default", with the product's price. */
  variants?: NewVariant[]
}

/** The product. */
export interface Product {
  /** The product hash. */
  id: string
  /** Always `product`. */
  object: 'product'
  /** The same as `id`. */
  hash_id: string
  /** The numeric id; paths accept it too. */
  legacy_id: number
  /** The name, 1 to 128 characters. */
  name: string
  /** The name in addresses, unique in the store; generated from the name if absent. */
  slug: string
  /** The kind of goods. */
  type: 'serial' | 'file' | 'service' | 'dynamic' | 'physical' | 'license'
  /** Sold once, as a subscription, or as a bundle of other products. */
  product_kind: 'single' | 'subscription' | 'bundle'
  /** Only an active product is sold. */
  status: 'draft' | 'active' | 'archived'
  /** A switch in addition to the status: both must allow the sale. */
  active: boolean
  /** The visibility; `on_hold` is not sold. */
  visibility: 'public' | 'unlisted' | 'private' | 'on_hold'
  /** Minor units; the default variant's price, both are one value. */
  price_cents: number
  /** Taken off each unit, 0 to 100; a variant may have its own. */
  discount_percent: number
  /** ISO 4217; the currency of the store. */
  currency: string
  /** True if coupons apply to it. */
  accepts_coupons: boolean
  /** Fewest units in one order. */
  min_qty: number
  /** Most units in one order; null means no limit. */
  max_qty: number | null
  /** Units one customer may ever buy; null means no limit. */
  sell_limit: number | null
  /** True if it is sent to an address. */
  requires_shipping: boolean
  /** The seller's own number, unique in the store. */
  sku: string | null
  /** Shown with the delivery. */
  delivery_note: string | null
  /** Marks it in the storefront. */
  best_seller: boolean
  /** Notes of your own: 20 keys of 40 characters, values of 500. */
  metadata: Record<string, string>
  /** Units at which stock counts as low; null means never. */
  stock_alert_threshold: number | null
  /** Units ever sold. */
  sales_count: number
  /** The categories that list it. */
  categories: {
    /** The category. */
    id: number
    /** Its name. */
    name: string
    /** Its icon. */
    icon: string | null
  }[]
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

export type ProductPatch = Partial<Pick<
  NewProduct,
  'name' | 'slug' | 'type' | 'product_kind' | 'status' | 'active' | 'visibility' | 'price_cents' |
    'discount_percent' | 'currency' | 'accepts_coupons' | 'min_qty' | 'max_qty' | 'sell_limit' |
    'requires_shipping' | 'sku' | 'delivery_note' | 'best_seller' | 'metadata' |
    'stock_alert_threshold' | 'category_ids' | 'details' | 'seo' | 'methods'
>>

/** A product with all its sections. */
export interface ProductSections {
  product: Product
  details: ProductDetails
  seo: ProductSeo
  /** How it can be paid. */
  methods: ProductMethod[]
  /** Pictures and videos, by position. */
  media: ProductMedia[]
  /** The variants, by sort order. */
  variants: Variant[]
}

export interface ProductsListQuery extends PageQuery {
  /** `draft`, `active`, `archived`. */
  status?: ('draft' | 'active' | 'archived')[]
  /** `public`, `unlisted`, `private`, `on_hold`. */
  visibility?: ('public' | 'unlisted' | 'private' | 'on_hold')[]
  /** The kind of goods. */
  type?: ('serial' | 'file' | 'service' | 'dynamic' | 'physical' | 'license')[]
  /** `single`, `subscription`, `bundle`. */
  product_kind?: ('single' | 'subscription' | 'bundle')[]
  /** `true` or `false`. */
  active?: boolean
  /** True for products with a variant that can be sold now. */
  in_stock?: boolean
  /** Products in this category. */
  category_id?: number
  /** Products in this group. */
  group_id?: number
  /** Part of the name, slug or SKU, without case. */
  search?: string
  /** Made at this moment or later. */
  created_from?: string
  /** Made before this moment. */
  created_to?: string
  /** Sections to add to each product. */
  include?: ('details' | 'seo' | 'methods' | 'media' | 'variants')[]
  /** A field, with `-` for falling order; ties by id. Default `"-created_at"`. */
  sort?:
    | 'created_at'
    | '-created_at'
    | 'name'
    | '-name'
    | 'price_cents'
    | '-price_cents'
    | 'sales_count'
    | '-sales_count'
}
