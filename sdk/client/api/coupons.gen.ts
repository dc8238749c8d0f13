// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { NewOrderItem, PageQuery, Pagination } from './shared.gen.ts'

/** Codes that lower the price of an order. */
export interface CouponsApi {
  /**
   * List coupons, the newest first.
   *
   * `total` is exact up to 10,000; `has_more` is always right.
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
  create(body: NewCoupon, options?: PostOptions): Call<{ coupon: Coupon }>
  /**
   * Check a coupon for an order, and get its discount.
   *
   * Counts no use and reserves nothing: other orders may use the coupon up before this one is
   * created.
   *
   * Needs the permission `coupons:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  validate(body: CouponCheck, options?: PostOptions): Call<{
    /** True if an order of these items may use it. */
    valid: boolean
    /** The reason of the refusal; null if the coupon may be used. */
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
    /** The discount, in minor units. */
    discount_cents: number
  }>
  /**
   * Get a coupon.
   *
   * Needs the permission `coupons:read`.
   * @param id The coupon.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: number, options?: CallOptions): Call<{ coupon: Coupon }>
  /**
   * Update a coupon. Fields you leave out keep their value; null clears.
   *
   * Orders that used it keep their discount.
   *
   * Needs the permission `coupons:write`.
   * @param id The coupon.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  update(id: number, body: CouponPatch, options?: CallOptions): Call<{ coupon: Coupon }>
  /**
   * Delete a coupon.
   *
   * Orders that used it keep their discount.
   *
   * Needs the permission `coupons:write`.
   * @param id The coupon.
   * @throws {TradepostError} `NOT_FOUND`
   */
  delete(id: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: true
    /** The coupon that is gone. */
    id: number
  }>
}

/** The coupon. */
export interface Coupon {
  /** The id of the coupon. */
  id: number
  /** Always `coupon`. */
  object: 'coupon'
  /** The code that customers type; compared without case, unique in the store. */
  code: string
  /** A part of the price, or an amount. */
  type: 'percentage' | 'fixed'
  /** The percentage of a `percentage` coupon: above 0, up to 100. Null for the other type. */
  discount_percent: number | null
  /** The amount of a `fixed` coupon, in minor units. Null for the other type. */
  amount_cents: number | null
  /** How many orders may use it; null means any number. */
  max_uses: number | null
  /** The same for one customer, known by email. */
  max_uses_per_customer: number | null
  /** The least sum of the lines that it applies to, before the discount; null for no minimum. */
  min_order_cents: number | null
  /** From when; null means at once. */
  starts_at: string | null
  /** Until when, this moment no longer; null means for ever. */
  expires_at: string | null
  /** Products it applies to, by hash. */
  product_ids: string[]
  /** Variants it applies to. */
  variant_ids: number[]
  /** Categories it applies to. With all three lists empty it applies to everything. */
  category_ids: number[]
  /** How the order is paid; empty means any way. */
  payment_methods: ('manual' | 'crypto' | 'card' | 'paypal' | 'balance' | 'test')[]
  /** The addresses that may use it; empty for everybody. */
  allowed_emails: string[]
  /** True if renewals of a subscription keep it. */
  applies_to_renewals: boolean
  /** True if it can be used. */
  active: boolean
  /** The partner who earns from orders that use it. */
  affiliate_partner_id: string | null
  /** For the seller. */
  note: string | null
  /** Orders that used it and did not expire and were not cancelled. */
  uses: number
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

export interface CouponCheck {
  /** The code, without case. */
  code: string
  /** The items, 1 to 50 lines. */
  items: NewOrderItem[]
  /** The address of the buyer; if absent, limits per customer are not checked. */
  email?: string
}

export interface CouponPatch extends Partial<Pick<
  Coupon,
  'code' | 'type' | 'discount_percent' | 'amount_cents' | 'max_uses' | 'max_uses_per_customer' |
    'min_order_cents' | 'starts_at' | 'expires_at' | 'variant_ids' | 'category_ids' |
    'payment_methods' | 'allowed_emails' | 'applies_to_renewals' | 'active' | 'affiliate_partner_id'
    | 'note'
>> {
  /** Products it applies to. */
  product_ids?: string[]
}

export interface CouponsListQuery extends PageQuery {
  /** `true` or `false`. */
  active?: boolean
  /** The code, whole and without case. */
  code?: string
  /** `percentage`, `fixed`. */
  type?: ('percentage' | 'fixed')[]
}

export interface NewCoupon {
  /** If absent, a code is generated. */
  code?: string
  /** A part of the price, or an amount. */
  type: 'percentage' | 'fixed'
  /** The percentage of a `percentage` coupon: above 0, up to 100. Null for the other type. */
  discount_percent?: number | null
  /** The amount of a `fixed` coupon, in minor units. Null for the other type. */
  amount_cents?: number | null
  /** How many orders may use it; null means any number. */
  max_uses?: number | null
  /** The same for one customer, known by email. */
  max_uses_per_customer?: number | null
  /** The least sum of the lines that it applies to, before the discount; null for no minimum. */
  min_order_cents?: number | null
  /** From when; null means at once. */
  starts_at?: string | null
  /** Until when, this moment no longer; null means for ever. */
  expires_at?: string | null
  /** Products it applies to. Default `[]`. */
  product_ids?: string[]
  /** Variants it applies to. Default `[]`. */
  variant_ids?: number[]
  /**
   * Categories it applies to. With all three lists empty it applies to everything. Default `[]`.
   */
  category_ids?: number[]
  /** How the order is paid; empty means any way. Default `[]`. */
  payment_methods?: ('manual' | 'crypto' | 'card' | 'paypal' | 'balance' | 'test')[]
  /** The addresses that may use it; empty for everybody. Default `[]`. */
  allowed_emails?: string[]
  /** True if renewals of a subscription keep it. Default `false`. */
  applies_to_renewals?: boolean
  /** True if it can be used. Default `true`. */
  active?: boolean
  /** The partner who earns from orders that use it. */
  affiliate_partner_id?: string | null
  /** For the seller. */
  note?: string | null
}
