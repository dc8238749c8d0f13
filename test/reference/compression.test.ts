import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { order, product } from '../build.ts'
import { openTradepost, type Tradepost } from '../harness.ts'

let tradepost: Tradepost
beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  tradepost.server.inject({ method, url, headers })
const KEYED = () => ({
  'x-api-key': tradepost.live.api_key ?? '',
  'x-store-hash': tradepost.live.id,
})

describe('compressed answers (decision 241)', () => {
  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])(
    'a page in %s has the same text, says so, and varies by Accept-Encoding',
    async (encoding, open) => {
      const plain = await ask('/docs/store/orders')
      const { headers, rawPayload } = await ask('/docs/store/orders', {
        'accept-encoding': encoding,
      })
      expect(plain.headers['content-encoding']).toBeUndefined()
      expect(headers['content-encoding']).toBe(encoding)
      expect(headers.vary).toContain('accept-encoding')
      expect(plain.headers.vary).toContain('accept-encoding')
      expect(headers.etag).toBe(plain.headers.etag)
      expect(open(rawPayload).toString()).toBe(plain.body)
      expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 5)
    },
  )

  test('/openapi.json and scripts are compressed, fonts are not', async () => {
    const headers = { 'accept-encoding': 'gzip, deflate, br' }
    expect((await ask('/openapi.json', headers)).headers['content-encoding']).toBe('br')
    const { body } = await ask('/docs')
    const [, style = ''] = /href="([^"]*style\.css)"/.exec(body) ?? []
    expect((await ask(style, headers)).headers['content-encoding']).toBe('br')
    const font = await ask(style.replace('style.css', 'hanken-grotesk.woff2'), headers)
    expect(font.headers['content-encoding']).toBeUndefined()
  })

  test('the catalogue is compressed from 1 KB on, and smaller answers are not', async () => {
    const small = await ask('/v1/categories', { ...KEYED(), 'accept-encoding': 'br' })
    expect(small.headers['content-encoding']).toBeUndefined()
    for (let n = 0; n < 3; n += 1) await product(tradepost, { name: `Game ${n}` })
    const plain = await ask('/v1/products', KEYED())
    const large = await ask('/v1/products', { ...KEYED(), 'accept-encoding': 'br' })
    expect(plain.rawPayload.length).toBeGreaterThan(1024)
    expect(large.headers['content-encoding']).toBe('br')
    expect(JSON.parse(brotliDecompressSync(large.rawPayload).toString())).toEqual(
      JSON.parse(plain.body),
    )
  })

  test('HEAD of a compressed page has no body', async () => {
    const { rawPayload, headers } = await ask('/docs', { 'accept-encoding': 'br' }, 'HEAD')
    expect(rawPayload.length).toBe(0)
    expect(headers.vary).toContain('accept-encoding')
  })

  test('an encoding that is refused with q=0 is not used', async () => {
    const { headers } = await ask('/docs', { 'accept-encoding': 'br;q=0, gzip;q=0' })
    expect(headers['content-encoding']).toBeUndefined()
  })
})

describe('answers that are never compressed (decision 241)', () => {
  test('an order with its keys is sent as it is, and so is every list of people or links', async () => {
    const { id } = await product(tradepost, {}, { keys: ['KEY-000001', 'KEY-000002'] })
    const made = await order(tradepost, id, { mark_paid: true })
    const { id: fileProduct } = await product(tradepost, { name: 'Files' })
    for (const path of [
      `/v1/orders/${made.id}`,
      '/v1/orders',
      `/v1/products/${fileProduct}/files`,
      '/v1/account',
    ]) {
      const { headers, statusCode } = await ask(path, { ...KEYED(), 'accept-encoding': 'br' })
      expect(statusCode, path).toBe(200)
      expect(headers['content-encoding'], path).toBeUndefined()
    }
  })

  test('a repeat with an Idempotency-Key gets the same bytes, whatever encoding it accepts', async () => {
    const { id } = await product(tradepost, {}, { keys: ['KEY-000003'] })
    const body = {
      items: [{ product_id: id, quantity: 1 }],
      customer: { email: 'ada@example.com' },
    }
    const headers = { 'idempotency-key': 'once', 'accept-encoding': 'br, gzip' }
    const first = await tradepost.post('/orders', body, { headers })
    const again = await tradepost.post('/orders', body, { headers })
    const plain = await tradepost.post('/orders', body, { headers: { 'idempotency-key': 'once' } })
    expect(first.status).toBe(201)
    expect(first.text.length).toBeGreaterThan(1024)
    expect(first.headers['content-encoding']).toBeUndefined()
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect([again.text, plain.text]).toEqual([first.text, first.text])
  })

  test('a body that says it is compressed is refused as before', async () => {
    const { status, json } = await tradepost.post(
      '/products',
      { name: 'Game', price_cents: 1 },
      { headers: { 'content-encoding': 'gzip' } },
    )
    expect([status, json.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })
})
