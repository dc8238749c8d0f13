import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pruneCallsJob } from '../../src/features/installation/index.ts'
import { DAY_MS } from '../../src/kernel/time.ts'
import { type SignedIn, signedIn } from '../browser-session.ts'
import { createSeller } from '../client-security/seller.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'

// The log of calls with API keys (decision 295).

let tradepost: Tradepost
let owner: SignedIn
let base: string

beforeAll(async () => {
  tradepost = await openTradepost()
  owner = await signedIn(tradepost)
  base = `/stores/${tradepost.live.id}`
})
afterAll(() => tradepost.close())

const flush = () => tradepost.authentication.flush()
const listCalls = async (query = '', store = tradepost.live.id): Promise<Json> => {
  await flush()
  return (await owner.get(`/stores/${store}/v1/account/calls${query}`)).json
}
const getCall = async (id: string, store = tradepost.live.id): Promise<Json> => {
  await flush()
  return (await owner.get(`/stores/${store}/request-log/${id}`)).json?.call
}

describe('a call', () => {
  test('is listed with its operation, status, time and key, and read with its bodies', async () => {
    const body = { name: 'Logged', price_cents: 500 }
    const { headers, json } = await tradepost.post('/products', body, {
      headers: { 'user-agent': 'till/1.0', 'idempotency-key': 'first' },
    })
    const { calls, next_cursor } = await listCalls('?limit=1')
    expect(calls).toEqual([
      {
        request_id: headers['x-request-id'],
        created_at: expect.any(String),
        api: 'store',
        method: 'POST',
        path: '/v1/products',
        operation: 'products.create',
        status: 201,
        error_code: null,
        duration_ms: expect.any(Number),
        api_key: { id: expect.any(Number), name: expect.any(String), last4: expect.any(String) },
        address: '127.0.0.1',
      },
    ])
    expect(next_cursor).toBeNull()
    const call = await getCall(headers['x-request-id'] ?? '')
    expect(call).toMatchObject({ user_agent: 'till/1.0', idempotency_key: true })
    expect(call.request_body).toEqual({
      content: body,
      bytes: JSON.stringify(body).length,
      kept: true,
    })
    expect(call.response_body.content.product.id).toBe(json.product.id)
  })

  test('that was refused is listed with the code of the refusal, whatever check refused it', async () => {
    const limitedKey = await tradepost.key({ permissions: ['orders:read'] })
    const refused = [
      await tradepost.get('/orders/ord_x'),
      await tradepost.post('/products', { name: '' }),
      await tradepost.get('/products', { as: limitedKey }),
      await tradepost.get('/nowhere'),
    ]
    const { calls } = await listCalls('?limit=4')
    // The order of calls of the same millisecond is undefined.
    expect(calls.map(({ error_code }: Json) => error_code).sort()).toEqual(
      refused.map(({ json }) => json.code).sort(),
    )
    expect(calls.find(({ path }: Json) => path.endsWith('/nowhere')).operation).toBeNull()
    const keyOfOtherAddress = await tradepost.key({ allowed_ips: ['10.0.0.0/8'] })
    const { headers, json } = await tradepost.get('/orders', { as: keyOfOtherAddress })
    expect(json.code).toBe('IP_NOT_ALLOWED')
    await expect
      .poll(async () => (await getCall(headers['x-request-id'] ?? ''))?.error_code)
      .toBe('IP_NOT_ALLOWED')
  })

  test('with an unknown key is not listed', async () => {
    const before = (await listCalls()).calls.length
    await tradepost.get('/orders', { as: { ...tradepost.live, api_key: 'sk_live_x' } })
    expect((await listCalls()).calls.length).toBe(before)
  })

  test('of the Client Security API is listed', async () => {
    const seller = await createSeller(tradepost)
    await seller.get('/keys/99999')
    const { calls } = await listCalls('?limit=1')
    expect(calls[0]).toMatchObject({
      api: 'security',
      path: '/security/v1/keys/99999',
      status: 404,
    })
  })

  test('is written after its answer, by one statement', async () => {
    await tradepost.get('/orders')
    await flush()
    const statements = await tradepost.statements(() => tradepost.get('/orders'))
    expect(statements.filter((text) => text.includes('api_call'))).toEqual([])
    const flushStatements = await tradepost.statements(flush)
    expect(flushStatements.filter((text) => text.includes('into api_call'))).toHaveLength(1)
  })

  test('of another store is not found', async () => {
    const { headers } = await tradepost.get('/orders', { as: tradepost.other })
    expect(await getCall(headers['x-request-id'] ?? '')).toBeUndefined()
  })
})

