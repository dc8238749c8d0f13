import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { DateTime, OneOrMoreOf, PageQuery, QueryBoolean } from '../../../kernel/shapes.ts'
import { QUANTITY_MAX } from './stock.rules.ts'

export const KEYS_MAX = 5_000
export const KEY_LENGTH_MAX = 2_048

const STOCK_MODES = ['calculated', 'manual', 'unlimited'] as const
export const STATUSES = ['available', 'reserved', 'sold', 'burned', 'revoked'] as const

export const StockKey = z
  .object({
    id: z.int().describe('The id of the key.'),
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

export const FoundKey = StockKey.extend({
  product_id: z.string().describe('The product of the variant.'),
  product_name: z.string().describe('Its name.'),
}).meta({ id: 'FoundStockKey', description: 'A stock key with its product.' })
export type FoundKey = z.output<typeof FoundKey>

/** The reason why a text cannot be a stock key; undefined if it can (decision 114). */
export function whyNoKey(text: string): string | undefined {
  if (text.trim() === '') return 'Write at least one character.'
  if (/^\ufeff|\r$/.test(text))
    return 'Remove what a file left: a byte order mark in front, or a carriage return at the end.'
  if (text.length > KEY_LENGTH_MAX && [...text].length > KEY_LENGTH_MAX)
    return `Write at most ${KEY_LENGTH_MAX} characters.`
  return /[^\P{Cc}\t\r\n]/u.test(text) ? 'Remove control characters.' : undefined
}

export const KeyText = z
  .string()
  .max(KEY_LENGTH_MAX, `Write at most ${KEY_LENGTH_MAX} characters.`)
  .refine((text) => !whyNoKey(text), 'Write a key without control characters.')

/** A name that the caller gives to an import of several calls. */
export const ImportId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,64}$/, 'Use 8 to 64 letters, digits, hyphens and underscores.')

export const NewKeys = z
  .strictObject({
    keys: list(z.string(), { max: KEYS_MAX, error: `Send at most ${KEYS_MAX} keys in a call.` })
      .min(1, 'Send at least one key.')
      .describe('The keys, 1 to 5000, each up to 2048 characters.'),
    skip_duplicates: z
      .boolean()
      .default(true)
      .describe('When false, one key that is there already refuses the call.'),
    dry_run: z
      .boolean()
      .default(false)
      .describe('When true, nothing is added; `report` says what each line is.'),
    import_id: ImportId.optional().describe(
      'A random text that names the import. All calls of one import send the same; it can be undone for 10 minutes.',
    ),
  })
  .superRefine(({ keys, dry_run }, issues) => {
    if (dry_run) return
    const at = keys.findIndex((key) => whyNoKey(key))
    const message = whyNoKey(keys[at] ?? 'x')
    if (message) issues.addIssue({ code: 'custom', path: ['keys', at], message, input: keys[at] })
  })
  .meta({ id: 'NewStockKeys' })
export type NewKeys = z.output<typeof NewKeys>

const Lines = z.array(z.int())

export const KeyReport = z
  .object({
    new: z.int().describe('Lines that would be added.'),
    duplicate: Lines.describe('Lines whose key is in stock, or stands on an earlier line.'),
    already_sold: Lines.describe(
      'Lines whose key is no longer in stock: it was sold, or withdrawn.',
    ),
    malformed: z
      .array(z.object({ line: z.int().describe('From 1.'), reason: z.string().describe('Why.') }))
      .describe('Lines that cannot be a key.'),
  })
  .meta({ id: 'StockKeyReport', description: 'The findings of a dry run, by line numbers from 1.' })
export type KeyReport = z.output<typeof KeyReport>

export const KeyExport = z
  .object({
    url: z.string().describe('The URL of the CSV.'),
    expires_at: DateTime.describe('Until when.'),
  })
  .meta({ id: 'StockKeyExport', description: 'A signed address of a download.' })
export type KeyExport = z.output<typeof KeyExport>

const EDITABLE = ['available', 'reserved', 'burned', 'revoked'] as const

export const KeyPatch = z
  .strictObject({
    value: KeyText.describe('Another text.'),
    status: z
      .enum(EDITABLE)
      .describe('`reserved` holds it back; `burned` and `revoked` are final.'),
  })
  .partial()
  .meta({ id: 'StockKeyPatch' })
export type KeyPatch = z.output<typeof KeyPatch>

const Units = z.int().max(QUANTITY_MAX, `Use at most ${QUANTITY_MAX}.`)

export const StockPatch = z
  .strictObject({
    quantity: Units.min(0, 'Use 0 or more.').optional().describe('Units to sell from now on.'),
    delta: Units.min(-QUANTITY_MAX).optional().describe('Units more, or fewer where negative.'),
  })
  .superRefine(({ quantity, delta }, issues) => {
    if ((quantity === undefined) !== (delta === undefined)) return
    const path = [quantity === undefined ? 'quantity' : 'delta']
    issues.addIssue({
      code: 'custom',
      path,
      message: 'Send either quantity or delta.',
      input: delta,
    })
  })
  .meta({ id: 'StockPatch' })
export type StockPatch = z.output<typeof StockPatch>

export const VariantStock = z
  .object({
    object: z.literal('stock').describe('Always `stock`.'),
    variant_id: z.int().describe('The variant it is stock of.'),
    stock_mode: z.enum(STOCK_MODES).describe('How it is counted.'),
    track_inventory: z.boolean().describe('When false, stock is not counted.'),
    allow_backorder: z.boolean().describe('When true, orders pass without stock.'),
    available: z
      .int()
      .nullable()
      .describe('Units that can be sold now; null where there is no end.'),
    on_hand: z.int().describe('Units there are, held ones included.'),
    reserved: z.int().describe('Units that unpaid orders hold.'),
    sold: z.int().describe('Units ever sold.'),
    low_stock_threshold: z.int().nullable().describe('Units at which stock counts as low.'),
    low_stock: z.boolean().describe('True if stock is at its threshold or below.'),
  })
  .meta({ id: 'VariantStock', description: 'The stock of a variant.' })
export type VariantStock = z.output<typeof VariantStock>

export const KeyQuery = z.object({
  ...PageQuery,
  status: OneOrMoreOf(STATUSES).describe('`available`, `reserved`, `sold`, `burned`, `revoked`.'),
  reveal: QueryBoolean.default(false).describe('`true` shows the keys in full.'),
})
export type KeyQuery = z.output<typeof KeyQuery>
