// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { PageQuery, Pagination } from './shared.gen.ts'

/** Products, variants, texts, media and files. */
export interface StockAlertsApi {
  /**
   * List the sign-ups for a mail when a product is in stock again, the newest first.
   *
   * Needs the permission `products:read`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  list(id: string, query?: StockAlertsListQuery, options?: CallOptions): List<{ stock_alerts: StockAlert[]; pagination: Pagination }, StockAlert>
  /**
   * Sign a customer up for a mail when a product is in stock again.
   *
   * If the same sign-up is pending already, it is returned.
   *
   * Needs the permission `products:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  create(id: string, body: StockAlertInput, options?: PostOptions): Call<{
    /** The sign-up. */
    stock_alert: StockAlert
  }>
  /**
   * Set the number of units at which the stock of a product counts as low.
   *
   * Needs the permission `products:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  setThreshold(id: string, body: StockAlertThreshold, options?: CallOptions): Call<{
    /** Stock counts as low at this number of units or fewer; null for never. */
    stock_alert_threshold: number | null
  }>
  /**
   * Delete a sign-up.
   *
   * Needs the permission `products:write`.
   * @param id The hash of the product. Its numeric id is also accepted.
   * @param alertId The id of the sign-up.
   * @throws {TradepostError} `NOT_FOUND`
   */
  delete(id: string, alertId: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: boolean
    /** The id of the deleted sign-up. */
    id: number
  }>
}

/** The sign-up of a customer for a mail when a product is in stock again. */
export interface StockAlert {
  /** The id of the sign-up. */
  id: number
  /** Always `stock_alert`. */
  object: 'stock_alert'
  /** The email address for the mail. */
  email: string
  /** The id of the variant; null for any variant. */
  variant_id: number | null
  /** The status. It is `pending` until the mail is queued. */
  status: 'pending' | 'notified' | 'unsubscribed'
  /** The time at which the mail was queued. */
  notified_at: string | null
  /** The time of the sign-up. */
  created_at: string
}

export interface StockAlertInput {
  /** The email address for the mail. */
  email: string
  /** The id of the variant. Default: any variant of the product counts. */
  variant_id?: number
}

export interface StockAlertThreshold {
  /** Stock counts as low at this number of units or fewer; null for never. */
  stock_alert_threshold: number | null
}

export interface StockAlertsListQuery extends PageQuery {
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
  /** Only sign-ups with one of these statuses. */
  status?: ('pending' | 'notified' | 'unsubscribed')[]
}
