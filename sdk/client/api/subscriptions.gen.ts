// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { AutoRenewal, PageQuery, Pagination } from './shared.gen.ts'

/** Recurring products and their auto-renewals. */
export interface SubscriptionsApi {
  /**
   * List subscriptions, the newest first.
   *
   * `total` is exact up to 10,000; `has_more` is always right.
   *
   * Needs the permission `subscriptions:read`, and the feature `subscriptions` switched on in the
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
   * Needs the permission `subscriptions:read`, and the feature `subscriptions` switched on in the
   * store.
   * @param id The subscription.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: number, options?: CallOptions): Call<{ subscription: Subscription }>
  /**
   * Switch the renewal of a subscription on or off, or bill it later.
   *
   * Needs the permission `subscriptions:write`, and the feature `subscriptions` switched on in the
   * store.
   * @param id The subscription.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  update(id: number, body: SubscriptionPatch, options?: CallOptions): Call<{ subscription: Subscription }>
  /**
   * Cancel a subscription at the end of its period, or now.
   *
   * At the end of the period the status stays, and `auto_renew` is false. A subscription that is
   * past due ends now, and its unpaid renewal is cancelled.
   *
   * Needs the permission `subscriptions:write`, and the feature `subscriptions` switched on in the
   * store.
   * @param id The subscription.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`, `INVOICE_PAID`
   */
  cancel(id: number, body?: SubscriptionCancellation, options?: PostOptions): Call<{ subscription: Subscription }>
  /**
   * Undo a cancellation at the end of the period.
   *
   * Needs the permission `subscriptions:write`, and the feature `subscriptions` switched on in the
   * store.
   * @param id The subscription.
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
  /** `pending` until the first order is paid. */
  status: 'pending' | 'trialing' | 'active' | 'past_due' | 'cancelled' | 'expired'
  /** The subscriber. */
  customer_email: string
  /** The product of the subscription. */
  product: {
    /** The product hash. */
    id: string
    /** The name of the product. */
    name: string
  }
  /** The order that started it. */
  initial_invoice_id: string
  /** How often it renews. */
  billing_cycle: 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly'
  /** ISO 4217. */
  currency: string
  /** The price in the first order, in minor units. */
  initial_price_cents: number
  /** The price of each renewal, in minor units; fixed when the subscription is created. */
  recurring_price_cents: number
  /** Days between the first payment and the first renewal; 0: none. */
  trial_days: number
  /** When the trial ends; null without a trial. */
  trial_ends_at: string | null
  /** Null until the first order is paid. */
  current_period_start: string | null
  /** Null until the first order is paid. */
  current_period_end: string | null
  /** When it is billed, or an unpaid renewal is retried; null if it will not be. */
  next_billing_date: string | null
  /** True if a renewal follows the current period. */
  auto_renew: boolean
  /** When it was cancelled, now or for the period end. */
  cancelled_at: string | null
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
  /** Null until it starts. */
  auto_renewal: AutoRenewal | null
}

/** The subscription. */
export interface Subscription extends ListedSubscription {
  /** Its orders, the oldest first. */
  payments: SubscriptionPayment[]
}

export interface SubscriptionCancellation {
  /**
   * `false` ends it now. An unpaid renewal has no period left and ends now as well. Default `true`.
   */
  at_period_end?: boolean
}

export interface SubscriptionPatch {
  /** `false` cancels at the end of the period, `true` undoes that. */
  auto_renew?: boolean
  /** Later than the one it has, at most 730 days from now; the current period lasts until then. */
  next_billing_date?: string
}

/** An order of a subscription. */
export interface SubscriptionPayment {
  /** The id of the payment. */
  id: number
  /** The order. */
  invoice_id: string
  /** The status of the order. */
  invoice_status: string
  /** The amount that the order bills for the subscription, in minor units. */
  amount_cents: number
  /** `failed`: the order ended before it was paid. */
  status: 'pending' | 'paid' | 'failed' | 'refunded'
  /** The period that it pays; null until it begins. */
  period_start: string | null
  /** The end of that period. */
  period_end: string | null
  /** When it was paid. */
  paid_at: string | null
  /** When the order was created. */
  created_at: string
}

export interface SubscriptionsListQuery extends PageQuery {
  /** One or several statuses. */
  status?: ('pending' | 'trialing' | 'active' | 'past_due' | 'cancelled' | 'expired')[]
  /** The customer's address, whole. */
  customer_email?: string
  /** The product hash; the numeric id is accepted too. */
  product_id?: string
  /** `true` or `false`. */
  auto_renew?: boolean
}
