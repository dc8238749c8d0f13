// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { PageQuery, Pagination } from './shared.gen.ts'

/** Products, variants, texts, media and files. */
export interface StockAlertsApi {
  /**
   * List the sign-ups for a mail when a product is in stock again, newest first.
   *
   * Needs the permission `products:read`.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  list(id: string, query?: StockAlertsListQuery, options?: CallOptions): List<{ stock_alerts: StockAlert[]; pagination: Pagination }, StockAlert>
  /**
   * Sign a customer up for a mail when a product is in stock again.
   *
   * A sign-up that waits already is answered again.
   *
   * Needs the permission `products:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  create(id: string, body: NewStockAlert, options?: PostOptions): Call<{
    /** The sign-up. */
    stock_alert: StockAlert
  }>
  /**
   * Say at how many units the stock of a product counts as low.
   *
   * Needs the permission `products:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  setThreshold(id: string, body: StockAlertThreshold, options?: CallOptions): Call<{
    /** Units at which stock counts as low; null means never. */
    stock_alert_threshold: number | null
  }>
  /**
   * Delete a sign-up.
   *
   * Needs the permission `products:write`.
   * @param id The product hash; the numeric id is accepted too.
   * @param alertId The sign-up.
   * @throws {TradepostError} `NOT_FOUND`
   */
  delete(id: string, alertId: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: true
    /** The sign-up that is gone. */
    id: number
  }>
}

export interface NewStockAlert {
  /** The address that is notified. */
  email: string
  /** The id of the variant; any variant if omitted. */
  variant_id?: number
}

/** The sign-up of a customer for a mail about new stock. */
export interface StockAlert {
  /** The id of the sign-up. */
  id: number
  /** Always `stock_alert`. */
  object: 'stock_alert'
  /** The address that is notified. */
  email: string
  /** The id of the variant; null for any variant. */
  variant_id: number | null
  /** `pending` until it can be bought again. */
  status: 'pending' | 'notified' | 'unsubscribed'
  /** When the mail was written. */
  notified_at: string | null
  /** When they signed up. */
  created_at: string
}

export interface StockAlertThreshold {
  /** Units at which stock counts as low; null means never. */
  stock_alert_threshold: number | null
}

export interface StockAlertsListQuery extends PageQuery {
  /** `pending`, `notified`, `unsubscribed`. */
  status?: ('pending' | 'notified' | 'unsubscribed')[]
}
