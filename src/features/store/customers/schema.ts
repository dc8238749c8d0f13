import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import {
  Countries,
  Country,
  DateTime,
  Email,
  Line,
  Metadata,
  PageQuery,
  PathId,
  QueryBoolean,
  Text,
} from '../../../kernel/shapes.ts'

export const TAGS_MAX = 50
const TAG_LENGTH_MAX = 64
export const NOTE_MAX = 5_000
const BALANCE_CHANGE_MAX = 99_999_999_999

const Profile = {
  name: Line(128).nullable().describe('The name to address.'),
  country: Country.nullable().describe('ISO 3166-1 alpha-2.'),
  note: Text(NOTE_MAX).nullable().describe('For the seller; the customer never sees it.'),
  tags: list(Line(TAG_LENGTH_MAX), { max: TAGS_MAX, error: `Use at most ${TAGS_MAX} tags.` })
    .transform((tags) => [...new Set(tags)])
    .describe('Labels of your own, at most 50. A repeated tag counts once.'),
  marketing_opt_in: z.boolean().describe('True if the customer agreed to receive marketing.'),
  metadata: Metadata.describe('Key-value pairs of your own; replaces all existing ones.'),
}

export const Customer = z
  .object({
    id: z.int().describe('Customer id.'),
    object: z.literal('customer').describe('Always `customer`.'),
    email: z.string().describe('Lower case, unique in the store.'),
    name: z.string().nullable().describe('The name to address.'),
    country: z.string().nullable().describe('ISO 3166-1 alpha-2.'),
    balance_cents: z.int().describe('Store credit, minor units. Never below 0.'),
    currency: z.string().describe('ISO 4217, the currency of the store.'),
    orders_count: z.int().describe('Orders that were paid in full, refunded ones included.'),
    total_spent_cents: z.int().describe('Payments less refunds of these orders, minor units.'),
    average_order_cents: z.int().describe('Spent per order, rounded; 0 without an order.'),
    first_order_at: DateTime.nullable().describe('When the first order was paid.'),
    last_order_at: DateTime.nullable().describe('When the latest order was paid.'),
    blocked: z.boolean().describe('True if the e-mail address is on the blocklist.'),
    blocked_at: DateTime.nullable().describe('Since when.'),
    note: z.string().nullable().describe('For the seller; the customer never sees it.'),
    tags: z.array(z.string()).describe('Labels of your own.'),
    marketing_opt_in: z.boolean().describe('True if the customer agreed to receive marketing.'),
    affiliate_partner_id: z
      .string()
      .nullable()
      .describe('The affiliate partner that this customer is.'),
    metadata: z.record(z.string(), z.string()).describe('Key-value pairs of your own.'),
    erased_at: DateTime.nullable().describe('When the person was erased.'),
    created_at: DateTime.describe('When the customer was created.'),
    updated_at: DateTime.describe('When the customer last changed.'),
  })
  .meta({ id: 'Customer', description: 'A customer of the store.' })
export type Customer = z.output<typeof Customer>

export const NewCustomer = z
  .strictObject({
    email: Email.describe('Kept in lower case; no other customer of the store may have it.'),
    name: Profile.name.default(null),
    country: Profile.country.default(null),
    note: Profile.note.default(null),
    tags: Profile.tags.default([]),
    marketing_opt_in: Profile.marketing_opt_in.default(false),
    metadata: Profile.metadata.default({}),
  })
  .meta({ id: 'NewCustomer' })
export type NewCustomer = z.output<typeof NewCustomer>

export const CustomerPatch = z.strictObject(Profile).partial().meta({ id: 'CustomerPatch' })
export type CustomerPatch = z.output<typeof CustomerPatch>

const SORTS = [
  'created_at',
  'total_spent_cents',
  'orders_count',
  'last_order_at',
  'balance_cents',
] as const
export type CustomerSort = (typeof SORTS)[number]

export const CustomerQuery = z.object({
  ...PageQuery,
  email: Email.optional().describe('The whole address, without case.'),
  country: Countries.describe('One or several codes of ISO 3166-1 alpha-2.'),
  blocked: QueryBoolean.optional().describe('`true` or `false`.'),
  tag: Line(TAG_LENGTH_MAX).optional().describe('One tag, exactly as it is written.'),
  search: z.string().max(200).optional().describe('Part of the email or name, without case.'),
  sort: z
    .enum(SORTS.flatMap((name) => [name, `-${name}`] as const))
    .default('-created_at')
    .describe('A field, with `-` for descending; ties by id.'),
})
export type CustomerQuery = z.output<typeof CustomerQuery>

export const BalanceEntry = z
  .object({
    id: z.int().describe('Balance entry id.'),
    object: z.literal('balance_entry').describe('Always `balance_entry`.'),
    customer_id: z.int().describe('The id of the customer.'),
    amount_cents: z.int().describe('The change in minor units; below 0 if it was spent.'),
    balance_cents: z.int().describe('The balance after the change.'),
    reason: z.string().describe('Why; `payment` and `refund` for money of an order.'),
    order_id: z.string().nullable().describe('The order that it belongs to.'),
    created_at: DateTime.describe('When the balance changed.'),
  })
  .meta({ id: 'BalanceEntry', description: "A change of a customer's balance." })
export type BalanceEntry = z.output<typeof BalanceEntry>

export const BalanceChange = z
  .strictObject({
    amount_cents: z
      .int('Use an integer in minor units, such as 1999 for 19.99.')
      .min(-BALANCE_CHANGE_MAX, `Use at least -${BALANCE_CHANGE_MAX}.`)
      .max(BALANCE_CHANGE_MAX, `Use at most ${BALANCE_CHANGE_MAX}.`)
      .refine((cents) => cents !== 0, 'Use an amount other than 0.')
      .describe('Minor units: above 0 credits, below 0 debits. Not 0.'),
    reason: Line(255).describe('Why the balance changes.'),
  })
  .meta({ id: 'BalanceChange' })
export type BalanceChange = z.output<typeof BalanceChange>

export const BalanceQuery = z.object(PageQuery)

export const CustomerPath = z.object({ id: PathId.describe('The customer.') })
