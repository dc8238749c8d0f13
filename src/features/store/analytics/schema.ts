import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { QueryBoolean } from '../../../kernel/shapes.ts'
import { INTERVALS } from './periods.rules.ts'

const NO_DAY =
  'Write a day such as 2026-01-31, or a date with a time and Z or an offset, such as 2026-01-31T00:00:00Z.'
const DAY_DIGITS = '2026-01-31'.length

/** A day, or a moment that stands for its day. */
const Day = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], NO_DAY)
  .refine((text) => !text.startsWith('0000'), NO_DAY)
  .transform((text) => (text.length === DAY_DIGITS ? { day: text } : { moment: text }))
  .meta({ openapi: { type: 'string', format: 'date' } })

export const SalesQuery = z.object({
  from: Day.optional().describe(
    'The first day, in the time zone of the store. A moment stands for its day. Default: 29 days before `to`.',
  ),
  to: Day.optional().describe(
    'The last day. A moment is exclusive. Default: today. At most 366 days in all.',
  ),
  interval: z
    .enum(INTERVALS, 'Use day, week or month.')
    .default('day')
    .describe('The period of a row of `series`. Weeks begin on Monday.'),
  compare: QueryBoolean.default(false).describe(
    '`true` adds the same number of days before the period.',
  ),
})
export type SalesQuery = z.output<typeof SalesQuery>

const CalendarDay = z.string().meta({ openapi: { type: 'string', format: 'date' } })

const SalesTotals = {
  orders_count: z.int().describe('Orders that were paid in the period.'),
  completed_count: z.int().describe('Orders that were completed in the period.'),
  units_sold: z.int().describe('Units in the orders that were paid.'),
  gross_cents: z.int().describe('Prices of these units, before discounts.'),
  discount_cents: z.int().describe('The sum of coupon discounts.'),
  shipping_cents: z.int().describe('The sum of shipping charges.'),
  refunded_cents: z
    .int()
    .describe(
      'The refunds of the period, regardless of when the order was paid, including overpayments.',
    ),
  net_cents: z.int().describe('Gross less discounts, plus shipping, less refunds.'),
  average_order_cents: z
    .int()
    .describe('Gross less discounts, plus shipping, per paid order, rounded; 0 without an order.'),
  new_customers: z.int().describe('Customers who paid their first order in the period.'),
  returning_customers: z
    .int()
    .describe('Customers who paid an order in the period, and one before it.'),
  conversion_rate: z
    .number()
    .describe('The share of the orders created in the period that was completed: 0 to 1.'),
}

const SalesRow = z
  .object({
    date: CalendarDay.describe('The first day of the row within the period.'),
    orders_count: z.int().describe('Orders that were paid.'),
    gross_cents: z.int().describe('Their prices, before discounts.'),
    net_cents: z.int().describe('Gross less discounts, plus shipping, less refunds of these days.'),
  })
  .meta({ id: 'SalesRow', description: 'Sales of a day, a week or a month.' })

const TopProduct = z
  .object({
    product_id: z.string().describe('The product hash.'),
    name: z.string().describe('Its name.'),
    units_sold: z.int().describe('Units that were paid.'),
    gross_cents: z.int().describe('Their prices, before discounts.'),
  })
  .meta({ id: 'TopProduct', description: 'A product that sold well.' })
export type TopProduct = z.output<typeof TopProduct>

const TopCustomer = z
  .object({
    customer_id: z.int().describe('The customer.'),
    email: z.string().describe('Their e-mail address.'),
    name: z.string().nullable().describe('Their name.'),
    orders_count: z.int().describe('Orders that they paid in the period.'),
    spent_cents: z.int().describe('The payments for these orders, less their refunds.'),
  })
  .meta({ id: 'TopCustomer', description: 'A customer with high spending.' })
export type TopCustomer = z.output<typeof TopCustomer>

const PART = {
  orders_count: z.int().describe('Orders that were paid.'),
  gross_cents: z.int().describe('Their prices, before discounts.'),
}
const MethodSales = z.object({
  payment_method: z.string().nullable().describe('The payment method.'),
  ...PART,
})
const CountrySales = z.object({
  country: z.string().nullable().describe('The country of the customer; null if it is not known.'),
  ...PART,
})

/** `change_percent` has these, in percent of the previous period. */
const CHANGING = Object.keys(SalesTotals) as (keyof typeof SalesTotals)[]
const Change = z
  .object(
    Object.fromEntries(
      CHANGING.map((name) => [
        name,
        z.number().nullable().describe('In percent; null if it was 0 before.'),
      ]),
    ) as Record<keyof typeof SalesTotals, z.ZodNullable<z.ZodNumber>>,
  )
  .meta({ id: 'SalesChange', description: 'How the totals changed.' })

const PERIOD = {
  from: CalendarDay.describe('The first day.'),
  to: CalendarDay.describe('The last day, included.'),
}

export const SalesSummary = z
  .object({
    currency: z.string().describe('The currency of the store.'),
    time_zone: z.string().describe('The time zone of the store, which the days are in.'),
    ...PERIOD,
    ...SalesTotals,
    series: list(SalesRow, { max: 366 }).describe('Every day, week or month, empty ones too.'),
    top_products: list(TopProduct, { max: 5 }).describe('The five with the highest gross.'),
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
      .describe('With `compare=true`: the period before.'),
    change_percent: Change.optional().describe('With `compare=true`.'),
  })
  .meta({ id: 'SalesSummary', description: 'The sales of a store in a period.' })
export type SalesSummary = z.output<typeof SalesSummary>
export type SalesTotals = z.output<z.ZodObject<typeof SalesTotals>>
export type SalesRow = z.output<typeof SalesRow>
