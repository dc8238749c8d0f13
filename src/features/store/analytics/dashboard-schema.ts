import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { isHash } from '../../../kernel/ids.ts'
import { LIST_LIMIT_MAX, PageQuery } from '../../../kernel/shapes.ts'
import { PaidOrders, SalesQuery } from './schema.ts'

/** The number of days from which a pace is computed: whole weeks, so that each weekday counts equally. */
export const PACE_DAYS = 28
/** The hours of a day, also of a day on which the clocks change. */
export const DAY_HOURS = 24
/** The maximum number of coupons in a report. */
export const COUPONS_MAX = 20
/** The maximum number of products in a report of refunds. */
export const REFUNDED_PRODUCTS_MAX = 20

const ProductHash = z.string().refine(isHash, 'Use the 12 characters of a product hash.')

export const PacesQuery = z.object({
  product_ids: z
    .string()
    .transform((text) => text.split(','))
    .pipe(list(ProductHash, { max: LIST_LIMIT_MAX, error: 'Name at most 100 products.' }))
    .meta({ openapi: { type: 'array', items: { type: 'string' }, minItems: 1 } })
    .describe('Product hashes, joined by commas.'),
})

const FORECAST = {
  available: z
    .int()
    .nullable()
    .describe('The units of all variants that can be sold now; null if the stock cannot run out.'),
  units_sold: z
    .int()
    .describe(`The units in orders that were paid within the last ${PACE_DAYS} days.`),
  runs_out_at: z
    .string()
    .nullable()
    .describe(
      'The time when the last unit is sold at this pace; null if no unit is left, or not within a year.',
    ),
}

export const ProductPace = z
  .object({
    product_id: z.string().describe('The product hash.'),
    ...FORECAST,
    days: list(z.int(), { max: PACE_DAYS }).describe(
      `The paid units of each of the last ${PACE_DAYS} UTC days, the newest last.`,
    ),
  })
  .meta({ id: 'ProductPace', description: 'The sales pace of a product.' })
export type ProductPace = z.output<typeof ProductPace>

export const RunwaysQuery = z.object(PageQuery)
export type RunwaysQuery = z.output<typeof RunwaysQuery>

export const StockRunway = z
  .object({
    product_id: z.string().describe('The product hash.'),
    product_name: z.string().describe('The name of the product.'),
    ...FORECAST,
  })
  .meta({ id: 'StockRunway', description: 'The time when the stock of a product runs out.' })
export type StockRunway = z.output<typeof StockRunway>

export const PartsQuery = SalesQuery.pick({ from: true, to: true })
export type PartsQuery = z.output<typeof PartsQuery>

export const SalesParts = z
  .object({
    by_source: z
      .array(z.object({ source: z.string().describe('The source of the orders.'), ...PaidOrders }))
      .describe('Paid orders by source, the highest gross first.'),
    by_coupon: list(
      z.object({
        code: z.string().describe('The code of the coupon, in upper case.'),
        ...PaidOrders,
        discount_cents: z.int().describe('The discounts of these orders, in minor units.'),
      }),
      { max: COUPONS_MAX },
    ).describe(`The ${COUPONS_MAX} coupons whose paid orders have the highest gross.`),
  })
  .meta({ id: 'SalesParts', description: 'Sales of a period by source and by coupon.' })
export type SalesParts = z.output<typeof SalesParts>

const Cents = z.int()

export const RefundsQuery = SalesQuery.pick({ from: true, to: true, interval: true })
export type RefundsQuery = z.output<typeof RefundsQuery>

const REFUND_SUMS = {
  refunds_count: z.int().describe('The number of refunds.'),
  refunded_cents: Cents.describe('The amount of these refunds, in minor units.'),
}
const RefundsRow = z.object({
  date: z.string().describe('The first day of the row within the period.'),
  ...REFUND_SUMS,
})
export type RefundsRow = z.output<typeof RefundsRow>

export const RefundsReport = z
  .object({
    currency: z.string().describe('The currency of all amounts.'),
    from: z.string().describe('The first day.'),
    to: z.string().describe('The last day, included.'),
    series: list(RefundsRow, { max: 366 }).describe(
      'A row for each day, week or month of the period, including those without refunds.',
    ),
    by_reason: z
      .array(
        z.object({ reason: z.string().describe('The reason of the refunds.'), ...REFUND_SUMS }),
      )
      .describe('Refunds by reason, the highest amount first.'),
    by_payment_method: z
      .array(
        z.object({
          payment_method: z
            .string()
            .nullable()
            .describe('The payment method of the refunded orders; null if an order has none.'),
          ...REFUND_SUMS,
        }),
      )
      .describe('Refunds by payment method, the highest amount first.'),
    by_product: list(
      z.object({
        product_id: z.string().describe('The product hash.'),
        name: z.string().describe('The name of the product.'),
        refunds_count: z.int().describe('The refunds of orders with this product.'),
        refunded_cents: Cents.describe(
          'The part of these refunds for this product, in minor units. A refund is divided among the items of its order in proportion to their totals.',
        ),
      }),
      { max: REFUNDED_PRODUCTS_MAX },
    ).describe(`The ${REFUNDED_PRODUCTS_MAX} products with the highest refunded amounts.`),
  })
  .meta({
    id: 'RefundsReport',
    description: 'The refunds of a period over time, by reason, payment method and product.',
  })
export type RefundsReport = z.output<typeof RefundsReport>

export const SalesHours = z
  .object({
    currency: z.string().describe('The currency of all amounts.'),
    time_zone: z.string().describe('The time zone of the store, in which days begin at midnight.'),
    day: z.string().describe('The current day, `YYYY-MM-DD`.'),
    previous_day: z.string().describe('The same weekday of the week before.'),
    net_cents: Cents.describe(
      'The net sales of the current day: paid totals less refunds, in minor units.',
    ),
    previous_net_cents: Cents.describe('The net sales of `previous_day` as a whole.'),
    previous_until_cents: Cents.describe(
      'The net sales of `previous_day` up to the present time of day, rounded up to a quarter of an hour.',
    ),
    hours: list(
      z.object({
        orders_count: z.int().describe('The orders that were paid in this hour.'),
        net_cents: Cents.describe('The net sales of this hour.'),
        previous_orders_count: z
          .int()
          .describe('The orders of this hour on the weekday one week before.'),
        previous_net_cents: Cents.describe(
          'The net sales of this hour on the weekday one week before.',
        ),
      }),
      { max: DAY_HOURS },
    ).describe('The 24 hours of the day, from midnight.'),
  })
  .meta({
    id: 'SalesHours',
    description:
      'The sales of the current day by hour, next to the same weekday of the week before.',
  })
export type SalesHours = z.output<typeof SalesHours>
