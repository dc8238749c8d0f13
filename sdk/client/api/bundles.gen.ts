// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { CallOptions } from '../transport.ts'

/** Products, variants, texts, media and files. */
export interface BundlesApi {
  /**
   * Get what a bundle contains.
   *
   * Needs the permission `products:read`.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: string, options?: CallOptions): Call<{ bundle: ProductBundle }>
  /**
   * Set what a product of the kind `bundle` contains.
   *
   * An order of the bundle has a line for each variant in it, which takes its own stock and is
   * delivered on its own. The price of the bundle is split over the units in proportion to their
   * prices, so the lines add up to it.
   *
   * Needs the permission `products:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  set(id: string, body: NewProductBundle, options?: CallOptions): Call<{ bundle: ProductBundle }>
}

/** A variant in a bundle, and its units. */
export interface BundleItem {
  /** The product hash. */
  product_id: string
  /** The name of the product. */
  product_name: string
  /** The variant. */
  variant_id: number
  /** The name of the variant. */
  variant_name: string
  /** Units in one bundle. */
  quantity: number
}

export interface NewBundleItem {
  /** A variant of a product of the kind `single`. */
  variant_id: number
  /** Units in one bundle. Default `1`. */
  quantity?: number
}

export interface NewProductBundle {
  /** All contents. Without any, the product is sold as it is. */
  items: NewBundleItem[]
}

/** The contents of a product of the kind `bundle`. */
export interface ProductBundle {
  /** Always `product_bundle`. */
  object: 'product_bundle'
  /** The product hash. */
  product_id: string
  /** The contents, in the sequence of the lines of an order. */
  items: BundleItem[]
}
