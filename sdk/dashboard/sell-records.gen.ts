// Written by `npm run sdk:types` from the endpoints of the dashboard. Do not edit.
import type { TicketMessage } from '../client/api/tickets.gen.ts'

export type { AffiliateConversion } from '../client/api/affiliates.gen.ts'
export type { BlocklistEntry } from '../client/api/shared.gen.ts'
export type { TicketMessage } from '../client/api/tickets.gen.ts'

/** The sum of the discounts that a coupon gave on orders. */
export type CouponAmount = {
  /** The id of the coupon. */
  coupon_id: number
  /** The sum of the discounts of its uses, in minor units. */
  given_cents: number
}

/** A stock key with its product. */
export type FoundStockKey = {
  /** The id of the key. */
  id: number
  /** Always `stock_key`. */
  object: 'stock_key'
  /** The id of the variant. */
  variant_id: number
  /** The key; masked unless `reveal=true`. */
  value: string
  /** The status of the key. The seller keeps a `reserved` key from sale. */
  status: 'available' | 'reserved' | 'sold' | 'burned' | 'revoked'
  /** The order with which the key was sold. */
  order_id: string | null
  /** The time of the sale. */
  sold_at: string | null
  /** The time at which the key was added. */
  created_at: string
  /** The hash of the product. */
  product_id: string
  /** The name of the product. */
  product_name: string
}

/** A batch of stock keys. */
export type ImportedKeys = {
  /** The id of the import; null for keys that were added without one. */
  import_id: string | null
  /** The time at which the first key of the batch was added. */
  added_at: string
  /** The number of its keys that were not deleted. */
  count: number
  /** The number of its keys that can be sold. */
  available: number
  /** The number of its sold keys. */
  sold: number
}

/** The sales pace of a product. */
export type ProductPace = {
  /** The product hash. */
  product_id: string
  /** The units of all variants that can be sold now; null if the stock cannot run out. */
  available: number | null
  /** The units in orders that were paid within the last 28 days. */
  units_sold: number
  /**
   * The time when the last unit is sold at this pace; null if no unit is left, or not within a
   * year.
   */
  runs_out_at: string | null
  /** The paid units of each of the last 28 UTC days, the newest last. */
  days: number[]
}

/** The refunds of a period over time, by reason, payment method and product. */
export type RefundsReport = {
  /** The currency of all amounts. */
  currency: string
  /** The first day. */
  from: string
  /** The last day, included. */
  to: string
  /** A row for each day, week or month of the period, including those without refunds. */
  series: {
    /** The first day of the row within the period. */
    date: string
    /** The number of refunds. */
    refunds_count: number
    /** The amount of these refunds, in minor units. */
    refunded_cents: number
  }[]
  /** Refunds by reason, the highest amount first. */
  by_reason: {
    /** The reason of the refunds. */
    reason: string
    /** The number of refunds. */
    refunds_count: number
    /** The amount of these refunds, in minor units. */
    refunded_cents: number
  }[]
  /** Refunds by payment method, the highest amount first. */
  by_payment_method: {
    /** The payment method of the refunded orders; null if an order has none. */
    payment_method: string | null
    /** The number of refunds. */
    refunds_count: number
    /** The amount of these refunds, in minor units. */
    refunded_cents: number
  }[]
  /** The 20 products with the highest refunded amounts. */
  by_product: {
    /** The product hash. */
    product_id: string
    /** The name of the product. */
    name: string
    /** The refunds of orders with this product. */
    refunds_count: number
    /**
     * The part of these refunds for this product, in minor units. A refund is divided among the
     * items of its order in proportion to their totals.
     */
    refunded_cents: number
  }[]
}

/** A photo of the items of a return. */
export type ReturnPhoto = {
  /** The id of the photo. */
  id: number
  /** The URL of the photo. It cannot be guessed, and opens without a sign-in. */
  url: string
  /** The time at which the photo was added. */
  created_at: string
}

/** The sales of the current day by hour, next to the same weekday of the week before. */
export type SalesHours = {
  /** The currency of all amounts. */
  currency: string
  /** The time zone of the store, in which days begin at midnight. */
  time_zone: string
  /** The current day, `YYYY-MM-DD`. */
  day: string
  /** The same weekday of the week before. */
  previous_day: string
  /** The net sales of the current day: paid totals less refunds, in minor units. */
  net_cents: number
  /** The net sales of `previous_day` as a whole. */
  previous_net_cents: number
  /**
   * The net sales of `previous_day` up to the present time of day, rounded up to a quarter of an
   * hour.
   */
  previous_until_cents: number
  /** The 24 hours of the day, from midnight. */
  hours: {
    /** The orders that were paid in this hour. */
    orders_count: number
    /** The net sales of this hour. */
    net_cents: number
    /** The orders of this hour on the weekday one week before. */
    previous_orders_count: number
    /** The net sales of this hour on the weekday one week before. */
    previous_net_cents: number
  }[]
}

/** Sales of a period by source and by coupon. */
export type SalesParts = {
  /** Paid orders by source, the highest gross first. */
  by_source: {
    /** The source of the orders. */
    source: string
    /** The number of paid orders. */
    orders_count: number
    /** The prices of these orders before discounts, in minor units. */
    gross_cents: number
  }[]
  /** The 20 coupons whose paid orders have the highest gross. */
  by_coupon: {
    /** The code of the coupon, in upper case. */
    code: string
    /** The number of paid orders. */
    orders_count: number
    /** The prices of these orders before discounts, in minor units. */
    gross_cents: number
    /** The discounts of these orders, in minor units. */
    discount_cents: number
  }[]
}

/** A text with which the team answers tickets. */
export type SavedReply = {
  /** The id of the saved reply. */
  id: number
  /** The name by which the team finds the reply. */
  name: string
  /** The text of the reply. */
  body: string
  /** The time at which the reply was saved. */
  created_at: string
  /** The time of the last change. */
  updated_at: string
}

/** The time when the stock of a product runs out. */
export type StockRunway = {
  /** The product hash. */
  product_id: string
  /** The name of the product. */
  product_name: string
  /** The units of all variants that can be sold now; null if the stock cannot run out. */
  available: number | null
  /** The units in orders that were paid within the last 28 days. */
  units_sold: number
  /**
   * The time when the last unit is sold at this pace; null if no unit is left, or not within a
   * year.
   */
  runs_out_at: string | null
}

/** A support ticket. */
export type Ticket = {
  /** The id of the ticket. */
  id: number
  /** Always `ticket`. */
  object: 'ticket'
  /** The subject, a single line. */
  subject: string
  /** The status. No messages can be posted on a `closed` ticket. */
  status: 'open' | 'closed'
  /** The party whose answer is awaited; null while the ticket is closed. */
  awaiting: 'seller' | 'customer' | null
  /** The customer who asks for help. */
  customer: {
    /** The id of the customer with this email address; null if there is none. */
    id: number | null
    /** The email address, in lower case. */
    email: string
  }
  /** The id of the order that the ticket is about; null if there is none. */
  order_id: string | null
  /** The number of messages. */
  message_count: number
  /** The time of the newest message. */
  last_message_at: string
  /** The time when the ticket was closed; null while it is open. */
  closed_at: string | null
  /** The time of creation. */
  created_at: string
  /** The time of the last change. */
  updated_at: string
  /** All messages, the oldest first. */
  messages: TicketMessage[]
}
