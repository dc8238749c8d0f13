import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore } from '../../src/features/store/account/index.ts'
import { openTradepost, type Tradepost } from '../harness.ts'
import { BASE, type Seller, sellerAt } from './seller.ts'

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
})
afterAll(() => tradepost.close())

const ask = async (headers: Record<string, string>) => {
  const response = await tradepost.server.inject({ url: `${BASE}/keys`, headers })
  return { status: response.statusCode, json: response.json() }
}

describe('a credential of the Client Security API', () => {
  test('that is sent twice in one header is refused', async () => {
    await tradepost.server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = tradepost.server.server.address() as AddressInfo
    const send = (...credentials: string[]) =>
      new Promise<number>((resolve, reject) => {
        const headers = ['Host', `127.0.0.1:${port}`, ...credentials]
        request({ port, path: `${BASE}/keys`, headers }, (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
        })
          .on('error', reject)
          .end()
      })
    const bearer = ['Authorization', `Bearer ${seller.key}`]
    expect(await send(...bearer)).toBe(200)
    expect(await send(...bearer, ...bearer)).toBe(401)
    expect(await send(...bearer, 'X-API-Key', seller.key)).toBe(200)
    const other = await sellerAt(tradepost)
    expect(await send(...bearer, 'authorization', `Bearer ${other.key}`)).toBe(401)
  })

  test('that is a key of the other API is refused with that reason, in both', async () => {
    const { api_key = '' } = tradepost.live
    const { status, json } = await ask({ authorization: `Bearer ${api_key}` })
    expect([status, json.error]).toEqual([
      401,
      'This is a key of the Store API; the Client Security API takes one that begins with sec_.',
    ])
    const other = await tradepost.get('/products', {
      as: { ...tradepost.live, api_key: seller.key },
    })
    expect([other.json.code, other.json.error]).toEqual([
      'INVALID_API_KEY',
      'This is a key of the Client Security API; the Store API takes one that begins with sk_.',
    ])
  })

  test.each(['{key}', 'Bearer', 'Basic {key}', 'Token {key}'])(
    'that is written `%s` is refused with the right form',
    async (written) => {
      const { status, json } = await ask({ authorization: written.replace('{key}', seller.key) })
      expect(status).toBe(401)
      expect(json.error).toContain('send Authorization: Bearer <key>')
    },
  )

  test('is of one account, one side and its own stores', async () => {
    const all = await tradepost.key({ kind: 'security', store_ids: undefined })
    const { live: store } = await openStore(tradepost.app, {
      name: 'Somebody else',
      currency: 'EUR',
      plan: 'self_hosted',
    })
    const statusAt = async (hash: string, { api_key }: { api_key?: string }) =>
      (await ask({ 'x-api-key': api_key ?? '', 'x-store-hash': hash })).status
    expect(await statusAt(store.id, all)).toBe(200)
    await sql`
      with made as (insert into account (name, created_at) values ('Else', now()) returning id)
      update store set account_id = made.id from made where hash = ${store.id}`.execute(
      tradepost.db,
    )
    tradepost.forward(60_000)
    expect(await statusAt(store.id, all)).toBe(403)
    expect(await statusAt(tradepost.live.id, all)).toBe(200)
    expect(await statusAt(tradepost.test.id, all)).toBe(403)
    const one = await tradepost.key({ kind: 'security' })
    expect(await statusAt(tradepost.other.id, one)).toBe(403)
  })

  test('that expired, or comes from an address that it may not, is refused', async () => {
    const soon = new Date(tradepost.app.clock.now() + 60_000).toISOString()
    const short = await tradepost.key({ kind: 'security', expires_at: soon })
    const bound = await tradepost.key({ kind: 'security', allowed_ips: ['192.0.2.0/24'] })
    const statusOf = async ({ api_key }: { api_key?: string }) =>
      (await ask({ 'x-api-key': api_key ?? '' })).status
    expect([await statusOf(short), await statusOf(bound)]).toEqual([200, 403])
    tradepost.forward(61_000)
    expect(await statusOf(short)).toBe(401)
  })

  test('is refused if the plan does not include the API', async () => {
    await sql`update store set plan = 'free' where hash = ${tradepost.other.id}`.execute(
      tradepost.db,
    )
    const next = await sellerAt(tradepost, tradepost.other.id)
    const { status, json } = await next.get('/keys')
    expect([status, json]).toEqual([
      403,
      { success: false, error: 'The plan free does not include the Client Security API.' },
    ])
  })
})
