// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { CallOptions } from '../transport.ts'

/** Products, variants, texts, media and files. */
export interface BundlesApi {
  /**
   * Get the contents of a bundle.
   *
   * Needs the permission `products:read`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: string, options?: CallOptions): Call<{ bundle: ProductBundle }>
  /**
   * Set the contents of a product of the kind `bundle`.
   *
   * An order of the bundle has a line for each variant in it. Each line takes stock of its variant
   * and is delivered separately. The price of the bundle is split over the units in proportion to
   * their prices, so the sum of the lines is the price of the bundle.
   *
   * Needs the permission `products:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  set(id: string, body: ProductBundleInput, options?: CallOptions): Call<{ bundle: ProductBundle }>
}

/** A variant in a bundle, and its quantity. */
export interface BundleItem {
  /** The product hash. */
  product_id: string
  /** The name of the product. */
  product_name: string
  /** The id of the variant. */
  variant_id: number
  /** The name of the variant. */
  variant_name: string
  /** The number of units in one bundle. */
  quantity: number
}

export interface BundleItemInput {
  /** The id of a variant. Its product must have the kind `single`. */
  variant_id: number
  /** The number of units in one bundle. Default `1`. */
  quantity?: number
}

/** The contents of a product of the kind `bundle`. */
export interface ProductBundle {
  /** Always `product_bundle`. */
  object: 'product_bundle'
  /** The product hash. */
  product_id: string
  /** The contents, in the sequence in which they become order lines. */
  items: BundleItem[]
}

export interface ProductBundleInput {
  /** All contents of the bundle. If the list is empty, the product itself is sold. */
  items: BundleItemInput[]
}