describe('the list of calls', () => {
  test('is filtered by status, operation, key and request id, and read page by page', async () => {
    const key = await tradepost.key()
    const couponList = await tradepost.get('/coupons', { as: key })
    await tradepost.get('/coupons/9999', { as: key })
    const { calls } = await listCalls('?operation=coupons.get')
    expect(calls.map(({ path }: Json) => path)).toEqual(['/v1/coupons/9999'])
    const api_key_id = calls[0].api_key.id
    const listPaths = async (query: string) =>
      (await listCalls(query)).calls.map(({ path }: Json) => path)
    expect(await listPaths(`?api_key_id=${api_key_id}&status=4xx`)).toEqual(['/v1/coupons/9999'])
    expect(await listPaths(`?api_key_id=${api_key_id}&status=200`)).toEqual(['/v1/coupons'])
    expect(await listPaths(`?request_id=${couponList.headers['x-request-id']}`)).toEqual([
      '/v1/coupons',
    ])
    const page = await listCalls(`?api_key_id=${api_key_id}&limit=1`)
    const nextPage = await listCalls(`?api_key_id=${api_key_id}&limit=1&cursor=${page.next_cursor}`)
    expect([page.calls[0].path, nextPage.calls[0].path]).toEqual([
      '/v1/coupons/9999',
      '/v1/coupons',
    ])
    expect(nextPage.next_cursor).toBeNull()
    expect((await owner.get(`${base}/v1/account/calls?status=9`)).json.details.field).toBe('status')
  })

  test('contains the calls of the last 7 days', async () => {
    await tradepost.get('/orders')
    await flush()
    while (await pruneCallsJob.run(tradepost.app));
    expect((await listCalls()).calls.length).toBeGreaterThan(0)
    const app = { ...tradepost.app, clock: { now: () => tradepost.app.clock.now() + 7 * DAY_MS } }
    while (await pruneCallsJob.run(app));
    expect((await listCalls()).calls).toEqual([])
  })
})

describe('the use of an API key', () => {
  test('is counted by operation, also after a failed write, and names the permissions that were never used', async () => {
    const key = await tradepost.key({ permissions: ['orders:read', 'stock:read', 'coupons:read'] })
    await tradepost.get('/orders', { as: key })
    await sql`alter table api_key_use rename to renamed`.execute(tradepost.db)
    await expect(flush()).rejects.toThrow('api_key_use')
    await sql`alter table renamed rename to api_key_use`.execute(tradepost.db)
    await tradepost.get('/orders', { as: key })
    await tradepost.get('/coupons/9999', { as: key })
    await flush()
    const { api_keys } = (await owner.get(`${base}/api-keys`)).json
    const { id } = api_keys.find(({ last4 }: Json) => key.api_key?.endsWith(last4))
    const { usage } = (await owner.get(`${base}/api-keys/${id}/usage`)).json
    expect(usage.operations).toMatchObject([
      { operation: 'orders.list', permission: 'orders:read', calls: 2, refused: 0 },
      { operation: 'coupons.get', permission: 'coupons:read', calls: 1, refused: 1 },
    ])
    expect(usage.used_permissions).toEqual(['orders:read', 'coupons:read'])
    expect(usage.unused_permissions).toEqual(['stock:read'])
    expect(usage.complete).toBe(false)
    expect((await owner.get(`${base}/api-keys/99999/usage`)).json.code).toBe('NOT_FOUND')
  })

  test('is complete if the key and the oldest count of the store are at least 30 days old', async () => {
    // Calls of the store were counted 31 days ago.
    await sql`update api_key_use set day = day - 31, last_used_at = last_used_at - interval '31 days'
               where operation = 'products.create'`.execute(tradepost.db)
    const key = await tradepost.key({ permissions: ['orders:read'] })
    const [newestKey] = (await owner.get(`${base}/api-keys`)).json.api_keys
    const path = `${base}/api-keys/${newestKey.id}/usage`
    expect((await owner.get(path)).json.usage.complete).toBe(false)
    await sql`update api_key set created_at = created_at - interval '31 days'
               where last4 = ${key.api_key?.slice(-4) ?? ''}`.execute(tradepost.db)
    expect((await owner.get(path)).json.usage).toMatchObject({
      complete: true,
      operations: [],
      unused_permissions: ['orders:read'],
    })
  })
})
