import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import type { BrokenRule } from '../../../kernel/broken-rule.ts'
import {
  Characters,
  DateTime,
  ListQuery,
  OneOrMoreOf,
  ProductRef,
  QueryBoolean,
  REPLACEMENT,
  WRONG_ENCODING,
} from '../../../kernel/shapes.ts'
import { QUANTITY_MAX } from './stock.rules.ts'

const KEYS_MAX = 5_000
const KEY_LENGTH_MAX = 2_048

export const STOCK_MODES = ['calculated', 'manual', 'unlimited'] as const
export const STATUSES = ['available', 'reserved', 'sold', 'burned', 'revoked'] as const

export const StockKey = z
  .object({
    id: z.int().describe('The id of the key.'),
    object: z.literal('stock_key').describe('Always `stock_key`.'),
    variant_id: z.int().describe('The id of the variant.'),
    value: z.string().describe('The key; masked unless `reveal=true`.'),
    status: z
      .enum(STATUSES)
      .describe('The status of the key. The seller keeps a `reserved` key from sale.'),
    order_id: z.string().nullable().describe('The order with which the key was sold.'),
    sold_at: DateTime.nullable().describe('The time of the sale.'),
    created_at: DateTime.describe('The time at which the key was added.'),
  })
  .meta({ id: 'StockKey', description: 'A stock key.' })
export type StockKey = z.output<typeof StockKey>

export const KeyWithProduct = StockKey.extend({
  product_id: z.string().describe('The hash of the product.'),
  product_name: z.string().describe('The name of the product.'),
}).meta({ id: 'FoundStockKey', description: 'A stock key with its product.' })
export type KeyWithProduct = z.output<typeof KeyWithProduct>

/** Returns why a text cannot be a stock key; undefined if it can be one (decision 181). */
export function problemOfKey(text: string): string | undefined {
  if (text.trim() === '') return 'Write at least one character.'
  if (/^\ufeff|\r$/.test(text))
    return 'Remove the byte order mark at the start, or the carriage return at the end.'
  if (text.length > KEY_LENGTH_MAX && [...text].length > KEY_LENGTH_MAX)
    return `Write at most ${KEY_LENGTH_MAX} characters.`
  if (text.includes(REPLACEMENT)) return WRONG_ENCODING
  return /[^\P{Cc}\t\r\n]/u.test(text) ? 'Remove control characters.' : undefined
}

/** Returns the rule that a text of a wrong length breaks. */
function ruleOfKey(text: string): BrokenRule | undefined {
  if (text.trim() === '') return { rule: 'min_length', limit: 1 }
  return [...text].length > KEY_LENGTH_MAX
    ? { rule: 'max_length', limit: KEY_LENGTH_MAX }
    : undefined
}

export const KeyText = z
  .string()
  .max(KEY_LENGTH_MAX, `Write at most ${KEY_LENGTH_MAX} characters.`)
  .superRefine((text, check) => {
    const message = problemOfKey(text)
    if (message) check.addIssue({ code: 'custom', message, params: ruleOfKey(text) })
  })

/** The caller's name for an import that may take several calls. */
export const ImportId = Characters(
  64,
  /^[A-Za-z0-9_-]{8,64}$/,
  'Use 8 to 64 letters, digits, hyphens and underscores.',
)

export const NewStockKeys = z
  .strictObject({
    keys: list(z.string(), { max: KEYS_MAX, error: `Send at most ${KEYS_MAX} keys in a call.` })
      .min(1, 'Send at least one key.')
      .describe('The keys, 1 to 5000, each up to 2048 characters.'),
    skip_duplicates: z
      .boolean()
      .default(true)
      .describe('If false, the call is refused if the variant already has one of the keys.'),
    dry_run: z
      .boolean()
      .default(false)
      .describe('If true, nothing is added, and `report` gives the result for each line.'),
    import_id: ImportId.optional().describe(
      'A random text that names the import. All calls of one import send the same text. The import can be undone for 10 minutes. Default: none; the keys then cannot be removed together.',
    ),
  })
  .superRefine(({ keys, dry_run }, issues) => {
    if (dry_run) return
    const index = keys.findIndex((key) => problemOfKey(key))
    const input = keys[index] ?? 'x'
    const message = problemOfKey(input)
    const params = ruleOfKey(input)
    if (message) issues.addIssue({ code: 'custom', path: ['keys', index], message, input, params })
  })
  .meta({ id: 'StockKeysInput' })
