// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { CallOptions } from '../transport.ts'

/** Sales by day, product and customer. */
export interface AnalyticsApi {
  /**
   * Get the sales of a period.
   *
   * Days are days of the store’s time zone. Orders count on the day on which they were paid,
   * completions on the day of the completion, and refunds on the day on which the money went back.
   *
   * Needs the permission `analytics:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  sales(query?: AnalyticsSalesQuery, options?: CallOptions): Call<{ summary: SalesSummary }>
}

export interface AnalyticsSalesQuery {
  /**
   * The first day, in the time zone of the store. A moment stands for its day. Default: 29 days
   * before `to`.
   */
  from?: string
  /** The last day. A moment is exclusive. Default: today. At most 366 days in all. */
  to?: string
  /** The period of a row of `series`. Weeks begin on Monday. Default `"day"`. */
  interval?: 'day' | 'week' | 'month'
  /** `true` adds the same number of days before the period. */
  compare?: boolean
}

/** How the totals changed. */
export interface SalesChange {
  /** In percent; null if it was 0 before. */
  orders_count: number | null
  /** In percent; null if it was 0 before. */
  completed_count: number | null
  /** In percent; null if it was 0 before. */
  units_sold: number | null
  /** In percent; null if it was 0 before. */
  gross_cents: number | null
  /** In percent; null if it was 0 before. */
  discount_cents: number | null
  /** In percent; null if it was 0 before. */
  shipping_cents: number | null
  /** In percent; null if it was 0 before. */
  refunded_cents: number | null
  /** In percent; null if it was 0 before. */
  net_cents: number | null
  /** In percent; null if it was 0 before. */
  average_order_cents: number | null
  /** In percent; null if it was 0 before. */
  new_customers: number | null
  /** In percent; null if it was 0 before. */
  returning_customers: number | null
  /** In percent; null if it was 0 before. */
  conversion_rate: number | null
}

/** Sales of a day, a week or a month. */
export interface SalesRow {
  /** The first day of the row within the period. */
  date: string
  /** Orders that were paid. */
  orders_count: number
  /** Their prices, before discounts. */
  gross_cents: number
  /** Gross less discounts, plus shipping, less refunds of these days. */
  net_cents: number
}

/** The sales of a store in a period. */
export interface SalesSummary {
  /** The currency of the store. */
  currency: string
  /** The time zone of the store, which the days are in. */
  time_zone: string
  /** The first day. */
  from: string
  /** The last day, included. */
  to: string
  /** Orders that were paid in the period. */
  orders_count: number
  /** Orders that were completed in the period. */
  completed_count: number
  /** Units in the orders that were paid. */
  units_sold: number
  /** Prices of these units, before discounts. */
  gross_cents: number
  /** The sum of coupon discounts. */
  discount_cents: number
  /** The sum of shipping charges. */
  shipping_cents: number
  /** The refunds of the period, regardless of when the order was paid, including overpayments. */
  refunded_cents: number
  /** Gross less discounts, plus shipping, less refunds. */
  net_cents: number
  /** Gross less discounts, plus shipping, per paid order, rounded; 0 without an order. */
  average_order_cents: number
  /** Customers who paid their first order in the period. */
  new_customers: number
  /** Customers who paid an order in the period, and one before it. */
  returning_customers: number
  /** The share of the orders created in the period that was completed: 0 to 1. */
  conversion_rate: number
  /** Every day, week or month, empty ones too. */
  series: SalesRow[]
  /** The five with the highest gross. */
  top_products: TopProduct[]
  /** The five customers with the highest spending. */
  top_customers: TopCustomer[]
  /** Paid orders by method, the highest gross first. */
  by_payment_method: {
    /** The payment method. */
    payment_method: string | null
    /** Orders that were paid. */
    orders_count: number
    /** Their prices, before discounts. */
    gross_cents: number
  }[]
  /** Paid orders by country, the highest gross first. */
  by_country: {
    /** The country of the customer; null if it is not known. */
    country: string | null
    /** Orders that were paid. */
    orders_count: number
    /** Their prices, before discounts. */
    gross_cents: number
  }[]
  /** With `compare=true`: the period before. */
  previous?: {
    /** The first day. */
    from: string
    /** The last day, included. */
    to: string
    /** Orders that were paid in the period. */
    orders_count: number
    /** Orders that were completed in the period. */
    completed_count: number
    /** Units in the orders that were paid. */
    units_sold: number
    /** Prices of these units, before discounts. */
    gross_cents: number
    /** The sum of coupon discounts. */
    discount_cents: number
    /** The sum of shipping charges. */
    shipping_cents: number
    /** The refunds of the period, regardless of when the order was paid, including overpayments. */
    refunded_cents: number
    /** Gross less discounts, plus shipping, less refunds. */
    net_cents: number
    /** Gross less discounts, plus shipping, per paid order, rounded; 0 without an order. */
    average_order_cents: number
    /** Customers who paid their first order in the period. */
    new_customers: number
    /** Customers who paid an order in the period, and one before it. */
    returning_customers: number
    /** The share of the orders created in the period that was completed: 0 to 1. */
    conversion_rate: number
  }
  /** With `compare=true`. */
  change_percent?: SalesChange
}

/** A customer with high spending. */
export interface TopCustomer {
  /** The customer. */
  customer_id: number
  /** Their e-mail address. */
  email: string
  /** Their name. */
  name: string | null
  /** Orders that they paid in the period. */
  orders_count: number
  /** The payments for these orders, less their refunds. */
  spent_cents: number
}

/** A product that sold well. */
export interface TopProduct {
  /** The product hash. */
  product_id: string
  /** Its name. */
  name: string
  /** Units that were paid. */
  units_sold: number
  /** Their prices, before discounts. */
  gross_cents: number
}
