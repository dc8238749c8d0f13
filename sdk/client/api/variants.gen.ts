// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { Variant } from './products-records.gen.ts'
import type { NewVariant } from './shared.gen.ts'

/** Products, variants, texts, media and files. */
export interface VariantsApi {
  /**
   * List the variants of a product, by sort order.
   *
   * Needs the permission `products:read`.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`
   */
  list(id: string, options?: CallOptions): Call<{
    /** All variants of the product, by sort order. */
    variants: Variant[]
  }>
  /**
   * Add a variant to a product.
   *
   * Without a price it has the product's price; without a position it is the last.
   *
   * Needs the permission `products:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  create(id: string, body: NewVariant, options?: PostOptions): Call<{
    /** The variant. */
    variant: Variant
  }>
  /**
   * Put the variants of a product in another order.
   *
   * Needs the permission `products:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  order(id: string, body: NewVariantOrder, options?: CallOptions): Call<{
    /** All variants of the product, by sort order. */
    variants: Variant[]
  }>
  /**
   * Get a variant.
   *
   * Needs the permission `products:read`.
   * @param id The product hash; the numeric id is accepted too.
   * @param variantId The variant.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: string, variantId: number, options?: CallOptions): Call<{
    /** The variant. */
    variant: Variant
  }>
  /**
   * Update a variant. Fields you leave out keep their value; null clears.
   *
   * The price of the default variant is the price of the product too.
   *
   * Needs the permission `products:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @param variantId The variant.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`, `VALIDATION_FAILED`
   */
  update(id: string, variantId: number, body: VariantPatch, options?: CallOptions): Call<{
    /** The variant. */
    variant: Variant
  }>
  /**
   * Delete a variant. The last one of a product stays.
   *
   * If the default variant is deleted, the first of the others becomes the default.
   *
   * Needs the permission `products:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @param variantId The variant.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  delete(id: string, variantId: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: true
    /** The variant that is gone. */
    id: number
  }>
  /**
   * Get how big one unit of a variant is.
   *
   * Needs the permission `products:read`.
   * @param id The product hash; the numeric id is accepted too.
   * @param variantId The variant.
   * @throws {TradepostError} `NOT_FOUND`
   */
  getDimensions(id: string, variantId: number, options?: CallOptions): Call<{
    /** How big one unit is. */
    shipping_dimensions: ShippingDimensions
  }>
  /**
   * Say how big one unit of a variant is, for volumetric shipping rates.
   *
   * Needs the permission `products:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @param variantId The variant.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  setDimensions(id: string, variantId: number, body: NewShippingDimensions, options?: CallOptions): Call<{
    /** How big one unit is. */
    shipping_dimensions: ShippingDimensions
  }>
  /**
   * Get the address that texts of a dynamic variant are asked for.
   *
   * Needs the permission `products:read`.
   * @param id The product hash; the numeric id is accepted too.
   * @param variantId The variant.
   * @throws {TradepostError} `NOT_FOUND`
   */
  getDynamic(id: string, variantId: number, options?: CallOptions): Call<{ dynamic: DynamicAddress }>
  /**
   * Set the address that texts of a dynamic variant are asked for.
   *
   * When an order is paid, Tradepost sends a signed POST there. A 2xx answer of at most 64 KiB of
   * text within 10 seconds is the delivered text. There are three attempts; then the delivery is
   * `failed`. The signature is that of webhooks, with the secret of the first answer. All attempts
   * of a delivery have the same `id`.
   *
   * Needs the permission `products:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @param variantId The variant.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  setDynamic(id: string, variantId: number, body: NewDynamicAddress, options?: CallOptions): Call<{ dynamic: SetDynamicAddress }>
}

/** The address that provides the texts of a dynamic variant. */
export interface DynamicAddress {
  /** The address; null if there is none. */
  url: string | null
  /** When the first address was set. */
  created_at: string | null
  /** When it was last set. */
  updated_at: string | null
}

export interface NewDynamicAddress {
  /**
   * The address that is asked for the text of each delivery. Null removes it; the next address gets
   * a new secret.
   */
  url: string | null
}

export type NewShippingDimensions = ShippingDimensions

export interface NewVariantOrder {
  /** All ids, each once, in the new order. */
  ids: number[]
}

/** The address as it was set. */
export interface SetDynamicAddress {
  /** The address; null if there is none. */
  url: string | null
  /** When the first address was set. */
  created_at: string | null
  /** When it was last set. */
  updated_at: string | null
  /** The secret of the signature, with the first address only. Store it now. */
  secret: string | null
}

/** How big one unit is, for volumetric rates. */
export interface ShippingDimensions {
  /** Centimetres, up to two decimals. */
  length_cm: number | null
  /** Centimetres, up to two decimals. */
  width_cm: number | null
  /** Centimetres, up to two decimals. */
  height_cm: number | null
}

export type VariantPatch = Partial<Pick<
  Variant,
  'name' | 'slug' | 'delivery_type' | 'price_cents' | 'discount_percent' | 'compare_at_cents' |
    'is_default' | 'active' | 'sort_order' | 'image_url' | 'stock_mode' | 'stock_quantity' | 'sku' |
    'barcode' | 'weight_grams' | 'track_inventory' | 'allow_backorder' | 'low_stock_threshold' |
    'option_values'
>>
