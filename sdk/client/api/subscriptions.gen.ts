// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { AutoRenewal, PageQuery, Pagination } from './shared.gen.ts'

/** Recurring products and their auto-renewals. */
export interface SubscriptionsApi {
  /**
   * List subscriptions, by default the newest first.
   *
   * `total` is exact up to 10,000; `has_more` is always exact.
   *
   * Needs the permission `subscriptions:read`, and the feature `subscriptions` turned on in the
   * store.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: SubscriptionsListQuery, options?: CallOptions): List<{
    subscriptions: ListedSubscription[]
    pagination: Pagination
  }, ListedSubscription>
  /**
   * Get a subscription with its payments and its auto-renewal.
   *
   * Needs the permission `subscriptions:read`, and the feature `subscriptions` turned on in the
   * store.
   * @param id The id of the subscription.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: number, options?: CallOptions): Call<{ subscription: Subscription }>
  /**
   * Switch the auto-renewal of a subscription on or off, change its payment method, or move its
   * next billing date.
   *
   * Needs the permission `subscriptions:write`, and the feature `subscriptions` turned on in the
   * store.
   * @param id The id of the subscription.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  update(id: number, body: SubscriptionPatch, options?: CallOptions): Call<{ subscription: Subscription }>
  /**
   * Cancel a subscription at the end of its period, or now.
   *
   * With `at_period_end`, the status does not change until the end of the period, and `auto_renew`
   * becomes false. A subscription that is past due ends now, and its unpaid renewal is cancelled.
   *
   * Needs the permission `subscriptions:write`, and the feature `subscriptions` turned on in the
   * store.
   * @param id The id of the subscription.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`, `INVOICE_PAID`
   */
  cancel(id: number, body?: SubscriptionCancellation, options?: PostOptions): Call<{ subscription: Subscription }>
  /**
   * Undo a cancellation at the end of the period.
   *
   * Needs the permission `subscriptions:write`, and the feature `subscriptions` turned on in the
   * store.
   * @param id The id of the subscription.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  resume(id: number, options?: PostOptions): Call<{ subscription: Subscription }>
}

/** A subscription without its payments. */
export interface ListedSubscription {
  /** The id of the subscription. */
  id: number
  /** Always `subscription`. */
  object: 'subscription'
  /** The status of the subscription; `pending` until the first order is paid. */
  status: 'pending' | 'trialing' | 'active' | 'past_due' | 'cancelled' | 'expired'
  /** The email address of the customer. */
  customer_email: string
  /** The product of the subscription. */
  product: {
    /** The product hash. */
    id: string
    /** The name of the product. */
    name: string
  }
  /** The id of the order that created the subscription. */
  initial_invoice_id: string
  /** The length of a billing period. */
  billing_cycle: 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly'
  /** The currency, an ISO 4217 code. */
  currency: string
  /** The price in the first order, in minor units. */
  initial_price_cents: number
  /**
   * The price of each renewal, in minor units. It is set when the subscription is created and does
   * not change.
   */
  recurring_price_cents: number
  /** The days between the first payment and the first renewal; 0 means that there is no trial. */
  trial_days: number
  /** The time when the trial ends; null without a trial. */
  trial_ends_at: string | null
  /** The start of the current period; null until the first order is paid. */
  current_period_start: string | null
  /** The end of the current period; null until the first order is paid. */
  current_period_end: string | null
  /**
   * The time when the next renewal is billed, or the payment of an unpaid renewal is retried; null
   * if neither will happen.
   */
  next_billing_date: string | null
  /** True if a renewal follows the current period. */
  auto_renew: boolean
  /** The time when the subscription was cancelled, also if it ends later; null if it was not. */
  cancelled_at: string | null
  /** The time when the subscription was created. */
  created_at: string
  /** The time when the subscription was last changed. */
  updated_at: string
  /** The auto-renewal; null until the first order is paid. */
  auto_renewal: AutoRenewal | null
}

/** A subscription with its payments. */
export interface Subscription extends ListedSubscription {
  /** The orders of the subscription, the oldest first. */
  payments: SubscriptionPayment[]
}

export interface SubscriptionCancellation {
  /**
   * `false` ends the subscription now. A subscription with an unpaid renewal has no paid period and
   * always ends now. Default `true`.
   */
  at_period_end?: boolean
}

export interface SubscriptionPatch {
  /** `false` cancels the subscription at the end of the period, `true` undoes this cancellation. */
  auto_renew?: boolean
  /**
   * The new billing date, later than the present one and at most 730 days from now. The current
   * period, and the license keys of the subscription, are extended until this date.
   */
  next_billing_date?: string
  /**
   * The payment method of the renewals, which the store and the product must accept. An unpaid
   * renewal is charged by it at its next attempt.
   */
  payment_method?: 'manual' | 'crypto' | 'card' | 'paypal' | 'balance' | 'test'
}

/** An order of a subscription. */
export interface SubscriptionPayment {
  /** The id of the payment. */
  id: number
  /** The id of the order. */
  invoice_id: string
  /** The status of the order. */
  invoice_status: string
  /** The amount that the order bills for the subscription, in minor units. */
  amount_cents: number
  /**
   * The status of the payment. `failed` means that the order expired or was cancelled before it was
   * paid.
   */
  status: 'pending' | 'paid' | 'failed' | 'refunded'
  /** The start of the paid period; null until the period begins. */
  period_start: string | null
  /** The end of the paid period; null until the period begins. */
  period_end: string | null
  /** The time when the order was paid. */
  paid_at: string | null
  /** The time when the order was created. */
  created_at: string
}

export interface SubscriptionsListQuery extends PageQuery {
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
  /** Only subscriptions with one of these statuses. */
  status?: ('pending' | 'trialing' | 'active' | 'past_due' | 'cancelled' | 'expired')[]
  /** The full email address of the customer. */
  customer_email?: string
  /** The hash of the product. Its numeric id is also accepted. */
  product_id?: string
  /** Only subscriptions with this value of `auto_renew`. */
  auto_renew?: boolean
  /**
   * `-created_at` sorts the newest first. `next_billing_date` sorts the earliest next renewal
   * first, and subscriptions that are no longer billed last. Default `"-created_at"`.
   */
  sort?: '-created_at' | 'next_billing_date'
}
