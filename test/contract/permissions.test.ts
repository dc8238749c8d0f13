import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../src/features/installation/api-keys/index.ts'
import { newApiKey } from '../../src/kernel/api-key.ts'
import { PERMISSIONS } from '../../src/kernel/permissions.ts'
import { DAY_MS, iso, SECOND_MS } from '../../src/kernel/time.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import type { Answer, Tradepost } from '../harness.ts'
import {
  type Ask,
  faultsOfEnvelope,
  openWalk,
  pathOf,
  prepare,
  rows,
  send,
  sideOf,
  unmatchedWalks,
} from './walk.ts'

let tradepost: Tradepost
/** The key of another account, without access to the first one's stores. */
let strangersKey: string

beforeAll(async () => {
  tradepost = await openWalk()
  const { rows: made } = await sql<{ id: number }>`
    insert into account (name, created_at) values ('Stranger', now()) returning id`.execute(
    tradepost.db,
  )
  const { key } = await createKey(tradepost.app, { account_id: made[0]?.id ?? 0, livemode: true })
  strangersKey = key
})
afterAll(() => tradepost.close())

/** Revoked and expired keys of the first store. */
async function revokedKey(): Promise<string> {
  const { api_key = '' } = await tradepost.key()
  await sql`update api_key set revoked_at = now() where id = (select max(id) from api_key)`.execute(
    tradepost.db,
  )
  return api_key
}
const expiredKey = async () =>
  (await tradepost.key({ expires_at: iso(tradepost.app.clock.now() - SECOND_MS) })).api_key

interface Refused {
  who: string
  headers(): Promise<Record<string, string | undefined>>
  status: number
  code: string
}

const REFUSED: Refused[] = [
  {
    who: 'a call without a key',
    headers: async () => ({ 'x-api-key': '' }),
    status: 401,
    code: 'MISSING_API_KEY',
  },
  {
    who: 'a call without a store hash',
    headers: async () => ({ 'x-store-hash': '' }),
    status: 401,
    code: 'MISSING_STORE_HASH',
  },
  {
    who: 'a key that never was',
    headers: async () => ({ 'x-api-key': newApiKey('store', true) }),
    status: 401,
    code: 'INVALID_API_KEY',
  },
  {
    who: 'text that is no key',
    headers: async () => ({ 'x-api-key': "' or 1=1 --" }),
    status: 401,
    code: 'INVALID_API_KEY',
  },
  {
    who: 'a key of Client Security',
    headers: async () => ({ 'x-api-key': newApiKey('security', true) }),
    status: 401,
    code: 'INVALID_API_KEY',
  },
  {
    who: 'a revoked key',
    headers: async () => ({ 'x-api-key': await revokedKey() }),
    status: 401,
    code: 'INVALID_API_KEY',
  },
  {
    who: 'an expired key',
    headers: async () => ({ 'x-api-key': await expiredKey() }),
    status: 401,
    code: 'API_KEY_EXPIRED',
  },
  {
    who: 'a store that never was',
    headers: async () => ({ 'x-store-hash': 'AAAAAAAAAAAA' }),
    status: 404,
    code: 'STORE_NOT_FOUND',
  },
  {
    who: "the key of another account's store",
    headers: async () => ({ 'x-api-key': strangersKey }),
    status: 403,
    code: 'STORE_NOT_ALLOWED',
  },
  {
    who: "the key of the account's other store",
    headers: async () => ({ 'x-api-key': tradepost.other.api_key }),
    status: 403,
    code: 'STORE_NOT_ALLOWED',
  },
  {
    who: 'a live key on the test side',
    headers: async () => ({ 'x-store-hash': tradepost.test.id }),
    status: 403,
    code: 'STORE_NOT_ALLOWED',
  },
  {
    who: 'a test key on the live side',
    headers: async () => ({ 'x-api-key': tradepost.test.api_key }),
    status: 403,
    code: 'STORE_NOT_ALLOWED',
  },
]

test("the side of another account's store is not revealed", async () => {
  for (const { id } of [tradepost.live, tradepost.test]) {
    const { json } = await tradepost.get('/account', {
      as: { ...tradepost.live, id, api_key: strangersKey },
    })
    expect(json).toEqual({
      success: false,
      code: 'STORE_NOT_ALLOWED',
      error: 'This API key is not valid for this store.',
      request_id: expect.any(String),
    })
  }
})

const given = (headers: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value ?? '']))

function expectRefusal(answer: Answer, status: number, code: string) {
  expect({ status: answer.status, code: answer.json?.code }).toEqual({ status, code })
  expect(faultsOfEnvelope(answer)).toEqual([])
}

test('every endpoint is walked', () => {
  expect(unmatchedWalks()).toEqual([])
})

