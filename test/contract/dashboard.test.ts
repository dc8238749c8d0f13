import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { dashboardEndpoints } from '../../src/surfaces/dashboard/dashboard-api.ts'
import { securityEndpoints } from '../../src/surfaces/security-api.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { auditedSince, lastAuditId } from '../audited.ts'
import { openBrowser, type SignedIn, signedIn, type TestBrowser } from '../browser-session.ts'
import { type Seller, sellerAt } from '../client-security/seller.ts'
import { pathOf as securityPathOf, walks as securityWalks } from '../client-security/walks.ts'
import type { Tradepost } from '../harness.ts'
import { bytesOf, openWalk, pathOf, prepare, rows, send, sideOf } from './walk.ts'

/** Every operation of both APIs, behind the session of the dashboard (decisions 134 to 136). */

let tradepost: Tradepost
let owner: SignedIn
let viewer: SignedIn
let stranger: SignedIn
let seller: Seller

beforeAll(async () => {
  tradepost = await openWalk()
  owner = await signedIn(tradepost)
  viewer = await signedIn(tradepost, 'viewer')
  stranger = await signedIn(tradepost, 'owner', { store: tradepost.other.id })
  seller = await sellerAt(tradepost)
})
afterAll(() => tradepost.close())

const OPERATIONS = [
  ...storeEndpoints.map((e) => ({ name: `v1 ${e.id}`, e, base: '/v1' })),
  ...securityEndpoints.map((e) => ({ name: `security ${e.id}`, e, base: '/security/v1' })),
  ...dashboardEndpoints.map((e) => ({ name: `own ${e.id}`, e, base: '' })),
]

/** The walks send more calls than a user may. */
const nextMinute = () => tradepost.authentication.auth.users.sweep(tradepost.app.clock.now() + 1e6)

function ask(browser: TestBrowser, e: Endpoint, base: string, store = tradepost.live.id) {
  const path = `/stores/${store}${base}${pathOf(e, { params: {} })}`
  const changes = e.method !== 'GET'
  return {
    send: (origin?: string | null) =>
      browser.call(e.method, path, changes ? {} : undefined, {
        ...(origin !== undefined && { origin }),
      }),
  }
}

