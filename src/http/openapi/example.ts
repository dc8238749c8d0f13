import { REQUEST_ID } from './errors.ts'
import { resolve, type SchemaMap, shapeName } from './resolve.ts'
import type { Json } from './schemas.ts'

const EXAMPLE_TIME = '2026-01-31T09:30:00.000Z'
const DAY_DIGITS = '2026-01-31'.length
const ORDER = 'ord_0350000000000000000000'
const PRODUCT = 'a1B2c3D4e5F6'

/** Example values by field name. Nullable fields are null instead. */
const EXAMPLES_BY_NAME: Record<string, unknown> = {
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
  secret: 'whsec_EXAMPLE',
  request_id: REQUEST_ID,
  sku: 'EDITOR-1',
  code: 'WELCOME10',
  hash: PRODUCT,
  public_id: 'app_0351dop112bI57mNnoDiod',
  fingerprint: 'a1b2c3d4e5f60718',
  event_id: 'evt_000000000027s63YJWp5Mg',
}

/** Example ids by the name of the shape that has the field `id`. */
const IDS_BY_SHAPE: Record<string, string> = {
  Order: ORDER,
  ListedOrder: ORDER,
  Product: PRODUCT,
  ListedProduct: PRODUCT,
  Webhook: 'we_0351X2ty6plCMXBYLGB7Wg',
  ListedWebhook: 'we_0351X2ty6plCMXBYLGB7Wg',
}

const SHA256_OF_HELLO = '185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969'

/** Example values by the text of the pattern that a schema has. The first match counts. */
const EXAMPLES_BY_PATTERN: [RegExp, string][] = [
  [/^\^ord_/, ORDER],
  [/^\^we_/, 'we_0351X2ty6plCMXBYLGB7Wg'],
  [/^\^app_/, 'app_0351dop112bI57mNnoDiod'],
  [/^\^evt_/, 'evt_000000000027s63YJWp5Mg'],
  [/^\^req_/, REQUEST_ID],
  [/^\^\(?\[A-Z\]\{2\}/, 'GB'],
  [/^\^\[0-9a-f\]\{64\}/, SHA256_OF_HELLO],
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

/** Returns a value that matches a schema, using its `example` and defaults. */
export function exampleOf(schema: Json, shapes: SchemaMap): unknown {
  return example({ schema, shapes, name: '', parent: '', ancestors: [] })
}

interface ExampleRequest {
  schema: Json
  shapes: SchemaMap
  name: string
  /** The named shape that the field belongs to. */
  parent: string
  /** The named shapes around the field. A recursive shape ends at its second occurrence. */
  ancestors: string[]
}

function example(request: ExampleRequest): unknown {
  const { schema, shapes, ancestors } = request
  const shape = shapeName(schema)
  if (shape !== undefined && ancestors.includes(shape)) return null
  const resolvedRequest = { ...request, schema: resolve(schema, shapes) }
  const inner =
    shape === undefined
      ? resolvedRequest
      : { ...resolvedRequest, parent: shape, ancestors: [...ancestors, shape] }
  const fixed = fixedValue(inner.schema)
  return fixed === undefined ? buildExample(inner) : fixed
}

/**
 * Returns the value that the schema determines: its example, its constant, null if allowed, or the first
 * value of its enum.
 */
function fixedValue({ example, const: constant, type, anyOf, oneOf, enum: values }: Json) {
  if (example !== undefined) return example
  if (constant !== undefined) return constant
  const choices = (anyOf ?? oneOf ?? []) as Json[]
  const isNullable = [type].flat().includes('null') || choices.some((item) => item.type === 'null')
  return isNullable ? null : (values as unknown[] | undefined)?.[0]
}

function buildExample(request: ExampleRequest): unknown {
  const { schema } = request
  const [choice] = (schema.anyOf ?? schema.oneOf ?? []) as Json[]
  if (choice) return example({ ...request, schema: choice })
  if (schema.properties || schema.type === 'object') return objectOf(request)
  return schema.type === 'array' ? listOf(request) : simpleExample(request)
}

function objectOf(request: ExampleRequest): Json {
  const properties = (request.schema.properties ?? {}) as Record<string, Json>
  const values = Object.entries(properties).map(([name, schema]) => [
    name,
    example({ ...request, schema, name }),
  ])
  return Object.fromEntries(values)
}

function listOf(request: ExampleRequest): unknown[] {
  const items = (request.schema.items ?? {}) as Json
  const byName = EXAMPLES_BY_NAME[request.name]
  if (Array.isArray(byName) && items.type === 'string') return byName
  const name = request.name.replace(/s$/, '')
  return [example({ ...request, schema: items, name })]
}

function simpleExample(request: ExampleRequest): unknown {
  const { schema, name } = request
  if (schema.type === 'string') return textOf(request)
  if (schema.type === 'boolean') return schema.default ?? true
  if (schema.type !== 'integer' && schema.type !== 'number') return 'text'
  if (/^(discount|shipping|refunded)_cents$/.test(name)) return clamp(schema, 0)
  if (name.endsWith('_cents')) return clamp(schema, 1999)
  const byName = EXAMPLES_BY_NAME[name]
  return clamp(schema, typeof byName === 'number' ? byName : Number(schema.default ?? 1))
}

const clamp = ({ minimum, maximum }: Json, value: number): number =>
  Math.min(Math.max(value, Number(minimum ?? value)), Number(maximum ?? value))

function textOf({ schema, name, parent }: ExampleRequest): string {
  const { format, pattern, default: fallback } = schema
  if (format === 'date-time') return EXAMPLE_TIME
  if (format === 'date') return EXAMPLE_TIME.slice(0, DAY_DIGITS)
  if (format === 'email') return 'ada@example.com'
  if (format === 'ipv4') return '203.0.113.7'
  if (typeof fallback === 'string' && fallback !== '') return fallback
  const byName = EXAMPLES_BY_NAME[name]
  if (typeof pattern === 'string') return matchingText(pattern, byName)
  if (name === 'id') return IDS_BY_SHAPE[parent] ?? PRODUCT
  if (typeof byName === 'string') return byName
  if (name.endsWith('_at') || name.endsWith('_until')) return EXAMPLE_TIME
  if (name.endsWith('url')) return 'https://example.com/editor'
  return 'text'
}

function matchingText(pattern: string, byName: unknown): string {
  if (typeof byName === 'string' && new RegExp(pattern, 'u').test(byName)) return byName
  return EXAMPLES_BY_PATTERN.find(([beginning]) => beginning.test(pattern))?.[1] ?? 'editor'
}
