import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import {
  Countries,
  Country,
  CursorListQuery,
  DateTime,
  Email,
  Line,
  ListQuery,
  Metadata,
  PathId,
  QueryBoolean,
  Text,
  unlessMissing,
} from '../../../kernel/shapes.ts'

export const TAGS_MAX = 50
const TAG_LENGTH_MAX = 64
export const NOTE_MAX = 5_000
const BALANCE_CHANGE_MAX = 99_999_999_999

const Profile = {
  name: Line(128).nullable().describe('The name of the customer.'),
  country: Country.nullable().describe('The country of the customer, an ISO 3166-1 alpha-2 code.'),
  note: Text(NOTE_MAX).nullable().describe('A note that only the seller sees.'),
  tags: list(Line(TAG_LENGTH_MAX), { max: TAGS_MAX, error: `Use at most ${TAGS_MAX} tags.` })
    .transform((tags) => [...new Set(tags)])
    .describe('Labels of your own, at most 50. Repeated tags are removed.'),
  marketing_opt_in: z.boolean().describe('True if the customer agreed to receive marketing.'),
  metadata: Metadata.describe('Key-value pairs of your own. They replace all existing pairs.'),
}

export const Customer = z
  .object({
    id: z.int().describe('The id of the customer.'),
    object: z.literal('customer').describe('Always `customer`.'),
    email: z.string().describe('The email address, in lower case and unique in the store.'),
    name: z.string().nullable().describe('The name of the customer.'),
    country: z
      .string()
      .nullable()
      .describe('The country of the customer, an ISO 3166-1 alpha-2 code.'),
    balance_cents: z.int().describe('The store credit in minor units. It is never below 0.'),
    currency: z.string().describe('The currency of the store, an ISO 4217 code.'),
    orders_count: z
      .int()
      .describe(
        'The number of orders that were paid in full, including orders that were refunded later.',
      ),
    total_spent_cents: z
      .int()
      .describe('The payments for these orders less refunds, in minor units.'),
    average_order_cents: z
      .int()
      .describe('The spending per order in minor units, rounded; 0 without an order.'),
    first_order_at: DateTime.nullable().describe('The time when the first order was paid.'),
    last_order_at: DateTime.nullable().describe('The time when the latest order was paid.'),
    blocked: z.boolean().describe('True if the email address is on the blocklist.'),
    blocked_at: DateTime.nullable().describe(
      'The time when the email address was blocked; null if it is not blocked.',
    ),
    note: z.string().nullable().describe('A note that only the seller sees.'),
    tags: z.array(z.string()).describe('Labels of your own.'),
    marketing_opt_in: z.boolean().describe('True if the customer agreed to receive marketing.'),
    affiliate_partner_id: z
      .string()
      .nullable()
      .describe('The affiliate partner that belongs to this customer; null if there is none.'),
    metadata: z.record(z.string(), z.string()).describe('Key-value pairs of your own.'),
    erased_at: DateTime.nullable().describe(
      "The time when the customer's personal data was erased; null if it was not.",
    ),
    created_at: DateTime.describe('The time when the customer was created.'),
    updated_at: DateTime.describe('The time when the customer last changed.'),
  })
  .meta({ id: 'Customer', description: 'A customer of the store.' })
export type Customer = z.output<typeof Customer>

export const NewCustomer = z
  .strictObject({
    email: Email.describe(
      'The email address, which is stored in lower case. No other customer of the store may have the same address.',
    ),
    name: Profile.name.default(null),
    country: Profile.country.default(null),
    note: Profile.note.default(null),
    tags: Profile.tags.prefault([]),
    marketing_opt_in: Profile.marketing_opt_in.default(false),
    metadata: Profile.metadata.default({}),
  })
  .meta({ id: 'CustomerInput' })
export type NewCustomer = z.output<typeof NewCustomer>

export const CustomerPatch = z
  .strictObject({
    email: Email.describe(
      'The email address, which is stored in lower case. Orders keep the address with which they were made, and their mail goes to this one.',
    ),
    ...Profile,
  })
  .partial()
  .meta({ id: 'CustomerPatch' })
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
  ...CursorListQuery,
  email: Email.optional().describe('The whole email address; case is ignored.'),
  country: Countries.describe(
    'Only customers with one of these countries, as ISO 3166-1 alpha-2 codes.',
  ),
  blocked: QueryBoolean.optional().describe(
    '`true` returns only blocked customers, `false` only others.',
  ),
  tag: Line(TAG_LENGTH_MAX).optional().describe('One tag, compared exactly.'),
  search: z.string().max(200).optional().describe('A part of the email or name; case is ignored.'),
  sort: z
    .enum(SORTS.flatMap((name) => [name, `-${name}`] as const))
    .default('-created_at')
    .describe(
      'The field to sort by, with `-` for descending order. Equal values are sorted by id.',
    ),
})
export type CustomerQuery = z.output<typeof CustomerQuery>

export const BalanceEntry = z
  .object({
    id: z.int().describe('The id of the balance entry.'),
    object: z.literal('balance_entry').describe('Always `balance_entry`.'),
    customer_id: z.int().describe('The id of the customer.'),
    amount_cents: z.int().describe('The change in minor units; below 0 for a debit.'),
    balance_cents: z.int().describe('The balance after the change, in minor units.'),
    reason: z
      .string()
      .describe(
        'The reason; `payment`, `refund` or `order_ended` if the entry belongs to an order. `order_ended` returns what was paid for an order that was cancelled or expired.',
      ),
    order_id: z
      .string()
      .nullable()
      .describe('The id of the order to which the entry belongs; null if there is none.'),
    created_at: DateTime.describe('The time when the balance changed.'),
  })
  .meta({ id: 'BalanceEntry', description: "A change of a customer's balance." })
export type BalanceEntry = z.output<typeof BalanceEntry>

export const BalanceChange = z
  .strictObject({
    amount_cents: z
      .int({ error: unlessMissing('Use an integer in minor units, such as 1999 for 19.99.') })
      .min(-BALANCE_CHANGE_MAX, `Use at least -${BALANCE_CHANGE_MAX}.`)
      .max(BALANCE_CHANGE_MAX, `Use at most ${BALANCE_CHANGE_MAX}.`)
      .refine((cents) => cents !== 0, 'Use an amount other than 0.')
      .describe(
        'The change in minor units: above 0 credits the balance, below 0 debits it. 0 is refused.',
      ),
    reason: Line(255).describe('The reason why the balance changes.'),
  })
  .meta({ id: 'BalanceChange' })
export type BalanceChange = z.output<typeof BalanceChange>

export const BalanceQuery = z.object(ListQuery)

export const CustomerPath = z.object({ id: PathId.describe('The id of the customer.') })
