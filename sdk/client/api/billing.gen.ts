// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { CallOptions } from '../transport.ts'

/** Products, variants, texts, media and files. */
export interface BillingApi {
  /**
   * Get the billing of a subscription product.
   *
   * Needs the permission `products:read`, and the feature `subscriptions` turned on in the store.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: string, options?: CallOptions): Call<{ billing: ProductBilling }>
  /**
   * Set the billing of a product of the kind `subscription`.
   *
   * A product of this kind can be sold only after its billing is set. The first order costs the
   * price of the product, even with a trial. For a free trial, set the price of the product to 0
   * and send `recurring_price_cents`. Existing subscriptions keep their terms.
   *
   * Needs the permission `products:write`, and the feature `subscriptions` turned on in the store.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  set(id: string, body: ProductBillingInput, options?: CallOptions): Call<{ billing: ProductBilling }>
}

/** The billing of a subscription product. */
export interface ProductBilling {
  /** Always `product_billing`. */
  object: 'product_billing'
  /** The product hash. */
  product_id: string
  /** The length of a billing period. */
  billing_cycle: 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly'
  /** The days between the first payment and the first renewal; 0 means that there is no trial. */
  trial_days: number
  /**
   * The price of one unit in each renewal, in minor units. Null means the price in the first order.
   */
  recurring_price_cents: number | null
  /** The time when the billing was first set. */
  created_at: string
  /** The time when the billing was last changed. */
  updated_at: string
}

export interface ProductBillingInput {
  /** The length of a billing period. */
  billing_cycle: 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly'
  /**
   * The days between the first payment and the first renewal; 0 means that there is no trial.
   * Default `0`.
   */
  trial_days?: number
  /**
   * The price of one unit in each renewal, in minor units. Null means the price in the first order.
   */
  recurring_price_cents?: number | null
}
