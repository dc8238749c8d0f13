import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { dashboardEndpoints } from '../../src/surfaces/dashboard/dashboard-api.ts'
import { securityEndpoints } from '../../src/surfaces/security-api.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { auditEventsSince, lastAuditId } from '../audited.ts'
import { openBrowser, type SignedIn, signedIn, type TestBrowser } from '../browser-session.ts'
import {
  preparedCalls as securityCalls,
  pathOf as securityPathOf,
} from '../client-security/prepared-calls.ts'
import { createSeller, type Seller } from '../client-security/seller.ts'
import type { Tradepost } from '../harness.ts'
import { walk, walkItems } from '../walks.ts'
import {
  fingerprintRows,
  openUnlimited,
  pathOf,
  prepare,
  send,
  sideOf,
  textWithoutRequestId,
} from './prepared-calls.ts'

// Every operation of the two APIs and of the dashboard, called with a session (decisions 134 to 136).

let tradepost: Tradepost
let owner: SignedIn
let viewer: SignedIn
let outsider: SignedIn
let seller: Seller

beforeAll(async () => {
  tradepost = await openUnlimited()
  owner = await signedIn(tradepost)
  viewer = await signedIn(tradepost, 'viewer')
  outsider = await signedIn(tradepost, 'owner', { store: tradepost.other.id })
  seller = await createSeller(tradepost)
})
afterAll(() => tradepost.close())

const OPERATIONS = [
  ...storeEndpoints.map((endpoint) => ({ name: `v1 ${endpoint.id}`, endpoint, base: '/v1' })),
  ...securityEndpoints.map((endpoint) => ({
    name: `security ${endpoint.id}`,
    endpoint,
    base: '/security/v1',
  })),
  ...dashboardEndpoints.map((endpoint) => ({ name: `own ${endpoint.id}`, endpoint, base: '' })),
]

/** Resets the rate limit of users: these tests send more calls than a user may. */
const resetRateLimit = () =>
  tradepost.authentication.auth.userCalls.sweep(tradepost.app.clock.now() + 1e6)

function requestBy(
  browser: TestBrowser,
  endpoint: Endpoint,
  base: string,
  store = tradepost.live.id,
) {
  const path = `/stores/${store}${base}${pathOf(endpoint, { params: {} })}`
  const changes = endpoint.method !== 'GET'
  return {
    send: (origin?: string | null) =>
      browser.call(endpoint.method, path, changes ? {} : undefined, {
        ...(origin !== undefined && { origin }),
      }),
  }
}

