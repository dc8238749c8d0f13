import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import type { Answer, Tradepost } from '../harness.ts'
import { faultsOfEnvelope, openUnlimited, pathOf, prepare, send } from './prepared-calls.ts'

// Every answer of the Store API has the envelope, even the answers of the HTTP framework.

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openUnlimited()
})
afterAll(() => tradepost.close())

function expectRefusal(answer: Answer, status: number, code: string) {
  expect({ status: answer.status, code: answer.json?.code }).toEqual({ status, code })
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(faultsOfEnvelope(answer)).toEqual([])
}

describe('an unknown path', () => {
  test.each([
    '//v1/account',
    '/v1',
    '/v1/',
    '/v1/account/',
    '/v1//account',
    '/v1/ACCOUNT',
    '/v1/no-such-path',
    '/v1/orders/ord_0000000000000000000001/no-such-part',
    '/v1/%zz',
    '/v1/%00',
    `/v1/${'x'.repeat(9_000)}`,
    '/v2/account',
  ])('%s is 404', async (url) => {
    const requestWith = async (headers: Record<string, string>): Promise<Answer> => {
      const response = await tradepost.server.inject({ method: 'GET', url, headers })
      return {
        status: response.statusCode,
        json: response.json(),
        text: response.body,
        headers: response.headers as Answer['headers'],
      }
    }
    const { api_key = '', id } = tradepost.live
    expectRefusal(await requestWith({ 'x-api-key': api_key, 'x-store-hash': id }), 404, 'NOT_FOUND')
    // Outside the Store API, no key is required.
    const answer = await requestWith({})
    if (/^\/v1(\/|$)/.test(url)) expectRefusal(answer, 401, 'MISSING_API_KEY')
    else expectRefusal(answer, 404, 'NOT_FOUND')
  })
})

test.each(['/products/', '/products//variants', '/orders/'])(
  'the path %s is 404 with a message about an empty id',
  async (path) => {
    const answer = await tradepost.get(path)
    expectRefusal(answer, 404, 'NOT_FOUND')
    expect(answer.json.error).toBe(
      'An id in the path is empty. Send the id, or remove the trailing slash.',
    )
  },
)

describe('a method that a path does not have', () => {
  const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
  const methodsByPath = new Map<string, string[]>()
  for (const { path, method } of storeEndpoints) {
    const pathMethods = methodsByPath.get(path) ?? []
    methodsByPath.set(path, [...pathMethods, method, ...(method === 'GET' ? ['HEAD'] : [])])
  }

  test.each([...methodsByPath])(
    'on %s is 405 with the methods of the path in the header Allow',
    async (path, methods) => {
      for (const method of METHODS.filter((item) => !methods.includes(item))) {
        const answer = await tradepost.call(method, path.replace(/:\w+/g, '1'))
        expect({ method, status: answer.status }).toEqual({ method, status: 405 })
        expect(answer.headers.allow?.split(', ').sort()).toEqual([...methods].sort())
        expect(answer.headers['x-request-id']).toMatch(/^req_/)
        if (method !== 'HEAD') expectRefusal(answer, 405, 'METHOD_NOT_ALLOWED')
      }
    },
  )
})

describe('HEAD', () => {
  test.each(storeEndpoints.filter(({ method }) => method === 'GET'))(
    'answers like $id without its body',
    async (endpoint) => {
      const input = await prepare(tradepost, endpoint)
      const getAnswer = await send(tradepost, endpoint, input)
      const headAnswer = await tradepost.call('HEAD', pathOf(endpoint, input))
      expect(headAnswer.status).toBe(200)
      expect(headAnswer.text).toBe('')
      expect(headAnswer.headers['content-type']).toBe(getAnswer.headers['content-type'])
      expect(
        Math.abs(Number(headAnswer.headers['content-length']) - Buffer.byteLength(getAnswer.text)),
      ).toBeLessThan(3)
      const refused = await tradepost.call('HEAD', pathOf(endpoint, input), {
        headers: { 'x-api-key': '' },
      })
      expect({ status: refused.status, text: refused.text }).toEqual({ status: 401, text: '' })
    },
  )
})

