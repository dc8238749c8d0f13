// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { ProductDetails, ProductMedia, ProductMethod, ProductSeo, Variant } from './products-records.gen.ts'
import type { DetailsPatch, PageQuery, Pagination, ProductMethodInput, SeoPatch, VariantInput } from './shared.gen.ts'

/** Products, variants, texts, media and files. */
export interface ProductsApi {
  /**
   * List products.
   *
   * `total` is exact up to 10,000. For a category alone, or for filters by status, visibility,
   * `active`, type and kind, it is exact beyond that too. `has_more` is always exact.
   *
   * Needs the permission `products:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: ProductsListQuery, options?: CallOptions): List<{ products: ListedProduct[]; pagination: Pagination }, ListedProduct>
  /**
   * Create a product with its sections and variants.
   *
   * Without `variants`, a variant "Default" is created with the price and type of the product. If
   * the fields are absent, the product is of the type `serial` and the kind `single`, `active` and
   * `public`, so it is on sale as soon as it has stock. A product of the type `license` needs no
   * stock: each sale creates a key by the license policy of the variant.
   *
   * Needs the permission `products:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  create(body: ProductInput, options?: PostOptions): Call<ProductSections>
  /**
   * Get a product with all its sections.
   *
   * Needs the permission `products:read`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: string, options?: CallOptions): Call<ProductSections>
  /**
   * Update a product. Absent fields keep their values; null clears a field.
   *
   * A new `price_cents` also becomes the price of the default variant.
   *
   * Needs the permission `products:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  update(id: string, body: ProductPatch, options?: CallOptions): Call<ProductSections>
  /**
   * Delete a product. Its orders keep its name. Its slug and SKUs can be used again.
   *
   * Needs the permission `products:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`
   */
  delete(id: string, options?: CallOptions): Call<{
    /** Always true. */
    deleted: boolean
    /** The product hash. */
    id: string
  }>
  /**
   * Create a draft copy of a product.
   *
   * Texts, prices, options, categories and media are copied; keys, stock, files and SKUs are not.
   *
   * Needs the permission `products:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`
   */
  duplicate(id: string, options?: PostOptions): Call<ProductSections>
}

/** A product with the requested sections. */
export interface ListedProduct extends Product {
  details?: ProductDetails
  seo?: ProductSeo
  /** The payment methods of the product. */
  methods?: ProductMethod[]
  /** The pictures and videos, by position. */
  media?: ProductMedia[]
  /** The variants, by sort order. */
  variants?: Variant[]
}

/** A product. */
export interface Product {
  /** The product hash. */
  id: string
  /** Always `product`. */
  object: 'product'
  /** The same as `id`. */
  hash_id: string
  /** The numeric id. Paths accept it too. */
  legacy_id: number
  /** The name, 1 to 128 characters. */
  name: string
  /** The name in URLs, unique in the store. */
  slug: string
  /** The kind of goods. */
  type: 'serial' | 'file' | 'service' | 'dynamic' | 'physical' | 'license'
  /** The kind of sale: once, as a subscription, or as a bundle of other products. */
  product_kind: 'single' | 'subscription' | 'bundle'
  /** The status. Only an `active` product can be sold. */
  status: 'draft' | 'active' | 'archived'
  /** A product can be sold only if this is true and its status is `active`. */
  active: boolean
  /** The visibility. A product with `on_hold` cannot be sold. */
  visibility: 'public' | 'unlisted' | 'private' | 'on_hold'
  /** The price in minor units, which is also the price of the default variant. */
  price_cents: number
  /** The discount on each unit in percent. A discount of the variant replaces it. */
  discount_percent: number
  /** The currency of the store, as an ISO 4217 code. */
  currency: string
  /** True if coupons apply to the product. */
  accepts_coupons: boolean
  /** The minimum number of units in one order. */
  min_qty: number
  /** The maximum number of units in one order; null for no limit. */
  max_qty: number | null
  /** The maximum number of units that one customer may ever buy; null for no limit. */
  sell_limit: number | null
  /** True if the product is shipped to an address. */
  requires_shipping: boolean
  /** The SKU, unique in the store. */
  sku: string | null
  /** A note that is shown with the delivery. */
  delivery_note: string | null
  /** True if the storefront marks the product as a best seller. */
  best_seller: boolean
  /** Your own data: up to 20 keys of 40 characters, with values of up to 500. */
  metadata: Record<string, string>
  /** Stock counts as low at this number of units or fewer; null for never. */
  stock_alert_threshold: number | null
  /** The units sold so far. */
  sales_count: number
  /** The categories that contain the product. */
  categories: {
    /** The id of the category. */
    id: number
    /** The name of the category. */
    name: string
    /** The icon of the category. */
    icon: string | null
  }[]
  /** The time of creation. */
  created_at: string
  /** The time of the last change. */
  updated_at: string
}