describe.each(walkItems(OPERATIONS, ({ endpoint }) => endpoint))('$name', ({ endpoint, base }) => {
  test('is refused without a session, a role in the store, its permission, or the origin of the dashboard (decision 135)', async () => {
    resetRateLimit()
    const before = await fingerprintRows(tradepost)
    const withoutSession = await requestBy(openBrowser(tradepost), endpoint, base).send()
    expect([withoutSession.status, withoutSession.json.code]).toEqual([401, 'SIGN_IN_REQUIRED'])
    const byOutsider = await requestBy(outsider, endpoint, base).send()
    expect([byOutsider.status, byOutsider.json.code]).toEqual([404, 'NOT_FOUND'])
    const unknownStore = await requestBy(owner, endpoint, base, 'AAAAAAAAAAAA').send()
    expect(textWithoutRequestId(unknownStore)).toBe(textWithoutRequestId(byOutsider))
    if (endpoint.method !== 'GET') {
      const fromOtherSite = await requestBy(owner, endpoint, base).send('https://evil.example')
      expect([fromOtherSite.status, fromOtherSite.json.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
      const withoutOrigin = await requestBy(owner, endpoint, base).send(null)
      expect([withoutOrigin.status, withoutOrigin.json.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
    }
    const refused = await requestBy(viewer, endpoint, base).send()
    if (endpoint.permission.endsWith(':write') || endpoint.reveals === 'always') {
      expect([refused.status, refused.json.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
      expect(refused.json.details.required).toMatch(/:write$/)
    } else expect(refused.json?.code).not.toBe('INSUFFICIENT_SCOPE')
    const ignoredTables = ['user_session', 'client_session']
    const after = await fingerprintRows(tradepost)
    for (const table of Object.keys(before).filter((name) => !ignoredTables.includes(name))) {
      if (endpoint.permission.endsWith(':write'))
        expect([table, after[table]]).toEqual([table, before[table]])
    }
  })
})

/** The operations whose answers name the caller, and so differ between the two APIs. */
const NAMING_CALLER = new Set(['account.get', 'stock.export_keys'])

describe.each(
  walk(
    storeEndpoints.filter(
      (endpoint) => endpoint.method === 'GET' && !NAMING_CALLER.has(endpoint.id),
    ),
  ),
)('v1 $id', (endpoint) => {
  test('answers with the bytes of the Store API (decision 134)', async () => {
    resetRateLimit()
    const input = await prepare(tradepost, endpoint)
    // The answers contain times, such as the expiry of a link.
    tradepost.stopClock()
    const ofApi = await send(tradepost, endpoint, input)
    const path = `/stores/${sideOf(tradepost, endpoint).id}/v1${pathOf(endpoint, input)}`
    const ofDashboard = await owner.get(path)
    expect(ofDashboard.status).toBe(ofApi.status)
    expect(textWithoutRequestId(ofDashboard)).toBe(textWithoutRequestId(ofApi))
    expect(ofDashboard.headers['content-type']).toBe(ofApi.headers['content-type'])
  })
})

describe.each(walk(storeEndpoints.filter((endpoint) => endpoint.method !== 'GET')))(
  'v1 $id',
  (endpoint) => {
    test('succeeds, and its audit events name the user as the actor (decision 124)', async () => {
      resetRateLimit()
      const input = await prepare(tradepost, endpoint)
      const before = await lastAuditId(tradepost)
      const path = `/stores/${sideOf(tradepost, endpoint).id}/v1${pathOf(endpoint, input)}`
      const { status, text, headers } = await owner.call(endpoint.method, path, input.body)
      expect(status, text).toBe(endpoint.status ?? 200)
      for (const event of await auditEventsSince(tradepost, before)) {
        expect(event).toMatchObject({
          actor_type: 'user',
          actor_id: String(owner.id),
          actor_name: 'owner',
          request_id: headers['x-request-id'],
        })
      }
    })
  },
)

describe.each(
  walk(
    securityEndpoints.filter((endpoint) => endpoint.method === 'GET' && securityCalls[endpoint.id]),
  ),
)('security $id', (endpoint) => {
  test('answers with the bytes of the Client Security API (decision 134)', async () => {
    resetRateLimit()
    const { params } = (await securityCalls[endpoint.id]?.(seller)) ?? {}
    const path = securityPathOf(endpoint, params)
    tradepost.stopClock()
    const ofApi = await seller.get(path)
    // Other values are masked (decision 174).
    const query = endpoint.hasValues ? '?reveal=true' : ''
    const ofDashboard = await owner.get(`/stores/${tradepost.live.id}/security/v1${path}${query}`)
    expect([ofDashboard.status, textWithoutRequestId(ofDashboard)]).toEqual([
      ofApi.status,
      textWithoutRequestId(ofApi),
    ])
  })
})

test('refusals of operations have the form of their own API', async () => {
  const base = `/stores/${tradepost.live.id}`
  const missingKey = await owner.get(`${base}/security/v1/keys/99999`)
  expect([missingKey.status, Object.keys(missingKey.json)]).toEqual([404, ['success', 'error']])
  const ofApi = await seller.get('/keys/99999')
  expect(missingKey.text).toBe(ofApi.text)
  const missingOrder = await owner.get(`${base}/v1/orders/ord_x`)
  expect(missingOrder.json.code).toBe('NOT_FOUND')
  expect(textWithoutRequestId(missingOrder)).toBe(
    textWithoutRequestId(await tradepost.get('/orders/ord_x')),
  )
})

test('an unknown path or method is refused only after the session was checked', async () => {
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

test('a user and an API key can use the same idempotency key for different calls (decision 10)', async () => {
  const headers = { 'idempotency-key': 'same' }
  const body = { name: 'Twice', price_cents: 100 }
  const path = `/stores/${tradepost.live.id}/v1/products`
  const first = await owner.post(path, body, { headers })
  const repeat = await owner.post(path, body, { headers })
  expect(repeat.text).toBe(first.text)
  expect(repeat.headers['idempotency-replayed']).toBe('true')
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

test('a call with a session sends one more statement than a call of the Store API', async () => {
  const path = `/stores/${tradepost.live.id}/v1/products`
  await owner.get(path)
  await tradepost.get('/products')
  const ofApi = await tradepost.statements(() => tradepost.get('/products'))
  const ofDashboard = await tradepost.statements(() => owner.get(path))
  expect(ofDashboard.length).toBe(ofApi.length + 1)
  expect(ofApi.join()).not.toContain('user_session')
})

test('staff can write orders and read everything else, and reveal no secret without the write permission (decision 136)', async () => {
  const staff = await signedIn(tradepost, 'staff')
  const base = `/stores/${tradepost.live.id}/v1`
  const blocklisting = await staff.post(`${base}/blocklist`, {
    type: 'email',
    value: 'x@example.com',
  })
  expect(blocklisting.status).toBe(201)
  const creation = await staff.post(`${base}/products`, { name: 'A', price_cents: 1 })
  expect(creation.json.details).toEqual({ required: 'products:write' })
  const listKeys = storeEndpoints.find(({ id }) => id === 'stock.list_keys')
  if (!listKeys) throw new Error('There is no such endpoint.')
  const input = await prepare(tradepost, listKeys)
  const maskedList = await staff.get(`${base}${pathOf(listKeys, input)}`)
  expect(maskedList.status).toBe(200)
  const revealedList = await staff.get(
    `${base}${pathOf(listKeys, { ...input, query: { reveal: 'true' } })}`,
  )
  expect([revealedList.status, revealedList.json.details]).toEqual([
    403,
    { required: 'stock:write' },
  ])
  await sql`delete from store_role where user_id = ${staff.id}`.execute(tradepost.db)
  expect((await staff.get(`${base}/products`)).status).toBe(404)
})

test('the address of the dashboard with a slash at its end redirects to the one without', async () => {
  const { status, headers } = await openBrowser(tradepost).get('/dashboard/')
  expect([status, headers.location]).toEqual([302, '/dashboard'])
})