export type NewStockKeys = z.output<typeof NewStockKeys>

const LineNumbers = z.array(z.int())

export const KeyReport = z
  .object({
    new: z.int().describe('The number of lines that would be added.'),
    duplicate: LineNumbers.describe('The lines whose key is in stock or on an earlier line.'),
    already_sold: LineNumbers.describe(
      'The lines whose key was in stock before, and was sold, burned or revoked.',
    ),
    malformed: z
      .array(
        z.object({
          line: z.int().describe('The line number, from 1.'),
          reason: z.string().describe('The reason why the line cannot be a key.'),
        }),
      )
      .describe('The lines that cannot be a key.'),
  })
  .meta({ id: 'StockKeyReport', description: 'The report of a dry run, by line numbers from 1.' })
export type KeyReport = z.output<typeof KeyReport>

export const KeyExport = z
  .object({
    url: z.string().describe('The URL of the CSV file.'),
    expires_at: DateTime.describe('The time at which the URL expires.'),
  })
  .meta({ id: 'StockKeyExport', description: 'A signed URL for a download.' })
export type KeyExport = z.output<typeof KeyExport>

export const ImportsQuery = z.object({
  product_id: ProductRef,
  variant_id: z.coerce
    .number()
    .int('Use the id of a variant.')
    .positive('Use the id of a variant.')
    .describe('The id of the variant.'),
})
export type ImportsQuery = z.output<typeof ImportsQuery>

export const ImportedStockKeys = z
  .object({
    import_id: z
      .string()
      .nullable()
      .describe('The id of the import; null for keys that were added without one.'),
    added_at: DateTime.describe('The time at which the first key of the batch was added.'),
    count: z.int().describe('The number of its keys that were not deleted.'),
    available: z.int().describe('The number of its keys that can be sold.'),
    sold: z.int().describe('The number of its sold keys.'),
  })
  .meta({ id: 'ImportedKeys', description: 'A batch of stock keys.' })
export type ImportedStockKeys = z.output<typeof ImportedStockKeys>

const EDITABLE_STATUSES = ['available', 'reserved', 'burned', 'revoked'] as const

export const StockKeyPatch = z
  .strictObject({
    value: KeyText.describe('The new text of the key.'),
    status: z
      .enum(EDITABLE_STATUSES)
      .describe(
        '`reserved` keeps the key from sale. `burned` and `revoked` cannot be changed again.',
      ),
  })
  .partial()
  .meta({ id: 'StockKeyPatch' })
export type StockKeyPatch = z.output<typeof StockKeyPatch>

const Units = z.int().max(QUANTITY_MAX, `Use at most ${QUANTITY_MAX}.`)

export const StockPatch = z
  .strictObject({
    quantity: Units.min(0, 'Use 0 or more.')
      .optional()
      .describe(
        'The number of units that can be sold from now on. Default: none; send either `quantity` or `delta`.',
      ),
    delta: Units.min(-QUANTITY_MAX)
      .optional()
      .describe(
        'The number of units to add; a negative number is subtracted. Default: none; send either `quantity` or `delta`.',
      ),
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
    variant_id: z.int().describe('The id of the variant.'),
    stock_mode: z.enum(STOCK_MODES).describe('The way in which stock is counted.'),
    track_inventory: z.boolean().describe('If false, stock is not counted.'),
    allow_backorder: z.boolean().describe('If true, orders are accepted without stock.'),
    available: z
      .int()
      .nullable()
      .describe('The units that can be sold now; null if stock is unlimited.'),
    on_hand: z.int().describe('The units in stock, including reserved ones.'),
    reserved: z
      .int()
      .describe('The units that unpaid orders reserve, or that paid orders wait for.'),
    sold: z.int().describe('The units sold so far.'),
    low_stock_threshold: z
      .int()
      .nullable()
      .describe('Stock counts as low at this number of units or fewer; null for never.'),
    low_stock: z.boolean().describe('True if `available` is at the threshold or below.'),
  })
  .meta({ id: 'VariantStock', description: 'The stock of a variant.' })
export type VariantStock = z.output<typeof VariantStock>

export const StockKeyQuery = z.object({
  ...ListQuery,
  status: OneOrMoreOf(STATUSES).describe('Only keys with one of these statuses.'),
  reveal: QueryBoolean.default(false).describe('If `true`, the answer shows the complete keys.'),
})
export type StockKeyQuery = z.output<typeof StockKeyQuery>
