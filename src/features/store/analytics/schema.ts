import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { QueryBoolean } from '../../../kernel/shapes.ts'
import { DAY_LENGTH, INTERVALS } from './periods.rules.ts'

const DAY_ERROR =
  'Write a day such as 2026-01-31, or a date with a time and Z or an offset, such as 2026-01-31T00:00:00Z.'

/** A comparison or a time zone can move a period into the year before or after; that year must be valid too. */
const YEARS = { first: '1970', last: '9998' }

/** A calendar day, or a moment, which selects the day that contains it. */
const Day = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], DAY_ERROR)
  .refine(
    (text) => text.slice(0, 4) >= YEARS.first && text.slice(0, 4) <= YEARS.last,
    `Use a year from ${YEARS.first} to ${YEARS.last}.`,
  )
  .transform((text) => (text.length === DAY_LENGTH ? { day: text } : { moment: text }))
  .meta({ openapi: { type: 'string', format: 'date' } })

export const SalesQuery = z.object({
  from: Day.optional().describe(
    'The first day, in the time zone of the store. A date with a time selects the day that contains it. Default: 29 days before `to`.',
  ),
  to: Day.optional().describe(
    'The last day. A date with a time is exclusive. Default: today. A period has at most 366 days.',
  ),
  interval: z
    .enum(INTERVALS, 'Use day, week or month.')
    .default('day')
    .describe('The length of each row of `series`. Weeks begin on Monday.'),
  compare: QueryBoolean.default(false).describe(
    'If `true`, the answer also has the period of the same length directly before.',
  ),
})
export type SalesQuery = z.output<typeof SalesQuery>

const CalendarDay = z.string().meta({ openapi: { type: 'string', format: 'date' } })

const SalesTotals = {
  orders_count: z.int().describe('Orders that were paid in the period.'),
  completed_count: z.int().describe('Orders that were completed in the period.'),
  units_sold: z.int().describe('The units in these paid orders.'),
  gross_cents: z.int().describe('The prices of these units before discounts, in minor units.'),
  discount_cents: z.int().describe('The coupon discounts of these paid orders, in minor units.'),
  shipping_cents: z.int().describe('The shipping charges of these paid orders, in minor units.'),
  refunded_cents: z
    .int()
    .describe(
      'The refunds in the period, in minor units. Refunds of earlier orders and of overpayments are included.',
    ),
  net_cents: z.int().describe('Gross less discounts, plus shipping, less refunds.'),
  average_order_cents: z
    .int()
    .describe('Gross less discounts, plus shipping, per paid order, rounded; 0 without an order.'),
  new_customers: z.int().describe('Customers who paid their first order in the period.'),
  returning_customers: z
    .int()
    .describe('Customers who paid an order in the period and another one before it.'),
  conversion_rate: z
    .number()
    .describe('The fraction, 0 to 1, of the orders created in the period that were completed.'),
}

/** The counters of a group of paid orders. */
export const PaidOrders = {
  orders_count: z.int().describe('The number of paid orders.'),
  gross_cents: z.int().describe('The prices of these orders before discounts, in minor units.'),
}

const SalesRow = z
  .object({
    date: CalendarDay.describe('The first day of the row within the period.'),
    ...PaidOrders,
    net_cents: z.int().describe('Gross less discounts, plus shipping, less refunds of these days.'),
  })
  .meta({ id: 'SalesRow', description: 'Sales of a day, a week or a month.' })

const TopProduct = z
  .object({
    product_id: z.string().describe('The product hash.'),
    name: z.string().describe('The name of the product.'),
    units_sold: z.int().describe('The number of paid units.'),
    gross_cents: z.int().describe('The prices of these units before discounts, in minor units.'),
  })
  .meta({ id: 'TopProduct', description: 'A product with high sales in the period.' })
export type TopProduct = z.output<typeof TopProduct>

const TopCustomer = z
  .object({
    customer_id: z.int().describe('The id of the customer.'),
    email: z.string().describe('The email address of the customer.'),
    name: z.string().nullable().describe('The name of the customer.'),
    orders_count: z.int().describe('The number of orders that the customer paid in the period.'),
    spent_cents: z
      .int()
      .describe('The payments for these orders less their refunds, in minor units.'),
  })
  .meta({ id: 'TopCustomer', description: 'A customer with high spending in the period.' })
export type TopCustomer = z.output<typeof TopCustomer>

const MethodSales = z.object({
  payment_method: z.string().nullable().describe('The payment method; null if the order has none.'),
  ...PaidOrders,
})
const CountrySales = z.object({
  country: z
    .string()
    .nullable()
    .describe('The country of the customer; null if the order has none.'),
  ...PaidOrders,
})

/** The fields of `change_percent`. */
const TOTAL_NAMES = Object.keys(SalesTotals) as (keyof typeof SalesTotals)[]
const Change = z
  .object(
    Object.fromEntries(
      TOTAL_NAMES.map((name) => [
        name,
        z
          .number()
          .nullable()
          .describe('The change in percent; null if the total was 0 in the previous period.'),
      ]),
    ) as Record<keyof typeof SalesTotals, z.ZodNullable<z.ZodNumber>>,
  )
  .meta({
    id: 'SalesChange',
    description: 'The changes of the totals against the previous period.',
  })

const PERIOD = {
  from: CalendarDay.describe('The first day.'),
  to: CalendarDay.describe('The last day, included.'),
}

export const SalesSummary = z
  .object({
    currency: z.string().describe('The currency of the store.'),
    time_zone: z.string().describe('The time zone of the store, in which the days begin and end.'),
    ...PERIOD,
    ...SalesTotals,
    series: list(SalesRow, { max: 366 }).describe(
      'A row for each day, week or month of the period, including those without sales.',
    ),
    top_products: list(TopProduct, { max: 5 }).describe(
      'The five products with the highest gross.',
    ),
    top_customers: list(TopCustomer, { max: 5 }).describe(
      'The five customers with the highest spending.',
    ),
    by_payment_method: z
      .array(MethodSales)
      .describe('Paid orders by method, the highest gross first.'),
    by_country: z.array(CountrySales).describe('Paid orders by country, the highest gross first.'),
    previous: z
      .object({ ...PERIOD, ...SalesTotals })
      .optional()
      .describe('The period of the same length directly before. Only with `compare=true`.'),
    change_percent: Change.optional().describe(
      'The changes against `previous`. Only with `compare=true`.',
    ),
  })
  .meta({ id: 'SalesSummary', description: 'The sales of a store in a period.' })
export type SalesSummary = z.output<typeof SalesSummary>
export type SalesTotals = z.output<z.ZodObject<typeof SalesTotals>>
export type SalesRow = z.output<typeof SalesRow>
