import { z } from 'zod'
import { DateTime, OneOrMoreOf, PageQuery, QueryBoolean, Text } from '../../kernel/shapes.ts'

export const KEYS_MAX = 5_000
export const KEY_LENGTH_MAX = 2_048

const STATUSES = ['available', 'reserved', 'sold', 'burned', 'revoked'] as const

export const StockKey = z
  .object({
    id: z.int().describe('Of the key.'),
    object: z.literal('stock_key').describe('Always `stock_key`.'),
    variant_id: z.int().describe('The variant it is stock of.'),
    value: z.string().describe('The key; masked unless `reveal=true`.'),
    status: z.enum(STATUSES).describe('`reserved` is held back by the seller.'),
    order_id: z.string().nullable().describe('The order it was sold with.'),
    sold_at: DateTime.nullable().describe('When it was sold.'),
    created_at: DateTime.describe('When it was added.'),
  })
  .meta({ id: 'StockKey', description: 'A stock key.' })
export type StockKey = z.output<typeof StockKey>

export const NewKeys = z
  .strictObject({
    keys: z
      .array(
        Text(KEY_LENGTH_MAX).refine(
          (key) => key.trim().length > 0,
          'Write at least one character.',
        ),
      )
      .min(1, 'Send at least one key.')
      .max(KEYS_MAX, `Send at most ${KEYS_MAX} keys in a call.`)
      .describe('The keys, 1 to 5000, each up to 2048 characters.'),
    skip_duplicates: z
      .boolean()
      .default(true)
      .describe('When false, one key that is there already refuses the call.'),
  })
  .meta({ id: 'NewStockKeys' })
export type NewKeys = z.output<typeof NewKeys>

export const KeyQuery = z.object({
  ...PageQuery,
  status: OneOrMoreOf(STATUSES).describe('`available`, `reserved`, `sold`, `burned`, `revoked`.'),
  reveal: QueryBoolean.default(false).describe('`true` shows the keys in full.'),
})
export type KeyQuery = z.output<typeof KeyQuery>
