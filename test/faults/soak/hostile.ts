import type { Api } from './api.ts'

interface HostileBody {
  name: string
  method: string
  path: string
  raw: string
}

const ELEMENTS = 100_000
const NAME_BYTES = 900_000
const DEPTH = 50_000
const TAGS = 33_000
/** The maximum number of tags in a text (decision 120). */
const TAGS_MAX = 2_000

/** Returns the bodies that take the most processor time, within the size limit of a call. */
export function hostileBodies(product: string, appId: string): HostileBody[] {
  const longText = 'x'.repeat(NAME_BYTES)
  const numbers = Array.from({ length: ELEMENTS }, (_, number) => number)
  const body = (name: string, path: string, value: unknown, method = 'POST') => ({
    name,
    method,
    path,
    raw: typeof value === 'string' ? value : JSON.stringify(value),
  })
  const customer = { email: 'ada@example.com' }
  const details = `/v1/products/${product}/details`
  const tags = '<b>'.repeat(TAGS)
  const manyNames = Object.fromEntries(numbers.slice(0, 50_000).map((number) => [`k${number}`, 1]))
  const items = numbers.map(() => ({}))
  return [
    body('an order of 100,000 items', '/v1/orders', { items, customer }),
    body('100,000 category ids', '/v1/products', { name: 'x', category_ids: numbers }),
    body('a name of 900 KB', '/v1/products', { name: longText, price_cents: 1 }),
    body('an email address of 900 KB', '/v1/orders', {
      items: [{ product_id: product, quantity: 1 }],
      customer: { email: `${longText}@example.com` },
    }),
    body('a license key of 900 KB', `/security/v1/client/${appId}/validate`, {
      license_key: longText,
    }),
    body('50,000 nested arrays', '/v1/products', '['.repeat(DEPTH) + ']'.repeat(DEPTH)),
    body('50,000 nested objects', '/v1/orders', `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`),
    body('50,000 fields', '/v1/orders', { metadata: manyNames }),
    body('33,000 open HTML tags', details, { description_html: tags }, 'PATCH'),
    body(
      '1,000 HTML elements',
      details,
      { description_html: '<b>x</b>'.repeat(TAGS_MAX / 2) },
      'PATCH',
    ),
    body('33,000 HTML elements', details, { description_html: '<b>x</b>'.repeat(TAGS) }, 'PATCH'),
    body(
      '33,000 HTML attributes',
      details,
      { description_html: `<a ${'a=1 '.repeat(TAGS)}>x</a>` },
      'PATCH',
    ),
    body('100,000 stock keys', `/v1/products/${product}/variants/1/keys`, {
      keys: numbers.map(String),
    }),
  ]
}

export async function sendConcurrently(
  api: Api,
  { name: label, ...call }: HostileBody,
  count: number,
): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => api.attempt({ ...call, label })))
}