describe.each(OPERATIONS)('$name', ({ e, base }) => {
  test('needs a session, a role in the store, its permission, and a page of its own (decision 135)', async () => {
    nextMinute()
    const before = await rows(tradepost)
    const nobody = await ask(openBrowser(tradepost), e, base).send()
    expect([nobody.status, nobody.json.code]).toEqual([401, 'SIGN_IN_REQUIRED'])
    const foreign = await ask(stranger, e, base).send()
    expect([foreign.status, foreign.json.code]).toEqual([404, 'NOT_FOUND'])
    const unknown = await ask(owner, e, base, 'AAAAAAAAAAAA').send()
    expect(bytesOf(unknown)).toBe(bytesOf(foreign))
    if (e.method !== 'GET') {
      const elsewhere = await ask(owner, e, base).send('https://evil.example')
      expect([elsewhere.status, elsewhere.json.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
      const unnamed = await ask(owner, e, base).send(null)
      expect([unnamed.status, unnamed.json.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
    }
    const refused = await ask(viewer, e, base).send()
    if (e.permission.endsWith(':write') || e.reveals === 'always') {
      expect([refused.status, refused.json.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
      expect(refused.json.details.required).toMatch(/:write$/)
    } else expect(refused.json?.code).not.toBe('INSUFFICIENT_SCOPE')
    const ignored = ['user_session', 'client_session']
    const after = await rows(tradepost)
    for (const table of Object.keys(before).filter((name) => !ignored.includes(name))) {
      if (e.permission.endsWith(':write'))
        expect([table, after[table]]).toEqual([table, before[table]])
    }
  })
})

/** Answers that name the caller differ in nothing else. */
const CALLER = new Set(['account.get', 'stock.export_keys'])

describe.each(storeEndpoints.filter((e) => e.method === 'GET' && !CALLER.has(e.id)))(
  'v1 $id',
  (e) => {
    test('answers with the bytes of the Store API (decision 134)', async () => {
      nextMinute()
      const walk = await prepare(tradepost, e)
      const mine = await send(tradepost, e, walk)
      const path = `/stores/${sideOf(tradepost, e).id}/v1${pathOf(e, walk)}`
      const theirs = await owner.get(path)
      expect(theirs.status).toBe(mine.status)
      expect(bytesOf(theirs)).toBe(bytesOf(mine))
      expect(theirs.headers['content-type']).toBe(mine.headers['content-type'])
    })
  },
)

describe.each(storeEndpoints.filter((e) => e.method !== 'GET'))('v1 $id', (e) => {
  test('changes the store, and the user is the actor (decision 124)', async () => {
    nextMinute()
    const walk = await prepare(tradepost, e)
    const before = await lastAuditId(tradepost)
    const path = `/stores/${sideOf(tradepost, e).id}/v1${pathOf(e, walk)}`
    const { status, text, headers } = await owner.call(e.method, path, walk.body)
    expect(status, text).toBe(e.status ?? 200)
    for (const event of await auditedSince(tradepost, before)) {
      expect(event).toMatchObject({
        actor_type: 'user',
        actor_id: String(owner.id),
        actor_name: 'owner',
        request_id: headers['x-request-id'],
      })
    }
  })
})

describe.each(securityEndpoints.filter((e) => e.method === 'GET' && securityWalks[e.id]))(
  'security $id',
  (e) => {
    test('answers with the bytes of the Client Security API (decision 134)', async () => {
      nextMinute()
      const { params } = (await securityWalks[e.id]?.(seller)) ?? {}
      const path = securityPathOf(e, params)
      const mine = await seller.get(path)
      const theirs = await owner.get(`/stores/${tradepost.live.id}/security/v1${path}`)
      expect([theirs.status, bytesOf(theirs)]).toEqual([mine.status, bytesOf(mine)])
    })
  },
)

test('refusals of operations have the form of their own API', async () => {
  const base = `/stores/${tradepost.live.id}`
  const missing = await owner.get(`${base}/security/v1/keys/99999`)
  expect([missing.status, Object.keys(missing.json)]).toEqual([404, ['success', 'error']])
  const mine = await seller.get('/keys/99999')
  expect(missing.text).toBe(mine.text)
  const order = await owner.get(`${base}/v1/orders/ord_x`)
  expect(order.json.code).toBe('NOT_FOUND')
  expect(bytesOf(order)).toBe(bytesOf(await tradepost.get('/orders/ord_x')))
})

test('unknown paths and methods are refused after the session, in the form of their API', async () => {
  const base = `/stores/${tradepost.live.id}`
  for (const path of [
    `${base}/v1/nothing`,
    `${base}/nothing`,
    '/nothing',
    `${base}/security/v1/x`,
  ]) {
    expect((await openBrowser(tradepost).get(path)).json.code).toBe('SIGN_IN_REQUIRED')
    expect((await owner.get(path)).status).toBe(404)
  }
  expect((await owner.delete(`${base}/team`)).status).toBe(405)
})

test('an idempotency key of a user is not that of an API key (decision 10)', async () => {
  const headers = { 'idempotency-key': 'same' }
  const body = { name: 'Twice', price_cents: 100 }
  const path = `/stores/${tradepost.live.id}/v1/products`
  const first = await owner.post(path, body, { headers })
  const again = await owner.post(path, body, { headers })
  expect(again.text).toBe(first.text)
  expect(again.headers['idempotency-replayed']).toBe('true')
  const byKey = await tradepost.post('/products', body, { headers })
  expect(byKey.status).toBe(201)
  expect(byKey.json.product.id).not.toBe(first.json.product.id)
})

test('the two APIs ignore the cookie, and the dashboard ignores API keys (decision 135)', async () => {
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const byCookie = await tradepost.get('/orders', { headers: { cookie, 'x-api-key': '' } })
  expect(byCookie.json.code).toBe('MISSING_API_KEY')
  const { api_key = '', id } = tradepost.live
  const byKey = await openBrowser(tradepost).get(`/stores/${id}/v1/orders`, {
    headers: { 'x-api-key': api_key, 'x-store-hash': id },
  })
  expect(byKey.json.code).toBe('SIGN_IN_REQUIRED')
})

test('a session costs one statement a call, and the Store API none', async () => {
  const path = `/stores/${tradepost.live.id}/v1/products`
  await owner.get(path)
  await tradepost.get('/products')
  const mine = await tradepost.statements(() => tradepost.get('/products'))
  const theirs = await tradepost.statements(() => owner.get(path))
  expect(theirs.length).toBe(mine.length + 1)
  expect(mine.join()).not.toContain('user_session')
})

test('staff writes orders and reads the rest; secrets in full need the write permission (decision 136)', async () => {
  const staff = await signedIn(tradepost, 'staff')
  const base = `/stores/${tradepost.live.id}/v1`
  const blocked = await staff.post(`${base}/blocklist`, { type: 'email', value: 'x@example.com' })
  expect(blocked.json?.code).not.toBe('INSUFFICIENT_SCOPE')
  const made = await staff.post(`${base}/products`, { name: 'A', price_cents: 1 })
  expect(made.json.details).toEqual({ required: 'products:write' })
  const keys = storeEndpoints.find(({ id }) => id === 'stock.list_keys')
  if (!keys) throw new Error('There is no such endpoint.')
  const walk = await prepare(tradepost, keys)
  const masked = await staff.get(`${base}${pathOf(keys, walk)}`)
  expect(masked.status).toBe(200)
  const revealed = await staff.get(`${base}${pathOf(keys, { ...walk, query: { reveal: 'true' } })}`)
  expect([revealed.status, revealed.json.details]).toEqual([403, { required: 'stock:write' }])
  await sql`delete from store_role where user_id = ${staff.id}`.execute(tradepost.db)
  expect((await staff.get(`${base}/products`)).status).toBe(404)
})

test('the address of the dashboard may end with a slash', async () => {
  const { status, headers } = await openBrowser(tradepost).get('/dashboard/')
  expect([status, headers.location]).toEqual([302, '/dashboard'])
})
