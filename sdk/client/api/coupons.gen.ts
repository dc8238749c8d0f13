// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { OrderItemInput, PageQuery, Pagination } from './shared.gen.ts'

/** Codes that lower the price of an order. */
export interface CouponsApi {
  /**
   * List coupons, the newest first.
   *
   * `total` is exact up to 10,000; `has_more` is always exact.
   *
   * Needs the permission `coupons:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: CouponsListQuery, options?: CallOptions): List<{ coupons: Coupon[]; pagination: Pagination }, Coupon>
  /**
   * Create a coupon.
   *
   * Needs the permission `coupons:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  create(body: CouponInput, options?: PostOptions): Call<{ coupon: Coupon }>
  /**
   * Check a coupon for an order, and get its discount.
   *
   * The check does not count a use and does not reserve one. Other orders may use the coupon up
   * before your order is created.
   *
   * Needs the permission `coupons:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  validate(body: CouponCheck, options?: PostOptions): Call<{
    /** True if an order of these items can use the coupon. */
    valid: boolean
    /** The reason why the coupon cannot be used; null if it can. */
    reason:
      | 'not_found'
      | 'inactive'
      | 'not_started'
      | 'expired'
      | 'max_uses'
      | 'max_uses_per_customer'
      | 'min_order'
      | 'not_applicable'
      | 'email_not_allowed'
      | null
    /** The discount in minor units. */
    discount_cents: number
  }>
  /**
   * Get a coupon.
   *
   * Needs the permission `coupons:read`.
   * @param id The id of the coupon.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: number, options?: CallOptions): Call<{ coupon: Coupon }>
  /**
   * Update a coupon. Absent fields keep their values; null clears a field.
   *
   * Orders that use the coupon keep their discount.
   *
   * Needs the permission `coupons:write`.
   * @param id The id of the coupon.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  update(id: number, body: CouponPatch, options?: CallOptions): Call<{ coupon: Coupon }>
  /**
   * Delete a coupon.
   *
   * Orders that use the coupon keep their discount.
   *
   * Needs the permission `coupons:write`.
   * @param id The id of the coupon.
   * @throws {TradepostError} `NOT_FOUND`
   */
  delete(id: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: boolean
    /** The id of the deleted coupon. */
    id: number
  }>
}

/** A code for a discount. */
export interface Coupon {
  /** The id of the coupon. */
  id: number
  /** Always `coupon`. */
  object: 'coupon'
  /** The code that customers enter, unique in the store. Case is ignored. */
  code: string
  /** The type of the discount: a percentage of the price, or a fixed amount. */
  type: 'percentage' | 'fixed'
  /** The percentage of a `percentage` coupon: above 0, up to 100. Null for the other type. */
  discount_percent: number | null
  /** The amount of a `fixed` coupon, in minor units. Null for the other type. */
  amount_cents: number | null
  /** The maximum number of orders that may use the coupon; null for no limit. */
  max_uses: number | null
  /**
   * The maximum number of orders of one customer, identified by email, that may use the coupon;
   * null for no limit.
   */
  max_uses_per_customer: number | null
  /**
   * The minimum sum of the lines to which the coupon applies, before the discount, in minor units;
   * null for no minimum.
   */
  min_order_cents: number | null
  /** The time from which the coupon can be used; null for no start. */
  starts_at: string | null
  /** The time from which the coupon can no longer be used; null for no end. */
  expires_at: string | null
  /** The hashes of the products to which the coupon applies. */
  product_ids: string[]
  /** The ids of the variants to which the coupon applies. */
  variant_ids: number[]
  /**
   * The ids of the categories to which the coupon applies. If all three lists are empty, it applies
   * to all products.
   */
  category_ids: number[]
  /** The payment methods with which the coupon can be used; empty for all. */
  payment_methods: ('manual' | 'crypto' | 'card' | 'paypal' | 'balance' | 'test')[]
  /** The email addresses of the customers who may use the coupon; empty for all. */
  allowed_emails: string[]
  /** True if the renewals of a subscription also get the discount. */
  applies_to_renewals: boolean
  /** True if the coupon can be used. */
  active: boolean
  /** The id of the partner who earns a commission on orders with the coupon. */
  affiliate_partner_id: string | null
  /** A note for the seller. */
  note: string | null
  /** The number of orders that use the coupon, without expired and cancelled ones. */
  uses: number
  /** The time of creation. */
  created_at: string
  /** The time of the last change. */
  updated_at: string
}

export interface CouponCheck {
  /** The code of the coupon; case is ignored. */
  code: string
  /** The items, 1 to 50 lines. */
  items: OrderItemInput[]
  /** The email address of the buyer. Default: none; limits per customer are then not checked. */
  email?: string
}

export interface CouponInput {
  /** The code, which the customer types. Default: a generated code. */
  code?: string
  /** The type of the discount: a percentage of the price, or a fixed amount. */
  type: 'percentage' | 'fixed'
  /** The percentage of a `percentage` coupon: above 0, up to 100. Null for the other type. */
  discount_percent?: number | null
  /** The amount of a `fixed` coupon, in minor units. Null for the other type. */
  amount_cents?: number | null
  /** The maximum number of orders that may use the coupon; null for no limit. */
  max_uses?: number | null
  /**
   * The maximum number of orders of one customer, identified by email, that may use the coupon;
   * null for no limit.
   */
  max_uses_per_customer?: number | null
  /**
   * The minimum sum of the lines to which the coupon applies, before the discount, in minor units;
   * null for no minimum.
   */
  min_order_cents?: number | null
  /** The time from which the coupon can be used; null for no start. */
  starts_at?: string | null
  /** The time from which the coupon can no longer be used; null for no end. */
  expires_at?: string | null
  /** The ids of the products to which the coupon applies. Default `[]`. */
  product_ids?: string[]
  /** The ids of the variants to which the coupon applies. Default `[]`. */
  variant_ids?: number[]
  /**
   * The ids of the categories to which the coupon applies. If all three lists are empty, it applies
   * to all products. Default `[]`.
   */
  category_ids?: number[]
  /** The payment methods with which the coupon can be used; empty for all. Default `[]`. */
  payment_methods?: ('manual' | 'crypto' | 'card' | 'paypal' | 'balance' | 'test')[]
  /** The email addresses of the customers who may use the coupon; empty for all. Default `[]`. */
  allowed_emails?: string[]
  /** True if the renewals of a subscription also get the discount. Default `false`. */
  applies_to_renewals?: boolean
  /** True if the coupon can be used. Default `true`. */
  active?: boolean
  /** The id of the partner who earns a commission on orders with the coupon. */
  affiliate_partner_id?: string | null
  /** A note for the seller. */
  note?: string | null
}

export interface CouponPatch extends Partial<Pick<
  Coupon,
  'code' | 'type' | 'discount_percent' | 'amount_cents' | 'max_uses' | 'max_uses_per_customer' |
    'min_order_cents' | 'starts_at' | 'expires_at' | 'variant_ids' | 'category_ids' |
    'payment_methods' | 'allowed_emails' | 'applies_to_renewals' | 'active' | 'affiliate_partner_id'
    | 'note'
>> {
  /** The ids of the products to which the coupon applies. */
  product_ids?: string[]
}

export interface CouponsListQuery extends PageQuery {
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
  /** Only coupons with this value of `active`. */
  active?: boolean
  /** The complete code; case is ignored. */
  code?: string
  /** Only coupons of one of these types. */
  type?: ('percentage' | 'fixed')[]
}
