import { resolve, type Shapes, shapeName } from './resolve.ts'
import type { Json } from './schemas.ts'

const AT = '2026-01-31T09:30:00.000Z'
const DAY_DIGITS = '2026-01-31'.length
const ORDER = 'ord_0350000000000000000000'
const PRODUCT = 'a1B2c3D4e5F6'

/** Realistic values by field name; null is preferred where allowed. */
const BY_NAME: Record<string, unknown> = {
  email: 'ada@example.com',
  customer_email: 'ada@example.com',
  country: 'GB',
  currency: 'EUR',
  name: 'Photo editor',
  slug: 'photo-editor',
  product_id: PRODUCT,
  product_ids: [PRODUCT],
  order_id: ORDER,
  invoice_id: ORDER,
  variant_id: 7,
  url: 'https://example.com/editor',
  download_url: 'https://example.com/editor.zip',
  limit: 25,
  offset: 0,
  total: 1,
  quantity: 1,
  key: 'AAAA-0001',
  keys: ['AAAA-0001'],
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  request_id: 'req_0000cB7rTqk2XWm91VzLdE',
  sku: 'EDITOR-1',
  code: 'WELCOME10',
  hash: PRODUCT,
  public_id: 'app_0351dop112bI57mNnoDiod',
  fingerprint: 'a1b2c3d4e5f60718',
  event_id: 'evt_000000000027s63YJWp5Mg',
}

const BY_SHAPE: Record<string, string> = {
  Order: ORDER,
  ListedOrder: ORDER,
  Product: PRODUCT,
  ListedProduct: PRODUCT,
  Webhook: 'we_0351X2ty6plCMXBYLGB7Wg',
  ListedWebhook: 'we_0351X2ty6plCMXBYLGB7Wg',
}

const BY_PATTERN: [RegExp, string][] = [
  [/^\^ord_/, ORDER],
  [/^\^we_/, 'we_0351X2ty6plCMXBYLGB7Wg'],
  [/^\^app_/, 'app_0351dop112bI57mNnoDiod'],
  [/^\^evt_/, 'evt_000000000027s63YJWp5Mg'],
  [/^\^req_/, 'req_0000cB7rTqk2XWm91VzLdE'],
  [/^\^\(?\[A-Z\]\{2\}/, 'GB'],
  [/^\^\[0-9a-f\]\{64\}/, '5257a869e7ecebed'.repeat(4)],
  [/^\^\\d\{1,9\}/, '1.4.2'],
  [/^\^\\d\{1,16\}/, '1042'],
  [/^\^(\[Hh\]|https)/, 'https://example.com/editor'],
  [/^\^\(\(\?=/, PRODUCT],
  [/^\^\(\[A-Za-z0-9\+\/\]/, 'SGVsbG8='],
  [/smhd/, '12h'],
  [/\\\//, 'image/png'],
  [/^\^\[A-Za-z0-9\]\{1,16\}/, 'EDITOR'],
  [/^\^\[A-Za-z0-9_-\]\{22,86\}/, 'q7c0p3Jm1nVxXr2yG5bTzA'],
  [/^\^/, 'editor-1'],
]

/** A value that matches a schema, using its `example` and defaults. */
export function exampleOf(schema: Json, shapes: Shapes): unknown {
  return example({ schema, shapes, name: '', of: '', within: [] })
}

interface Asked {
  schema: Json
  shapes: Shapes
  name: string
  /** The named shape that the field belongs to. */
  of: string
  /** Named shapes being printed; a recursive shape ends there. */
  within: string[]
}

function example(request: Asked): unknown {
  const { schema, shapes, within } = request
  const named = shapeName(schema)
  if (named !== undefined && within.includes(named)) return null
  const full = { ...request, schema: resolve(schema, shapes) }
  const inside = named === undefined ? full : { ...full, of: named, within: [...within, named] }
  const fixed = fixedValue(inside.schema)
  return fixed === undefined ? build(inside) : fixed
}

/**
 * The value that the schema itself gives: an example, a constant, null if allowed, or the first of
 * an enum.
 */
function fixedValue({ example: given, const: constant, type, anyOf, oneOf, enum: values }: Json) {
  if (given !== undefined) return given
  if (constant !== undefined) return constant
  const choices = (anyOf ?? oneOf ?? []) as Json[]
  const isNullable = [type].flat().includes('null') || choices.some((item) => item.type === 'null')
  return isNullable ? null : (values as unknown[] | undefined)?.[0]
}

function build(request: Asked): unknown {
  const { schema } = request
  const [choice] = (schema.anyOf ?? schema.oneOf ?? []) as Json[]
  if (choice) return example({ ...request, schema: choice })
  if (schema.properties || schema.type === 'object') return objectOf(request)
  return schema.type === 'array' ? listOf(request) : simple(request)
}

function objectOf(request: Asked): Json {
  const properties = (request.schema.properties ?? {}) as Record<string, Json>
  const values = Object.entries(properties).map(([name, schema]) => [
    name,
    example({ ...request, schema, name }),
  ])
  return Object.fromEntries(values)
}

function listOf(request: Asked): unknown[] {
  const items = (request.schema.items ?? {}) as Json
  const known = BY_NAME[request.name]
  if (Array.isArray(known) && items.type === 'string') return known
  const name = request.name.replace(/s$/, '')
  return [example({ ...request, schema: items, name })]
}

function simple(request: Asked): unknown {
  const { schema, name } = request
  if (schema.type === 'string') return textOf(request)
  if (schema.type === 'boolean') return schema.default ?? true
  if (schema.type !== 'integer' && schema.type !== 'number') return 'text'
  if (/^(discount|shipping|refunded)_cents$/.test(name)) return within(schema, 0)
  if (name.endsWith('_cents')) return within(schema, 1999)
  const known = BY_NAME[name]
  return within(schema, typeof known === 'number' ? known : Number(schema.default ?? 1))
}

const within = ({ minimum, maximum }: Json, value: number): number =>
  Math.min(Math.max(value, Number(minimum ?? value)), Number(maximum ?? value))

function textOf({ schema, name, of }: Asked): string {
  const { format, pattern, default: fallback } = schema
  if (format === 'date-time') return AT
  if (format === 'date') return AT.slice(0, DAY_DIGITS)
  if (format === 'email') return 'ada@example.com'
  if (format === 'ipv4') return '203.0.113.7'
  if (typeof fallback === 'string' && fallback !== '') return fallback
  const known = BY_NAME[name]
  if (typeof pattern === 'string') return matching(pattern, known)
  if (name === 'id') return BY_SHAPE[of] ?? PRODUCT
  if (typeof known === 'string') return known
  if (name.endsWith('_at') || name.endsWith('_until')) return AT
  if (name.endsWith('url')) return 'https://example.com/editor'
  return 'text'
}

function matching(pattern: string, known: unknown): string {
  if (typeof known === 'string' && new RegExp(pattern, 'u').test(known)) return known
  return BY_PATTERN.find(([form]) => form.test(pattern))?.[1] ?? 'editor'
}
