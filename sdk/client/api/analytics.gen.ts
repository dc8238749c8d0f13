// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { CallOptions } from '../transport.ts'

/** Sales by day, product and customer. */
export interface AnalyticsApi {
  /**
   * Get the sales of a period.
   *
   * Days begin and end in the time zone of the store. An order counts on the day of its payment, a
   * completion on the day of the completion, and a refund on the day of the refund.
   *
   * Needs the permission `analytics:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  sales(query?: AnalyticsSalesQuery, options?: CallOptions): Call<{ summary: SalesSummary }>
}

export interface AnalyticsSalesQuery {
  /**
   * The first day, in the time zone of the store. A date with a time selects the day that contains
   * it. Default: 29 days before `to`.
   */
  from?: string
  /**
   * The last day. A date with a time is exclusive. Default: today. A period has at most 366 days.
   */
  to?: string
  /** The length of each row of `series`. Weeks begin on Monday. Default `"day"`. */
  interval?: 'day' | 'week' | 'month'
  /** If `true`, the answer also has the period of the same length directly before. */
  compare?: boolean
}

/** The changes of the totals against the previous period. */
export interface SalesChange {
  /** The change in percent; null if the total was 0 in the previous period. */
  orders_count: number | null
  /** The change in percent; null if the total was 0 in the previous period. */
  completed_count: number | null
  /** The change in percent; null if the total was 0 in the previous period. */
  units_sold: number | null
  /** The change in percent; null if the total was 0 in the previous period. */
  gross_cents: number | null
  /** The change in percent; null if the total was 0 in the previous period. */
  discount_cents: number | null
  /** The change in percent; null if the total was 0 in the previous period. */
  shipping_cents: number | null
  /** The change in percent; null if the total was 0 in the previous period. */
  refunded_cents: number | null
  /** The change in percent; null if the total was 0 in the previous period. */
  net_cents: number | null
  /** The change in percent; null if the total was 0 in the previous period. */
  average_order_cents: number | null
  /** The change in percent; null if the total was 0 in the previous period. */
  new_customers: number | null
  /** The change in percent; null if the total was 0 in the previous period. */
  returning_customers: number | null
  /** The change in percent; null if the total was 0 in the previous period. */
  conversion_rate: number | null
}

/** Sales of a day, a week or a month. */
export interface SalesRow {
  /** The first day of the row within the period. */
  date: string
  /** The number of paid orders. */
  orders_count: number
  /** The prices of these orders before discounts, in minor units. */
  gross_cents: number
  /** Gross less discounts, plus shipping, less refunds of these days. */
  net_cents: number
}

/** The sales of a store in a period. */
export interface SalesSummary {
  /** The currency of the store. */
  currency: string
  /** The time zone of the store, in which the days begin and end. */
  time_zone: string
  /** The first day. */
  from: string
  /** The last day, included. */
  to: string
  /** Orders that were paid in the period. */
  orders_count: number
  /** Orders that were completed in the period. */
  completed_count: number
  /** The units in these paid orders. */
  units_sold: number
  /** The prices of these units before discounts, in minor units. */
  gross_cents: number
  /** The coupon discounts of these paid orders, in minor units. */
  discount_cents: number
  /** The shipping charges of these paid orders, in minor units. */
  shipping_cents: number
  /**
   * The refunds in the period, in minor units. Refunds of earlier orders and of overpayments are
   * included.
   */
  refunded_cents: number
  /** Gross less discounts, plus shipping, less refunds. */
  net_cents: number
  /** Gross less discounts, plus shipping, per paid order, rounded; 0 without an order. */
  average_order_cents: number
  /** Customers who paid their first order in the period. */
  new_customers: number
  /** Customers who paid an order in the period and another one before it. */
  returning_customers: number
  /** The fraction, 0 to 1, of the orders created in the period that were completed. */
  conversion_rate: number
  /** A row for each day, week or month of the period, including those without sales. */
  series: SalesRow[]
  /** The five products with the highest gross. */
  top_products: TopProduct[]
  /** The five customers with the highest spending. */
  top_customers: TopCustomer[]
  /** Paid orders by method, the highest gross first. */
  by_payment_method: {
    /** The payment method; null if the order has none. */
    payment_method: string | null
    /** The number of paid orders. */
    orders_count: number
    /** The prices of these orders before discounts, in minor units. */
    gross_cents: number
  }[]
  /** Paid orders by country, the highest gross first. */
  by_country: {
    /** The country of the customer; null if the order has none. */
    country: string | null
    /** The number of paid orders. */
    orders_count: number
    /** The prices of these orders before discounts, in minor units. */
    gross_cents: number
  }[]
  /** The period of the same length directly before. Only with `compare=true`. */
  previous?: {
    /** The first day. */
    from: string
    /** The last day, included. */
    to: string
    /** Orders that were paid in the period. */
    orders_count: number
    /** Orders that were completed in the period. */
    completed_count: number
    /** The units in these paid orders. */
    units_sold: number
    /** The prices of these units before discounts, in minor units. */
    gross_cents: number
    /** The coupon discounts of these paid orders, in minor units. */
    discount_cents: number
    /** The shipping charges of these paid orders, in minor units. */
    shipping_cents: number
    /**
     * The refunds in the period, in minor units. Refunds of earlier orders and of overpayments are
     * included.
     */
    refunded_cents: number
    /** Gross less discounts, plus shipping, less refunds. */
    net_cents: number
    /** Gross less discounts, plus shipping, per paid order, rounded; 0 without an order. */
    average_order_cents: number
    /** Customers who paid their first order in the period. */
    new_customers: number
    /** Customers who paid an order in the period and another one before it. */
    returning_customers: number
    /** The fraction, 0 to 1, of the orders created in the period that were completed. */
    conversion_rate: number
  }
  /** The changes against `previous`. Only with `compare=true`. */
  change_percent?: SalesChange
}

/** A customer with high spending in the period. */
export interface TopCustomer {
  /** The id of the customer. */
  customer_id: number
  /** The email address of the customer. */
  email: string
  /** The name of the customer. */
  name: string | null
  /** The number of orders that the customer paid in the period. */
  orders_count: number
  /** The payments for these orders less their refunds, in minor units. */
  spent_cents: number
}

/** A product with high sales in the period. */
export interface TopProduct {
  /** The product hash. */
  product_id: string
  /** The name of the product. */
  name: string
  /** The number of paid units. */
  units_sold: number
  /** The prices of these units before discounts, in minor units. */
  gross_cents: number
}
