import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { order, product } from '../build.ts'
import { openTradepost, type Tradepost } from '../harness.ts'

let tradepost: Tradepost
beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const request = (
  url: string,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
) => tradepost.server.inject({ method, url, headers })
const authentication = () => ({
  'x-api-key': tradepost.live.api_key ?? '',
  'x-store-hash': tradepost.live.id,
})

describe('compressed answers (decision 241)', () => {
  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])(
    'in %s have the text of the plain answer, and the headers Content-Encoding and Vary',
    async (encoding, decompress) => {
      const plain = await request('/docs/store/orders')
      const { headers, rawPayload } = await request('/docs/store/orders', {
        'accept-encoding': encoding,
      })
      expect(plain.headers['content-encoding']).toBeUndefined()
      expect(headers['content-encoding']).toBe(encoding)
      expect(headers.vary).toContain('accept-encoding')
      expect(plain.headers.vary).toContain('accept-encoding')
      expect(headers.etag).toBe(plain.headers.etag)
      expect(decompress(rawPayload).toString()).toBe(plain.body)
      expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 5)
    },
  )

  test('include OpenAPI documents and styles, and no fonts', async () => {
    const headers = { 'accept-encoding': 'gzip, deflate, br' }
    expect((await request('/openapi.json', headers)).headers['content-encoding']).toBe('br')
    const { body } = await request('/docs')
    const [, style = ''] = /href="([^"]*style\.css)"/.exec(body) ?? []
    expect((await request(style, headers)).headers['content-encoding']).toBe('br')
    const font = await request(style.replace('style.css', 'hanken-grotesk.woff2'), headers)
    expect(font.headers['content-encoding']).toBeUndefined()
  })

  test('include lists of products from 1 KB on, and no smaller answers', async () => {
    const small = await request('/v1/categories', { ...authentication(), 'accept-encoding': 'br' })
    expect(small.headers['content-encoding']).toBeUndefined()
    for (let n = 0; n < 3; n += 1) await product(tradepost, { name: `Game ${n}` })
    const plain = await request('/v1/products', authentication())
    const large = await request('/v1/products', { ...authentication(), 'accept-encoding': 'br' })
    expect(plain.rawPayload.length).toBeGreaterThan(1024)
    expect(large.headers['content-encoding']).toBe('br')
    expect(JSON.parse(brotliDecompressSync(large.rawPayload).toString())).toEqual(
      JSON.parse(plain.body),
    )
  })

  test('to HEAD have no body', async () => {
    const { rawPayload, headers } = await request('/docs', { 'accept-encoding': 'br' }, 'HEAD')
    expect(rawPayload.length).toBe(0)
    expect(headers.vary).toContain('accept-encoding')
  })

  test('are not sent with an encoding that the caller refuses with q=0', async () => {
    const { headers } = await request('/docs', { 'accept-encoding': 'br;q=0, gzip;q=0' })
    expect(headers['content-encoding']).toBeUndefined()
  })
})

describe('answers that are never compressed (decision 241)', () => {
  test('include orders, lists of files and the account', async () => {
    const { id } = await product(tradepost, {}, { keys: ['KEY-000001', 'KEY-000002'] })
    const newOrder = await order(tradepost, id, { mark_paid: true })
    const { id: fileProduct } = await product(tradepost, { name: 'Files' })
    for (const path of [
      `/v1/orders/${newOrder.id}`,
      '/v1/orders',
      `/v1/products/${fileProduct}/files`,
      '/v1/account',
    ]) {
      const { headers, statusCode } = await request(path, {
        ...authentication(),
        'accept-encoding': 'br',
      })
      expect(statusCode, path).toBe(200)
      expect(headers['content-encoding'], path).toBeUndefined()
    }
  })

  test('include stored answers of an idempotency key, whatever encoding the caller accepts', async () => {
    const { id } = await product(tradepost, {}, { keys: ['KEY-000003'] })
    const body = {
      items: [{ product_id: id, quantity: 1 }],
      customer: { email: 'ada@example.com' },
    }
    const headers = { 'idempotency-key': 'once', 'accept-encoding': 'br, gzip' }
    const first = await tradepost.post('/orders', body, { headers })
    const repeat = await tradepost.post('/orders', body, { headers })
    const plain = await tradepost.post('/orders', body, { headers: { 'idempotency-key': 'once' } })
    expect(first.status).toBe(201)
    expect(first.text.length).toBeGreaterThan(1024)
    expect(first.headers['content-encoding']).toBeUndefined()
    expect(repeat.headers['idempotency-replayed']).toBe('true')
    expect([repeat.text, plain.text]).toEqual([first.text, first.text])
  })
})

test('a compressed body of a request is refused', async () => {
  const { status, json } = await tradepost.post(
    '/products',
    { name: 'Game', price_cents: 1 },
    { headers: { 'content-encoding': 'gzip' } },
  )
  expect([status, json.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
})
