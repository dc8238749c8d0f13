import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../src/features/installation/api-keys/index.ts'
import { newApiKey } from '../../src/kernel/api-key.ts'
import { PERMISSIONS } from '../../src/kernel/permissions.ts'
import { DAY_MS, iso, SECOND_MS } from '../../src/kernel/time.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import type { Answer, Tradepost } from '../harness.ts'
import { walk } from '../walks.ts'
import {
  type CallInput,
  faultsOfEnvelope,
  fingerprintRows,
  openUnlimited,
  pathOf,
  prepare,
  send,
  sideOf,
  unmatchedCalls,
} from './prepared-calls.ts'

let tradepost: Tradepost
/** The API key of an account without access to the stores of these tests. */
let otherAccountsKey: string

beforeAll(async () => {
  tradepost = await openUnlimited()
  const { rows: accounts } = await sql<{ id: number }>`
    insert into account (name, created_at) values ('Stranger', now()) returning id`.execute(
    tradepost.db,
  )
  const { key } = await createKey(tradepost.app, {
    account_id: accounts[0]?.id ?? 0,
    livemode: true,
  })
  otherAccountsKey = key
})
afterAll(() => tradepost.close())

async function createRevokedKey(): Promise<string> {
  const { api_key = '' } = await tradepost.key()
  await sql`update api_key set revoked_at = now() where id = (select max(id) from api_key)`.execute(
    tradepost.db,
  )
  return api_key
}
const createExpiredKey = async () =>
  (await tradepost.key({ expires_at: iso(tradepost.app.clock.now() - SECOND_MS) })).api_key

interface RefusedCaller {
  name: string
  headers(): Promise<Record<string, string | undefined>>
  status: number
  code: string
}

const REFUSED_CALLERS: RefusedCaller[] = [
  {
    name: 'a call without a key',
    headers: async () => ({ 'x-api-key': '' }),
    status: 401,
    code: 'MISSING_API_KEY',
  },
  {
    name: 'a call without a store hash',
    headers: async () => ({ 'x-store-hash': '' }),
    status: 401,
    code: 'MISSING_STORE_HASH',
  },
  {
    name: 'a key that was never created',
    headers: async () => ({ 'x-api-key': newApiKey('store', true) }),
    status: 401,
    code: 'INVALID_API_KEY',
  },
  {
    name: 'a text that is not a key',
    headers: async () => ({ 'x-api-key': "' or 1=1 --" }),
    status: 401,
    code: 'INVALID_API_KEY',
  },
  {
    name: 'a key of Client Security',
    headers: async () => ({ 'x-api-key': newApiKey('security', true) }),
    status: 401,
    code: 'INVALID_API_KEY',
  },
  {
    name: 'a revoked key',
    headers: async () => ({ 'x-api-key': await createRevokedKey() }),
    status: 401,
    code: 'INVALID_API_KEY',
  },
  {
    name: 'an expired key',
    headers: async () => ({ 'x-api-key': await createExpiredKey() }),
    status: 401,
    code: 'API_KEY_EXPIRED',
  },
  {
    name: 'an unknown store',
    headers: async () => ({ 'x-store-hash': 'AAAAAAAAAAAA' }),
    status: 404,
    code: 'STORE_NOT_FOUND',
  },
  {
    name: "the key of another account's store",
    headers: async () => ({ 'x-api-key': otherAccountsKey }),
    status: 403,
    code: 'STORE_NOT_ALLOWED',
  },
  {
    name: "the key of the account's other store",
    headers: async () => ({ 'x-api-key': tradepost.other.api_key }),
    status: 403,
    code: 'STORE_NOT_ALLOWED',
  },
  {
    name: 'a live key on the test side',
    headers: async () => ({ 'x-store-hash': tradepost.test.id }),
    status: 403,
    code: 'STORE_NOT_ALLOWED',
  },
  {
    name: 'a test key on the live side',
    headers: async () => ({ 'x-api-key': tradepost.test.api_key }),
    status: 403,
    code: 'STORE_NOT_ALLOWED',
  },
]

test('the refusal of a store of another account is the same for its live side and its test side', async () => {
  for (const { id } of [tradepost.live, tradepost.test]) {
    const { json } = await tradepost.get('/account', {
      as: { ...tradepost.live, id, api_key: otherAccountsKey },
    })
    expect(json).toEqual({
      success: false,
      code: 'STORE_NOT_ALLOWED',
      error: 'This API key is not valid for this store. Use a key of this store.',
      request_id: expect.any(String),
    })
  }
})

const withEmptyHeaders = (headers: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value ?? '']))

function expectRefusal(answer: Answer, status: number, code: string) {
  expect({ status: answer.status, code: answer.json?.code }).toEqual({ status, code })
  expect(faultsOfEnvelope(answer)).toEqual([])
}

test('every endpoint has a prepared call', () => {
  expect(unmatchedCalls()).toEqual([])
})