export interface ProductInput {
  /** The name, 1 to 128 characters. */
  name: string
  /** The name in URLs, unique in the store. Default: made from the name. */
  slug?: string
  /** The kind of goods. Default `"serial"`. */
  type?: 'serial' | 'file' | 'service' | 'dynamic' | 'physical' | 'license'
  /**
   * The kind of sale: once, as a subscription, or as a bundle of other products. Default
   * `"single"`.
   */
  product_kind?: 'single' | 'subscription' | 'bundle'
  /** The status. Only an `active` product can be sold. Default `"active"`. */
  status?: 'draft' | 'active' | 'archived'
  /** A product can be sold only if this is true and its status is `active`. Default `true`. */
  active?: boolean
  /** The visibility. A product with `on_hold` cannot be sold. Default `"public"`. */
  visibility?: 'public' | 'unlisted' | 'private' | 'on_hold'
  /**
   * The price in minor units, which is also the price of the default variant. Required if
   * `variants` is absent. Default: the price of the default variant.
   */
  price_cents?: number
  /** The discount on each unit in percent. A discount of the variant replaces it. Default `0`. */
  discount_percent?: number
  /** The currency, as an ISO 4217 code. Default: that of the store, and no other. */
  currency?: string
  /** True if coupons apply to the product. Default `true`. */
  accepts_coupons?: boolean
  /** The minimum number of units in one order. Default `1`. */
  min_qty?: number
  /** The maximum number of units in one order; null for no limit. */
  max_qty?: number | null
  /** The maximum number of units that one customer may ever buy; null for no limit. */
  sell_limit?: number | null
  /**
   * True if the product is shipped to an address. Default: true for the type `physical`, otherwise
   * false.
   */
  requires_shipping?: boolean
  /** The SKU, unique in the store. */
  sku?: string | null
  /** A note that is shown with the delivery. */
  delivery_note?: string | null
  /** True if the storefront marks the product as a best seller. Default `false`. */
  best_seller?: boolean
  /** Your own data: up to 20 keys of 40 characters, with values of up to 500. Default `{}`. */
  metadata?: Record<string, string>
  /** Stock counts as low at this number of units or fewer; null for never. */
  stock_alert_threshold?: number | null
  /** The ids of the categories that contain the product. Default `[]`. */
  category_ids?: number[]
  /** The texts of the product page. Default: all are empty. */
  details?: DetailsPatch
  /** The texts for search engines and shared links. Default: all are empty. */
  seo?: SeoPatch
  /**
   * The payment methods that the product accepts or refuses. Default: each method is enabled while
   * it is connected to the store.
   */
  methods?: ProductMethodInput[]
  /** The variants. Default: one variant "Default" with the price of the product. */
  variants?: VariantInput[]
}

export interface ProductPatch extends Partial<Pick<
  Product,
  'name' | 'slug' | 'type' | 'product_kind' | 'status' | 'active' | 'visibility' | 'price_cents' |
    'discount_percent' | 'currency' | 'accepts_coupons' | 'min_qty' | 'max_qty' | 'sell_limit' |
    'requires_shipping' | 'sku' | 'delivery_note' | 'best_seller' | 'metadata' |
    'stock_alert_threshold'
>> {
  /** The ids of the categories that contain the product. They replace its present categories. */
  category_ids?: number[]
  /** The texts of the product page. */
  details?: DetailsPatch
  /** The texts for search engines and shared links. */
  seo?: SeoPatch
  /** The payment methods to change. Other methods keep their setting. */
  methods?: ProductMethodInput[]
}

/** A product with all its sections. */
export interface ProductSections {
  /** The product. */
  product: Product
  details: ProductDetails
  seo: ProductSeo
  /** The payment methods of the product. */
  methods: ProductMethod[]
  /** The pictures and videos, by position. */
  media: ProductMedia[]
  /** The variants, by sort order. */
  variants: Variant[]
}

export interface ProductsListQuery extends PageQuery {
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
  /** Only products with one of these statuses. */
  status?: ('draft' | 'active' | 'archived')[]
  /** Only products with one of these visibilities. */
  visibility?: ('public' | 'unlisted' | 'private' | 'on_hold')[]
  /** Only products of one of these types. */
  type?: ('serial' | 'file' | 'service' | 'dynamic' | 'physical' | 'license')[]
  /** Only products of one of these kinds. */
  product_kind?: ('single' | 'subscription' | 'bundle')[]
  /** Only products with this value of `active`. */
  active?: boolean
  /**
   * If true, only products with a variant that can be sold now; if false, only those without one.
   */
  in_stock?: boolean
  /** Only products in this category. */
  category_id?: number
  /** Only products in this group. */
  group_id?: number
  /** A part of the name, slug or SKU; case is ignored. */
  search?: string
  /** The sections to add to each product. */
  include?: ('details' | 'seo' | 'methods' | 'media' | 'variants')[]
  /**
   * The field to sort by, with `-` for descending order. Equal values are sorted by id. Names are
   * sorted as in a dictionary, and case is ignored. Default `"-created_at"`.
   */
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
