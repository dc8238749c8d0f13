// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { CallOptions } from '../transport.ts'

/** Products, variants, texts, media and files. */
export interface BillingApi {
  /**
   * Get how a subscription product is billed.
   *
   * Needs the permission `products:read`, and the feature `subscriptions` switched on in the store.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: string, options?: CallOptions): Call<{ billing: ProductBilling }>
  /**
   * Set how a product of the kind `subscription` is billed.
   *
   * Such a product is on sale once this is set. The first order costs the price of the product,
   * with a trial too: for a free trial set its price to 0 and send `recurring_price_cents`.
   * Subscriptions that exist keep their terms.
   *
   * Needs the permission `products:write`, and the feature `subscriptions` switched on in the
   * store.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  set(id: string, body: NewProductBilling, options?: CallOptions): Call<{ billing: ProductBilling }>
}

export interface NewProductBilling {
  /** How often it renews. */
  billing_cycle: 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly'
  /** Days between the first payment and the first renewal. 0: no trial. Default `0`. */
  trial_days?: number
  /** The price of one unit in each renewal, in minor units. Null: the price in the first order. */
  recurring_price_cents?: number | null
}

/** How a product is billed. */
export interface ProductBilling {
  /** Always `product_billing`. */
  object: 'product_billing'
  /** The product hash. */
  product_id: string
  /** How often it renews. */
  billing_cycle: 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly'
  /** Days between the first payment and the first renewal. 0: no trial. */
  trial_days: number
  /** The price of one unit in each renewal, in minor units. Null: the price in the first order. */
  recurring_price_cents: number | null
  /** When it was first set. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}
