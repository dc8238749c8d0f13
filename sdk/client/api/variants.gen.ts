// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { Variant } from './products-records.gen.ts'
import type { VariantInput } from './shared.gen.ts'

/** Products, variants, texts, media and files. */
export interface VariantsApi {
  /**
   * List the variants of a product, by sort order.
   *
   * Needs the permission `products:read`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`
   */
  list(id: string, options?: CallOptions): Call<{
    /** All variants of the product, by sort order. */
    variants: Variant[]
  }>
  /**
   * Add a variant to a product.
   *
   * Without a price the variant has the product's price. Without a position it is the last one.
   *
   * Needs the permission `products:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  create(id: string, body: VariantInput, options?: PostOptions): Call<{
    /** The variant. */
    variant: Variant
  }>
  /**
   * Sort the variants of a product.
   *
   * Needs the permission `products:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  order(id: string, body: VariantOrderInput, options?: CallOptions): Call<{
    /** All variants of the product, by sort order. */
    variants: Variant[]
  }>
  /**
   * Get a variant.
   *
   * Needs the permission `products:read`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @param variantId The id of the variant.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: string, variantId: number, options?: CallOptions): Call<{
    /** The variant. */
    variant: Variant
  }>
  /**
   * Update a variant. Absent fields keep their values; null clears a field.
   *
   * A new price of the default variant also becomes the price of the product.
   *
   * Needs the permission `products:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @param variantId The id of the variant.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`, `VALIDATION_FAILED`
   */
  update(id: string, variantId: number, body: VariantPatch, options?: CallOptions): Call<{
    /** The variant. */
    variant: Variant
  }>
  /**
   * Delete a variant. The last variant of a product cannot be deleted.
   *
   * If the default variant is deleted, the first of the others becomes the default.
   *
   * Needs the permission `products:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @param variantId The id of the variant.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  delete(id: string, variantId: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: boolean
    /** The id of the deleted variant. */
    id: number
  }>
  /**
   * Get the dimensions of one unit of a variant.
   *
   * Needs the permission `products:read`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @param variantId The id of the variant.
   * @throws {TradepostError} `NOT_FOUND`
   */
  getDimensions(id: string, variantId: number, options?: CallOptions): Call<{
    /** The dimensions of one unit. */
    shipping_dimensions: ShippingDimensions
  }>
  /**
   * Set the dimensions of one unit of a variant, for volumetric shipping rates.
   *
   * Needs the permission `products:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @param variantId The id of the variant.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  setDimensions(id: string, variantId: number, body: ShippingDimensionsInput, options?: CallOptions): Call<{
    /** The dimensions of one unit. */
    shipping_dimensions: ShippingDimensions
  }>
  /**
   * Get the address that provides the texts of a dynamic variant.
   *
   * Needs the permission `products:read`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @param variantId The id of the variant.
   * @throws {TradepostError} `NOT_FOUND`
   */
  getDynamic(id: string, variantId: number, options?: CallOptions): Call<{ dynamic: DynamicAddress }>
  /**
   * Set the address that provides the texts of a dynamic variant.
   *
   * When an order is paid, Tradepost sends a signed POST to this address. If it answers with a 2xx
   * status within 10 seconds, the body of the answer, at most 64 KiB of text, is delivered to the
   * customer. After three failed attempts the delivery is `failed`. Requests are signed like
   * webhooks, with the secret that this operation returns when it sets the first address. All
   * attempts of a delivery have the same `id`.
   *
   * Needs the permission `products:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @param variantId The id of the variant.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  setDynamic(id: string, variantId: number, body: DynamicAddressInput, options?: CallOptions): Call<{ dynamic: SetDynamicAddress }>
}

/** The address that provides the texts of a dynamic variant. */
export interface DynamicAddress {
  /** The address; null if there is none. */
  url: string | null
  /** The time at which the first address was set. */
  created_at: string | null
  /** The time at which the address was last set. */
  updated_at: string | null
}

export interface DynamicAddressInput {
  /**
   * The address to call for the text of each delivery. Null removes it, and the next address then
   * gets a new secret.
   */
  url: string | null
}

/** The address that provides the texts of a dynamic variant, and its signing secret. */
export interface SetDynamicAddress {
  /** The address; null if there is none. */
  url: string | null
  /** The time at which the first address was set. */
  created_at: string | null
  /** The time at which the address was last set. */
  updated_at: string | null
  /**
   * The signing secret. It is shown only when the first address is set, so store it now; otherwise
   * null.
   */
  secret: string | null
}

/** The dimensions of one unit, for volumetric rates. */
export interface ShippingDimensions {
  /** The length in centimetres, with up to two decimals. */
  length_cm: number | null
  /** The width in centimetres, with up to two decimals. */
  width_cm: number | null
  /** The height in centimetres, with up to two decimals. */
  height_cm: number | null
}

export type ShippingDimensionsInput = ShippingDimensions

export interface VariantOrderInput {
  /** All ids, each once, in the new order. */
  ids: number[]
}

export type VariantPatch = Partial<Pick<
  Variant,
  'name' | 'slug' | 'delivery_type' | 'price_cents' | 'discount_percent' | 'compare_at_cents' |
    'is_default' | 'active' | 'sort_order' | 'image_url' | 'stock_mode' | 'stock_quantity' | 'sku' |
    'barcode' | 'weight_grams' | 'track_inventory' | 'allow_backorder' | 'low_stock_threshold' |
    'option_values'
>>
