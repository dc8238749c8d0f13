import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pruneCallsJob } from '../../src/features/installation/index.ts'
import { mask, maskPath } from '../../src/features/installation/request-log/mask.rules.ts'
import { DAY_MS } from '../../src/kernel/time.ts'
import { auditEventsSince, lastAuditId } from '../audited.ts'
import { type SignedIn, signedIn } from '../browser-session.ts'
import { product } from '../build.ts'
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
  return (await owner.get(`/stores/${store}/request-log${query}`)).json
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
    expect((await owner.get(`${base}/request-log?status=9`)).json.details.field).toBe('status')
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

describe('a secret in the log', () => {
  test('is masked before it is stored, by the name of its field or by its form', async () => {
    const game = await product(tradepost)
    const secret = 'AAAA-SECRET-KEY-9999'
    const path = `/products/${game.id}/variants/${game.variantId}/keys`
    const keysAdded = await tradepost.post(path, { keys: [secret] })
    const hook = { url: 'http://127.0.0.1:4199/hooks/xxxxxxxxxxxxxxxxxxxxxxxxxxxx', events: ['*'] }
    const webhookCreated = await tradepost.post('/webhooks', hook)
    const orderPaid = await tradepost.post('/orders', {
      items: [{ product_id: game.id, quantity: 1 }],
      customer: { email: 'ada@example.com' },
      metadata: { pasted: webhookCreated.json.secret },
      mark_paid: true,
    })
    expect(orderPaid.text).toContain(secret)
    const calls = await Promise.all(
      [keysAdded, webhookCreated, orderPaid].map(({ headers }) =>
        getCall(headers['x-request-id'] ?? ''),
      ),
    )
    const callsText = JSON.stringify(calls)
    expect(callsText).not.toContain(secret)
    expect(callsText).not.toContain(webhookCreated.json.secret)
    expect(callsText).not.toContain('xxxxxxxx')
    expect(calls[0].request_body.content.keys).toBe('•••• (1)')
    const { rows } = await sql<{ text: string }>`select c::text as text from api_call c`.execute(
      tradepost.db,
    )
    const storedText = rows.map(({ text }) => text).join('\n')
    for (const part of [secret, Buffer.from(secret).toString('hex'), 'ada@example.com']) {
      expect(storedText).not.toContain(part)
    }
    await tradepost.delete(`/webhooks/${webhookCreated.json.webhook.id}`)
  })

  test.each([
    ['sk_live_aB3', 'a key in a text'],
    ['Bearer abcdefgh12345', 'a header'],
    ['4242 4242 4242 4242', 'a card'],
    ['eyJhbGciOiJI.eyJzdWIiOiIx.c2ln', 'a token'],
    ['https://files.example.com/a?signature=abc', 'a signed link'],
  ])('such as %s (%s) is masked in any field', (text) => {
    const { value, changed } = mask({ note: `See ${text}.` })
    expect(changed).toBe(true)
    expect(JSON.stringify(value)).toContain('••••')
  })

  test('is the only masked value: others are unchanged', () => {
    const body = {
      name: 'Game',
      price_cents: 1999,
      keys_count: 3,
      id: 'ord_0352VKNDSrjI3fNKWnwRmL',
    }
    expect(mask(body)).toEqual({ value: body, changed: false })
    expect(maskPath('/v1/orders?status=paid')).toEqual({
      value: '/v1/orders?status=paid',
      changed: false,
    })
    expect(maskPath('/v1/x?token=abc&a=1').value).toBe('/v1/x?token=••••&a=1')
  })

  test('in a large body is not stored, because only the size of the body is stored', async () => {
    const description = 'x'.repeat(20_000)
    const { headers } = await tradepost.post('/products', {
      name: 'Long',
      price_cents: 1,
      description,
    })
    const call = await getCall(headers['x-request-id'] ?? '')
    expect(call.request_body).toMatchObject({ content: null, kept: false })
    expect(call.request_body.bytes).toBeGreaterThan(20_000)
  })
})

describe('a replay', () => {
  const replay = (id = '', store = tradepost.test.id, browser = owner) =>
    browser.post(`/stores/${store}/request-log/${id}/replay`)

  test('repeats a call of the test side as the user, and ignores the idempotency key of the call', async () => {
    const as = tradepost.test
    const body = { name: 'Twice', price_cents: 500 }
    const first = await tradepost.post('/products', body, {
      as,
      headers: { 'idempotency-key': 'once' },
    })
    await flush()
    const before = await lastAuditId(tradepost)
    const { status, json } = await replay(first.headers['x-request-id'])
    expect([status, json.replay.status, json.replay.error_code]).toEqual([200, 201, null])
    const newProduct = json.replay.response_body.content.product
    expect(newProduct.name).toBe('Twice')
    expect(newProduct.id).not.toBe(first.json.product.id)
    const events = await auditEventsSince(tradepost, before)
    expect(
      events.map(({ action, actor_id, request_id }: Json) => [action, actor_id, request_id]),
    ).toEqual(
      expect.arrayContaining([
        ['product.create', String(owner.id), json.replay.request_id],
        ['request_log.replay', String(owner.id), expect.any(String)],
      ]),
    )
  })

  test('is refused on the live side, for calls with secrets, and for roles that may not change the account', async () => {
    const liveCall = await tradepost.get('/orders')
    const game = await product(tradepost, {}, { as: tradepost.test })
    const path = `/products/${game.id}/variants/${game.variantId}/keys`
    const callWithSecret = await tradepost.post(path, { keys: ['K-1'] }, { as: tradepost.test })
    await flush()
    expect((await replay(liveCall.headers['x-request-id'], tradepost.live.id)).json.code).toBe(
      'INVALID_STATE',
    )
    const refused = await replay(callWithSecret.headers['x-request-id'])
    expect([refused.json.code, refused.json.error]).toEqual([
      'INVALID_STATE',
      'The call contains a secret, which the log does not store. Send the call from your program again.',
    ])
    const staff = await signedIn(tradepost, 'staff')
    expect(
      (await replay(callWithSecret.headers['x-request-id'], tradepost.test.id, staff)).json.code,
    ).toBe('INSUFFICIENT_SCOPE')
    expect((await replay('req_0000000000000000000000')).json.code).toBe('NOT_FOUND')
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