describe('every endpoint', () => {
  describe.each(walk(storeEndpoints))('$id', (endpoint) => {
    let input: CallInput

    beforeAll(async () => {
      input = await prepare(tradepost, endpoint)
    })

    test('refuses a caller without access, and nothing changes', async () => {
      const headers: Record<string, string | undefined>[] = []
      for (const item of REFUSED_CALLERS) headers.push(await item.headers())
      const before = await fingerprintRows(tradepost)
      for (const [at, { name, status, code }] of REFUSED_CALLERS.entries()) {
        const answer = await send(tradepost, endpoint, input, {
          as: tradepost.live,
          headers: withEmptyHeaders(headers[at] ?? {}),
        })
        expect({ name, status: answer.status, code: answer.json?.code }).toEqual({
          name,
          status,
          code,
        })
        expect(faultsOfEnvelope(answer)).toEqual([])
      }
      expect(await fingerprintRows(tradepost)).toEqual(before)
    })

    test('names the missing permission of a key, and nothing changes', async () => {
      const permissions = PERMISSIONS.filter((item) => item !== endpoint.permission)
      expect(permissions).toHaveLength(PERMISSIONS.length - 1)
      const as = await tradepost.key({ permissions })
      const before = await fingerprintRows(tradepost)
      const answer = await send(tradepost, endpoint, input, { as })
      expectRefusal(answer, 403, 'INSUFFICIENT_SCOPE')
      expect(answer.json.details).toEqual({ required: endpoint.permission })
      expect(await fingerprintRows(tradepost)).toEqual(before)
    })

    test('accepts an API key that has only its permission', async () => {
      const of = sideOf(tradepost, endpoint)
      const as = await tradepost.key({ permissions: [endpoint.permission], of })
      const answer = await send(tradepost, endpoint, input, { as })
      expect(answer.status, answer.text).toBe(endpoint.status ?? 200)
    })
  })

  test('refuses a call without the key or the store hash', async () => {
    for (const endpoint of storeEndpoints) {
      const { live } = tradepost
      const url = `/v1${pathOf(endpoint, {})}`
      const withoutHeaders = await tradepost.server.inject({ method: endpoint.method, url })
      expect(withoutHeaders.json().code, endpoint.id).toBe('MISSING_API_KEY')
      const headers = { 'x-api-key': live.api_key }
      const withoutStore = await tradepost.server.inject({ method: endpoint.method, url, headers })
      expect(withoutStore.json().code, endpoint.id).toBe('MISSING_STORE_HASH')
    }
  })
})

describe('an API key', () => {
  test('without a list of stores is valid for all stores of its account, on one side only', async () => {
    const { rows: stores } = await sql<{ account_id: number }>`
      select account_id from store where hash = ${tradepost.live.id}`.execute(tradepost.db)
    const account_id = stores[0]?.account_id ?? 0
    const { key } = await createKey(tradepost.app, { account_id, livemode: true })
    const statusAt = async (id: string) =>
      (await tradepost.get('/account', { headers: { 'x-api-key': key, 'x-store-hash': id } }))
        .status
    expect(await statusAt(tradepost.live.id)).toBe(200)
    expect(await statusAt(tradepost.other.id)).toBe(200)
    expect(await statusAt(tradepost.test.id)).toBe(403)
  })

  test('has its permissions in the answer of GET /account', async () => {
    const permissions = ['account:read', 'orders:write']
    const { json } = await tradepost.get('/account', { as: await tradepost.key({ permissions }) })
    expect(json.account.api.permissions).toEqual(permissions)
  })

  test('with write permission does not include read permission', async () => {
    const as = await tradepost.key({ permissions: ['products:write'] })
    expectRefusal(await tradepost.get('/products', { as }), 403, 'INSUFFICIENT_SCOPE')
  })

  test('is refused from the millisecond of its expiry on, even if it was used just before', async () => {
    tradepost.stopClock()
    const expires_at = iso(tradepost.app.clock.now() + DAY_MS)
    const as = await tradepost.key({ expires_at })
    tradepost.forward(DAY_MS - 1)
    expect((await tradepost.get('/account', { as })).status).toBe(200)
    tradepost.forward(1)
    const refused = await tradepost.get('/account', { as })
    expectRefusal(refused, 401, 'API_KEY_EXPIRED')
    expect(refused.json.error).toContain(expires_at)
  })

  test('that was revoked, or lost a permission or an address, is refused as soon as the caches are cleared', async () => {
    const as = await tradepost.key({ permissions: ['account:read'] })
    const change = async (set: string) => {
      await sql`update api_key set ${sql.raw(set)} where id = (select max(id) from api_key)`.execute(
        tradepost.db,
      )
      tradepost.app.caches.clear()
    }
    expect((await tradepost.get('/account', { as })).status).toBe(200)
    await change(`permissions = '{orders:read}'`)
    expectRefusal(await tradepost.get('/account', { as }), 403, 'INSUFFICIENT_SCOPE')
    await change(`allowed_ips = '{10.9.9.9}'`)
    const fromOtherAddress = await tradepost.get('/account', { as })
    expectRefusal(fromOtherAddress, 403, 'IP_NOT_ALLOWED')
    expect(fromOtherAddress.json.error).toBe(
      'This API key may not be used from 127.0.0.1. Call from an allowed address, or use another key.',
    )
    await change(`revoked_at = now()`)
    expectRefusal(await tradepost.get('/account', { as }), 401, 'INVALID_API_KEY')
  })

  test('that another process revoked is refused after 5 seconds at the latest', async () => {
    const as = await tradepost.key()
    expect((await tradepost.get('/account', { as })).status).toBe(200)
    await sql`update api_key set revoked_at = now() where id = (select max(id) from api_key)`.execute(
      tradepost.db,
    )
    tradepost.forward(5 * SECOND_MS)
    expectRefusal(await tradepost.get('/account', { as }), 401, 'INVALID_API_KEY')
  })

  test('in the header Authorization is refused with the name of the right header', async () => {
    const headers = { 'x-api-key': '', authorization: `Bearer ${tradepost.live.api_key}` }
    const answer = await tradepost.get('/account', { headers })
    expectRefusal(answer, 401, 'MISSING_API_KEY')
    expect(answer.json.details.hint).toContain('x-api-key')
  })
})