describe('a body', () => {
  test.each([
    ['over 1 MiB', { raw: 'x'.repeat(1024 * 1024 + 1) }, 413, 'PAYLOAD_TOO_LARGE'],
    ['that is not JSON', { raw: '{"name":' }, 400, 'INVALID_JSON'],
    [
      'of another type',
      { raw: 'name=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'without a type',
      { raw: '{}', headers: { 'content-type': '' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'that is compressed',
      { raw: gzipSync('{"name":"x"}'), headers: { 'content-encoding': 'gzip' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['that is not an object', { raw: '[]' }, 422, 'VALIDATION_FAILED'],
  ])('%s is refused', async (_description, options, status, code) => {
    expectRefusal(await tradepost.call('POST', '/products', options), status, code)
  })

  test('of exactly 1 MiB is parsed', async () => {
    const start = '{"name":"x","price_cents":1,"zz":"'
    const raw = `${start}${'x'.repeat(1024 * 1024 - start.length - 2)}"}`
    expect(raw.length).toBe(1024 * 1024)
    const answer = await tradepost.call('POST', '/products', { raw })
    expect([answer.status, answer.json.details.field]).toEqual([422, 'zz'])
  })

  test('with several faults is refused with the first and a list of all', async () => {
    const answer = await tradepost.post('/products', {
      name: '',
      price_cents: -1,
      details: { highlights: { a: 1 } },
      variants: [{ name: 'A' }, { name: 'B', weight_grams: 'x' }],
      surprise: true,
    })
    expectRefusal(answer, 422, 'VALIDATION_FAILED')
    const fields = answer.json.details.errors.map(({ field }: { field: string }) => field)
    expect(answer.json.details.field).toBe(fields[0])
    expect([...fields].sort()).toEqual(
      [
        'name',
        'price_cents',
        'details.highlights.a',
        'variants[1].weight_grams',
        'surprise',
      ].sort(),
    )
  })

  test.each([
    [
      '/orders',
      { items: [{ product_id: '1', quantity: 1, price: 1 }], customer: { email: 'a@b.co' } },
      'items[0].price',
    ],
    [
      '/orders',
      { items: [{ product_id: '1', quantity: 1 }], customer: { email: 'a@b.co', id: 1 } },
      'customer.id',
    ],
    ['/products', { name: 'x', price_cents: 1, hash_id: 'AAAAAAAAAAAA' }, 'hash_id'],
    ['/products', { name: 'x', price_cents: 1, seo: { title: 'x' } }, 'seo.title'],
    ['/webhooks', { url: 'https://x.example', events: ['*'], secret: 'whsec_mine' }, 'secret'],
  ])(
    'of POST %s with an unknown field is refused, and the field is named',
    async (path, body, field) => {
      const answer = await tradepost.post(path, body)
      expectRefusal(answer, 422, 'VALIDATION_FAILED')
      expect(answer.json.details.field).toBe(field)
    },
  )
})

describe('x-request-id', () => {
  test('is on every answer, and is new for every call, whatever the caller sends', async () => {
    const requestIds = new Set<unknown>()
    const urls = ['/healthz', '/readyz', '/openapi.json', '/', '/v1/account', '/v1/%zz', '/docs/%']
    for (const url of urls) {
      for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) {
        const headers = { 'x-request-id': 'mine', 'request-id': 'mine' }
        const answer = await tradepost.server.inject({ method, url, headers })
        expect(answer.headers['x-request-id'], `${method} ${url}`).toMatch(/^req_[0-9A-Za-z]{22}$/)
        requestIds.add(answer.headers['x-request-id'])
      }
    }
    expect(requestIds.size).toBe(urls.length * 3)
  })
})

test('health, readiness and the OpenAPI document are answered without a key', async () => {
  const get = async (url: string) => tradepost.server.inject({ method: 'GET', url })
  expect((await get('/healthz')).json()).toEqual({ status: 'ok' })
  expect((await get('/readyz')).json()).toEqual({ status: 'ready' })
  expect((await get('/openapi.json')).json().openapi).toMatch(/^3\.1/)
})

test('the address of the API serves no metrics', async () => {
  const { statusCode, payload } = await tradepost.server.inject({
    method: 'GET',
    url: '/metrics',
  })
  expect(statusCode).toBe(404)
  expect(payload).not.toContain('tradepost_')
})

test('the refusal of a call during which the database fails reveals no internals', async () => {
  const broken = await openUnlimited()
  const as = await broken.key()
  await broken.get('/account', { as })
  await broken.db.schema.alterTable('product').renameTo('gone').execute()
  const answer = await broken.get('/products?search=marker', { as })
  expectRefusal(answer, 500, 'INTERNAL_ERROR')
  expect(answer.text).not.toMatch(/relation|select|product|marker|\.ts/)
  await broken.close()
})
