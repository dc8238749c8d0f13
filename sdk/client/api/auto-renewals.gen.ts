// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { AutoRenewal, PageQuery, Pagination } from './shared.gen.ts'

/** Recurring products and their auto-renewals. */
export interface AutoRenewalsApi {
  /**
   * List the auto-renewals of subscriptions that have started, the newest first.
   *
   * `total` is exact up to 10,000; `has_more` is always exact.
   *
   * Needs the permission `subscriptions:read`, and the feature `subscriptions` turned on in the
   * store.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: AutoRenewalsListQuery, options?: CallOptions): List<{ auto_renewals: AutoRenewal[]; pagination: Pagination }, AutoRenewal>
  /**
   * Get an auto-renewal. It has the id of its subscription.
   *
   * Needs the permission `subscriptions:read`, and the feature `subscriptions` turned on in the
   * store.
   * @param id The id of the auto-renewal, which is the id of its subscription.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: number, options?: CallOptions): Call<{ auto_renewal: AutoRenewal }>
  /**
   * Cancel an auto-renewal. The subscription ends at the end of the current period.
   *
   * Needs the permission `subscriptions:write`, and the feature `subscriptions` turned on in the
   * store.
   * @param id The id of the auto-renewal, which is the id of its subscription.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  cancel(id: number, options?: PostOptions): Call<{ auto_renewal: AutoRenewal }>
}

export interface AutoRenewalsListQuery extends PageQuery {
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
}
