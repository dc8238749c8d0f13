import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { product } from '../build.ts'
import { createSeller } from '../client-security/seller.ts'
import { formOf } from '../form.ts'
import { openTradepost, type Tradepost } from '../harness.ts'

// A path with a dot segment is unknown on every surface (decision 171).

let tradepost: Tradepost
let port: number

beforeAll(async () => {
  tradepost = await openTradepost()
  await tradepost.server.listen({ host: '127.0.0.1', port: 0 })
  ;({ port } = tradepost.server.server.address() as AddressInfo)
})
afterAll(() => tradepost.close())

/** Sends a path unchanged, as fetch() would not. */
function send(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
    call.on('error', reject).end()
  })
}

const SURFACES = {
  'the Store API': '/v1/products',
  'the Client Security API': '/security/v1/keys',
  'the API for client programs': '/security/v1/client/start',
  'the private API': '/dashboard/api/me',
  'the private API of a store': '/dashboard/api/stores/abc/v1/orders',
  'the dashboard': '/dashboard/sign-in',
  'the reference': '/docs/store',
  'the operations': '/healthz',
  'the links of partners': '/r/shop/code',
  'the links of files': '/files/abc',
  'no surface': '/nowhere',
}

describe.each(Object.entries(SURFACES))('below %s', (_, path) => {
  test.each(['..', '.', '%2e%2e', '.%2E', '%2e', '..\\x'])(
    'a segment %s is an unknown path, before authentication',
    async (segment) => {
      for (const method of ['GET', 'POST']) {
        const { status, text } = await send(`${path}/${segment}/v1/orders`, {}, method)
        expect({ status, success: JSON.parse(text).success }).toEqual({
          status: 404,
          success: false,
        })
      }
    },
  )
})

test.each(['.', '..'])(
  'a record named %s is refused, because no path leads to it',
  async (name) => {
    const seller = await createSeller(tradepost)
    const { id } = await product(tradepost, { type: 'file' })
    const files = `/products/${id}/files`
    const upload = formOf([{ bytes: Buffer.from('A') }], { name })
    const refusals = [
      await seller.post('/serverside-strings', { name, value: 'A' }),
      await seller.call('POST', '/serverside-files', upload),
      await seller.call('POST', `/serverside-files?name=${name}`, {
        raw: Buffer.from('A'),
        headers: { 'content-type': 'application/octet-stream' },
      }),
      await tradepost.post(files, { name, content_base64: 'QQ==' }),
      await tradepost.call('POST', files, upload),
    ]
    const [stored] = [await seller.post('/serverside-strings', { name: `a${name}`, value: 'A' })]
    expect(stored?.status).toBe(201)
    for (const { status, text } of refusals) {
      expect(status).toBe(422)
      expect(text).toContain('name')
    }
  },
)

test('the refusal has the form of its surface', async () => {
  const store = JSON.parse((await send('/v1/../x')).text)
  expect(store).toMatchObject({ success: false, code: 'NOT_FOUND', request_id: expect.any(String) })
  const security = JSON.parse((await send('/security/v1/../x')).text)
  expect(Object.keys(security)).toEqual(['success', 'error'])
  const page = await send('/dashboard/../x', { accept: 'text/html' })
  expect(page.status).toBe(404)
  expect(page.text).toMatch(/^<!doctype html>/i)
})

test('dots in a query or within a name are no segments', async () => {
  const { api_key = '', id } = tradepost.live
  const headers = { 'x-api-key': api_key, 'x-store-hash': id }
  expect((await send('/v1/products?search=../../x', headers)).status).toBe(200)
  expect((await send('/v1/products/a..b', headers)).status).toBe(404)
  expect((await send('/v1/products/a..b')).status).toBe(401)
})
