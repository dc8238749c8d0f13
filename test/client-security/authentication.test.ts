import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStoreWithKeys } from '../../src/features/store/account/index.ts'
import { openTradepost, type Tradepost } from '../harness.ts'
import { BASE, createSeller, type Seller } from './seller.ts'

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
})
afterAll(() => tradepost.close())

const listKeysWith = async (headers: Record<string, string>) => {
  const response = await tradepost.server.inject({ url: `${BASE}/keys`, headers })
  return { status: response.statusCode, json: response.json() }
}

describe('a credential of the Client Security API', () => {
  test('is refused if the header Authorization is sent twice, and is accepted together with X-API-Key', async () => {
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
    const authorization = ['Authorization', `Bearer ${seller.key}`]
    expect(await send(...authorization)).toBe(200)
    expect(await send(...authorization, ...authorization)).toBe(401)
    expect(await send(...authorization, 'X-API-Key', seller.key)).toBe(200)
    const otherSeller = await createSeller(tradepost)
    expect(await send(...authorization, 'authorization', `Bearer ${otherSeller.key}`)).toBe(401)
  })

  test('is refused by the Store API, and a key of the Store API is refused here, with the reason', async () => {
    const { api_key = '' } = tradepost.live
    const { status, json } = await listKeysWith({ authorization: `Bearer ${api_key}` })
    expect([status, json.error]).toEqual([
      401,
      'This is a key of the Store API; the Client Security API needs a key that begins with sec_.',
    ])
    const storeApiAnswer = await tradepost.get('/products', {
      as: { ...tradepost.live, api_key: seller.key },
    })
    expect([storeApiAnswer.json.code, storeApiAnswer.json.error]).toEqual([
      'INVALID_API_KEY',
      'This is a key of the Client Security API; the Store API needs a key that begins with sk_.',
    ])
  })

  test.each(['{key}', 'Bearer', 'Basic {key}', 'Token {key}'])(
    'in the form `%s` is refused with the right form in the error',
    async (form) => {
      const { status, json } = await listKeysWith({
        authorization: form.replace('{key}', seller.key),
      })
      expect(status).toBe(401)
      expect(json.error).toContain('Send Authorization: Bearer <key>')
    },
  )

  test('is valid for all stores of its account or for the stores that it names, on one side only', async () => {
    const keyOfAllStores = await tradepost.key({ kind: 'security', store_ids: undefined })
    const { live: store } = await createStoreWithKeys(tradepost.app, {
      name: 'Somebody else',
      currency: 'EUR',
      plan: 'self_hosted',
    })
    const statusAt = async (hash: string, { api_key }: { api_key?: string }) =>
      (await listKeysWith({ 'x-api-key': api_key ?? '', 'x-store-hash': hash })).status
    expect(await statusAt(store.id, keyOfAllStores)).toBe(200)
    await sql`
      with new_account as (insert into account (name, created_at) values ('Else', now()) returning id)
      update store set account_id = new_account.id from new_account where hash = ${store.id}`.execute(
      tradepost.db,
    )
    tradepost.forward(60_000)
    expect(await statusAt(store.id, keyOfAllStores)).toBe(403)
    expect(await statusAt(tradepost.live.id, keyOfAllStores)).toBe(200)
    expect(await statusAt(tradepost.test.id, keyOfAllStores)).toBe(403)
    const keyOfOneStore = await tradepost.key({ kind: 'security' })
    expect(await statusAt(tradepost.other.id, keyOfOneStore)).toBe(403)
  })

  test('is refused after its expiry, or from an address that is not allowed', async () => {
    const expires_at = new Date(tradepost.app.clock.now() + 60_000).toISOString()
    const expiringKey = await tradepost.key({ kind: 'security', expires_at })
    const keyOfOtherAddress = await tradepost.key({
      kind: 'security',
      allowed_ips: ['192.0.2.0/24'],
    })
    const statusOf = async ({ api_key }: { api_key?: string }) =>
      (await listKeysWith({ 'x-api-key': api_key ?? '' })).status
    expect([await statusOf(expiringKey), await statusOf(keyOfOtherAddress)]).toEqual([200, 403])
    tradepost.forward(61_000)
    expect(await statusOf(expiringKey)).toBe(401)
  })

  test('is refused if the plan does not include the API', async () => {
    await sql`update store set plan = 'free' where hash = ${tradepost.other.id}`.execute(
      tradepost.db,
    )
    const otherSeller = await createSeller(tradepost, tradepost.other.id)
    const { status, json } = await otherSeller.get('/keys')
    expect([status, json]).toEqual([
      403,
      {
        success: false,
        error: 'The plan free does not include the Client Security API. Choose another plan.',
      },
    ])
  })
})