describe('every endpoint', () => {
  describe.each(storeEndpoints)('$id', (e) => {
    let ask: Ask

    beforeAll(async () => {
      ask = await prepare(tradepost, e)
    })

    test('refuses a caller without access, and nothing changes', async () => {
      const headers: Record<string, string | undefined>[] = []
      for (const item of REFUSED) headers.push(await item.headers())
      const before = await rows(tradepost)
      for (const [at, { who, status, code }] of REFUSED.entries()) {
        const answer = await send(tradepost, e, ask, {
          as: tradepost.live,
          headers: given(headers[at] ?? {}),
        })
        expect({ who, status: answer.status, code: answer.json?.code }).toEqual({
          who,
          status,
          code,
        })
        expect(faultsOfEnvelope(answer)).toEqual([])
      }
      expect(await rows(tradepost)).toEqual(before)
    })

    test('names the missing permission of a key, and nothing changes', async () => {
      const permissions = PERMISSIONS.filter((item) => item !== e.permission)
      expect(permissions).toHaveLength(PERMISSIONS.length - 1)
      const as = await tradepost.key({ permissions })
      const before = await rows(tradepost)
      const answer = await send(tradepost, e, ask, { as })
      expectRefusal(answer, 403, 'INSUFFICIENT_SCOPE')
      expect(answer.json.details).toEqual({ required: e.permission })
      expect(await rows(tradepost)).toEqual(before)
    })

    test('serves a key that has its permission and no other', async () => {
      const of = sideOf(tradepost, e)
      const as = await tradepost.key({ permissions: [e.permission], of })
      const answer = await send(tradepost, e, ask, { as })
      expect(answer.status, answer.text).toBe(e.status ?? 200)
    })
  })

  test('refuses a missing header as it refuses an empty one', async () => {
    for (const e of storeEndpoints) {
      const { live } = tradepost
      const url = `/v1${pathOf(e, {})}`
      const bare = await tradepost.server.inject({ method: e.method, url })
      expect(bare.json().code, e.id).toBe('MISSING_API_KEY')
      const headers = { 'x-api-key': live.api_key }
      const half = await tradepost.server.inject({ method: e.method, url, headers })
      expect(half.json().code, e.id).toBe('MISSING_STORE_HASH')
    }
  })
})

describe('a key', () => {
  test('has access to all stores of its account, on its side only, if it names none', async () => {
    const { rows: first } = await sql<{ account_id: number }>`
      select account_id from store where hash = ${tradepost.live.id}`.execute(tradepost.db)
    const account_id = first[0]?.account_id ?? 0
    const { key } = await createKey(tradepost.app, { account_id, livemode: true })
    const reach = async (id: string) =>
      (await tradepost.get('/account', { headers: { 'x-api-key': key, 'x-store-hash': id } }))
        .status
    expect(await reach(tradepost.live.id)).toBe(200)
    expect(await reach(tradepost.other.id)).toBe(200)
    expect(await reach(tradepost.test.id)).toBe(403)
  })

  test('lists its permissions in the account', async () => {
    const permissions = ['account:read', 'orders:write']
    const { json } = await tradepost.get('/account', { as: await tradepost.key({ permissions }) })
    expect(json.account.api.permissions).toEqual(permissions)
  })

  test('that may write may not read for that', async () => {
    const as = await tradepost.key({ permissions: ['products:write'] })
    expectRefusal(await tradepost.get('/products', { as }), 403, 'INSUFFICIENT_SCOPE')
  })

  test('works until the millisecond it expires at, and no longer, though it was used just now', async () => {
    const expires_at = iso(tradepost.app.clock.now() + DAY_MS)
    const as = await tradepost.key({ expires_at })
    tradepost.forward(DAY_MS - 10 * SECOND_MS)
    expect((await tradepost.get('/account', { as })).status).toBe(200)
    tradepost.forward(10 * SECOND_MS)
    const refused = await tradepost.get('/account', { as })
    expectRefusal(refused, 401, 'API_KEY_EXPIRED')
    expect(refused.json.error).toContain(expires_at)
  })

  test('that was revoked, or lost a permission, stops with the next call after the command', async () => {
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
    const elsewhere = await tradepost.get('/account', { as })
    expectRefusal(elsewhere, 403, 'IP_NOT_ALLOWED')
    expect(elsewhere.json.error).toBe('This API key may not be used from 127.0.0.1.')
    await change(`revoked_at = now()`)
    expectRefusal(await tradepost.get('/account', { as }), 401, 'INVALID_API_KEY')
  })

  test('that another process revoked stops within 5 seconds', async () => {
    const as = await tradepost.key()
    expect((await tradepost.get('/account', { as })).status).toBe(200)
    await sql`update api_key set revoked_at = now() where id = (select max(id) from api_key)`.execute(
      tradepost.db,
    )
    tradepost.forward(5 * SECOND_MS)
    expectRefusal(await tradepost.get('/account', { as }), 401, 'INVALID_API_KEY')
  })

  test('is not taken from Authorization, and the refusal says where it belongs', async () => {
    const headers = { 'x-api-key': '', authorization: `Bearer ${tradepost.live.api_key}` }
    const answer = await tradepost.get('/account', { headers })
    expectRefusal(answer, 401, 'MISSING_API_KEY')
    expect(answer.json.details.hint).toContain('x-api-key')
  })
})
