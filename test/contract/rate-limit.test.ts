import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { updatePlan } from '../../src/features/installation/stores/queries.ts'
import { createStoreWithKeys, type StoreSide } from '../../src/features/store/account/index.ts'
import { newApiKey } from '../../src/kernel/api-key.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/kernel/time.ts'
import { type Answer, openTradepost, type Tradepost } from '../harness.ts'
import { faultsOfEnvelope } from './prepared-calls.ts'

// An API key may make 300 calls in any 60 s. A plan has a monthly quota (decisions 5, 13 and 31).

const START = Date.parse('2027-03-10T12:00:00.250Z')
let tradepost: Tradepost

// The clock is stopped, so that the tests are exact.
beforeEach(() => {
  vi.setSystemTime(START)
})
afterEach(() => vi.useRealTimers())
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const setTime = (ms: number) => vi.setSystemTime(START + ms)

async function callTimes(count: number, as: StoreSide): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let n = 0; n < count; n++) answers.push(await tradepost.get('/events/types', { as }))
  return answers
}

const statusesOf = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))]

function expectLimited(answer: Answer | undefined, code: string, retryAfter: number) {
  expect({
    status: answer?.status,
    code: answer?.json.code,
    retryAfter: answer?.headers['retry-after'],
  }).toEqual({ status: 429, code, retryAfter: String(retryAfter) })
  expect(answer && faultsOfEnvelope(answer)).toEqual([])
}

describe('a key may make 300 calls in any 60 seconds', () => {
  test('the 301st call succeeds exactly after Retry-After', async () => {
    const as = await tradepost.key()
    expect(statusesOf(await callTimes(300, as))).toEqual([200])
    expectLimited((await callTimes(1, as))[0], 'RATE_LIMITED', 60)
    setTime(30 * SECOND_MS)
    expectLimited((await callTimes(1, as))[0], 'RATE_LIMITED', 30)
    setTime(MINUTE_MS - 1)
    expectLimited((await callTimes(1, as))[0], 'RATE_LIMITED', 1)
    setTime(MINUTE_MS)
    expect(statusesOf(await callTimes(1, as))).toEqual([200])
  })

  test('a call is accepted for each call that is older than 60 seconds', async () => {
    const as = await tradepost.key()
    await callTimes(100, as)
    setTime(20_500)
    await callTimes(200, as)
    setTime(40_000)
    expectLimited((await callTimes(1, as))[0], 'RATE_LIMITED', 20)
    setTime(60_000)
    expect(statusesOf(await callTimes(100, as))).toEqual([200])
    expectLimited((await callTimes(1, as))[0], 'RATE_LIMITED', 21)
    setTime(80_499)
    expectLimited((await callTimes(1, as))[0], 'RATE_LIMITED', 1)
    setTime(80_500)
    expect(statusesOf(await callTimes(200, as))).toEqual([200])
    expectLimited((await callTimes(1, as))[0], 'RATE_LIMITED', 40)
  })

  test('calls that the limit refuses are not counted', async () => {
    const as = await tradepost.key({ rate_limit: 3 })
    await callTimes(3, as)
    setTime(59_000)
    expect(statusesOf(await callTimes(10, as))).toEqual([429])
    setTime(60_000)
    expect((await callTimes(4, as)).map(({ status }) => status)).toEqual([200, 200, 200, 429])
  })

  test('calls that are refused for other reasons are counted', async () => {
    const as = await tradepost.key({ rate_limit: 6, permissions: ['webhooks:read'] })
    const refused = [
      await tradepost.get('/products', { as }),
      await tradepost.get('/webhooks/nobody', { as }),
      await tradepost.get('/webhooks?limit=x', { as }),
      await tradepost.get('/account', { as, headers: { 'x-store-hash': 'AAAAAAAAAAAA' } }),
      await tradepost.get('/account', { as, headers: { 'x-store-hash': tradepost.other.id } }),
      await tradepost.call('POST', '/products', { as, raw: 'x'.repeat(1024 * 1024 + 1) }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 404, 422, 404, 403, 403])
    expect(refused.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual([
      '5',
      '4',
      '3',
      '2',
      '1',
      '0',
    ])
    expectLimited((await callTimes(1, as))[0], 'RATE_LIMITED', 60)
  })

  test('the other keys of the store are unaffected', async () => {
    const [first, second] = [
      await tradepost.key({ rate_limit: 1 }),
      await tradepost.key({ rate_limit: 1 }),
    ]
    await callTimes(1, first)
    expect(statusesOf(await callTimes(1, first))).toEqual([429])
    expect(statusesOf(await callTimes(1, second))).toEqual([200])
  })

  test('the limit of a key can be changed or removed', async () => {
    const limitedKey = await tradepost.key({ rate_limit: 5 })
    expect((await callTimes(6, limitedKey)).map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 200, 429,
    ])
    const unlimitedKey = await tradepost.key({ rate_limit: 0 })
    const answers = await callTimes(310, unlimitedKey)
    expect(statusesOf(answers)).toEqual([200])
    const headerNames = Object.keys(answers.at(-1)?.headers ?? {})
    // Clients would read any number in the headers as a limit (decision 13).
    expect(headerNames.filter((name) => /ratelimit|retry-after/.test(name))).toEqual([])
    const unknownPath = await tradepost.get('/no-such-path', { as: unlimitedKey })
    expect(Object.keys(unknownPath.headers).filter((name) => /ratelimit/.test(name))).toEqual([])
  })

  test('calls of unknown paths and methods are counted', async () => {
    const as = await tradepost.key({ rate_limit: 5 })
    const refused = [
      await tradepost.get('/no-such-path', { as }),
      await tradepost.get('/%zz', { as }),
      await tradepost.get(`/orders/${'x'.repeat(9_000)}`, { as }),
      await tradepost.delete('/account', { as }),
      await tradepost.call('POST', '/no-such-path', { as, raw: 'x'.repeat(1024 * 1024 + 1) }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 405, 404])
    const remaining = refused.map(({ headers }) => headers['x-ratelimit-remaining'])
    expect(remaining).toEqual(['4', '3', '2', '1', '0'])
    for (const path of ['/no-such-path', '/%zz']) {
      expectLimited(await tradepost.get(path, { as }), 'RATE_LIMITED', 60)
    }
    const wrongMethod = await tradepost.delete('/account', { as })
    expectLimited(wrongMethod, 'RATE_LIMITED', 60)
    expect(wrongMethod.headers.allow).toBeUndefined()
  })

  test('the headers of every answer show the remaining calls', async () => {
    const as = await tradepost.key({ rate_limit: 3 })
    const received: Record<string, string | undefined>[] = []
    for (const ms of [0, 10_000, 10_250, 10_250]) {
      setTime(ms)
      const { status, headers } = await tradepost.get('/events/types', { as })
      received.push({
        status: String(status),
        policy: headers['ratelimit-policy'],
        ratelimit: headers.ratelimit,
        limit: headers['x-ratelimit-limit'],
        remaining: headers['x-ratelimit-remaining'],
        reset: headers['x-ratelimit-reset'],
      })
    }
    const reset = String(Math.ceil((START + MINUTE_MS) / SECOND_MS))
    const sharedHeaders = { policy: '"minute";q=3;w=60', limit: '3', reset }
    expect(received).toEqual([
      { status: '200', ratelimit: '"minute";r=2;t=60', remaining: '2', ...sharedHeaders },
      { status: '200', ratelimit: '"minute";r=1;t=50', remaining: '1', ...sharedHeaders },
      { status: '200', ratelimit: '"minute";r=0;t=50', remaining: '0', ...sharedHeaders },
      { status: '429', ratelimit: '"minute";r=0;t=50', remaining: '0', ...sharedHeaders },
    ])
  })
})

describe('an address may send 1,000 unknown keys in a minute', () => {
  const callFrom = async (remoteAddress: string, key = newApiKey('store', true)) => {
    const answer = await tradepost.server.inject({
      method: 'GET',
      url: '/v1/account',
      remoteAddress,
      headers: { 'x-api-key': key, 'x-store-hash': tradepost.live.id },
    })
    const { code } = answer.json()
    return { status: answer.statusCode, code, wait: answer.headers['retry-after'] }
  }

  test('further unknown keys of the address get 429, and those of another address 401', async () => {
    const unknownKey = newApiKey('store', true)
    for (let n = 0; n < 1_000; n++) await callFrom('198.51.100.7', unknownKey)
    setTime(15_000)
    const limited = { status: 429, code: 'RATE_LIMITED', wait: '45' }
    expect(await callFrom('198.51.100.7')).toEqual(limited)
    expect((await callFrom('198.51.100.8')).code).toBe('INVALID_API_KEY')
    setTime(MINUTE_MS)
    expect((await callFrom('198.51.100.7')).code).toBe('INVALID_API_KEY')
  })

  test('all IPv6 addresses of a /64 count as one', async () => {
    const unknownKey = newApiKey('store', true)
    const from = (n: number) => `2001:db8:0:7::${n.toString(16)}`
    const { api_key = '' } = await tradepost.key()
    expect((await callFrom(from(0), api_key)).status).toBe(200)
    for (let n = 1; n <= 1_000; n++) await callFrom(from(n), unknownKey)
    expect((await callFrom(from(1_001))).code).toBe('RATE_LIMITED')
    expect((await callFrom('2001:db8:0:8::1')).code).toBe('INVALID_API_KEY')
    expect((await callFrom(from(1_002), api_key)).status).toBe(200)
  })

  /** Sends as many unknown keys from an address as are allowed in a minute. */
  async function useUpLimit(address: string) {
    const unknownKey = newApiKey('store', true)
    for (let n = 0; n < 1_000; n++) await callFrom(address, unknownKey)
  }

  test('further unknown keys send no statement, concurrently or in sequence', async () => {
    const address = '198.51.100.20'
    const callAll = () => Promise.all(Array.from({ length: 1_100 }, () => callFrom(address)))
    const received: string[] = []
    const statements = await tradepost.statements(async () => {
      received.push(...(await callAll()).map(({ code }) => code))
    })
    expect(received.filter((code) => code === 'INVALID_API_KEY')).toHaveLength(1_000)
    expect(received.filter((code) => code === 'RATE_LIMITED')).toHaveLength(100)
    expect(statements).toHaveLength(1_000)
    expect(await tradepost.statements(async () => void (await callFrom(address)))).toEqual([])
  })

  test('calls with a known key are accepted, even if the key is looked up again', async () => {
    const address = '198.51.100.30'
    const { api_key = '' } = await tradepost.key()
    expect((await callFrom(address, api_key)).status).toBe(200)
    await useUpLimit(address)
    expect((await callFrom(address, api_key)).status).toBe(200)
    setTime(30 * SECOND_MS)
    expect((await callFrom(address)).status).toBe(429)
    const repeatStatements = await tradepost.statements(async () => {
      expect((await callFrom(address, api_key)).status).toBe(200)
    })
    expect(repeatStatements.join()).toContain('api_key')
  })

  test('a revoked key is refused like an unknown key', async () => {
    const address = '198.51.100.40'
    const as = await tradepost.key({ name: 'Soon revoked' })
    expect((await callFrom(address, as.api_key)).status).toBe(200)
    await sql`update api_key set revoked_at = now() where name = 'Soon revoked'`.execute(
      tradepost.db,
    )
    setTime(10 * SECOND_MS)
    expect((await callFrom(address, as.api_key)).code).toBe('INVALID_API_KEY')
    await useUpLimit(address)
    expect((await callFrom(address, as.api_key)).code).toBe('RATE_LIMITED')
  })

  test('valid keys that were not known before are not counted', async () => {
    const address = '198.51.100.50'
    const unknownKey = newApiKey('store', true)
    for (let n = 0; n < 999; n++) await callFrom(address, unknownKey)
    for (let n = 0; n < 5; n++) {
      const { api_key = '' } = await tradepost.key()
      expect((await callFrom(address, api_key)).status).toBe(200)
    }
    expect((await callFrom(address, unknownKey)).code).toBe('INVALID_API_KEY')
    expect((await callFrom(address, unknownKey)).code).toBe('RATE_LIMITED')
  })
})

describe('the quota of a month', () => {
  /** Opens a store on a plan, with this many calls in this month. */
  async function openStoreOn(plan: string, used: number) {
    const { live, test: testSide } = await createStoreWithKeys(tradepost.app, {
      name: plan,
      currency: 'EUR',
      plan,
    })
    const month = new Date().toISOString().slice(0, 7)
    await sql`
      update store set quota_month = ${month}, quota_used = ${used}
       where hash in (${live.id}, ${testSide.id})`.execute(tradepost.db)
    return { live, testSide }
  }

  test.each([
    ['starter', 10_000],
    ['growth', 100_000],
    ['scale', 1_000_000],
  ])('of the plan %s is %d calls, until the next month', async (plan, quota) => {
    const { live } = await openStoreOn(plan, quota - 2)
    const account = await tradepost.get('/account', { as: live })
    expect(account.json.account).toMatchObject({
      store: { plan },
      api: { monthly_quota: quota, monthly_used: quota - 1, resets_at: '2027-04-01T00:00:00.000Z' },
    })
    expect(statusesOf(await callTimes(1, live))).toEqual([200])
    const wait_s = Math.ceil((Date.parse('2027-04-01T00:00:00Z') - START) / SECOND_MS)
    const [refused] = await callTimes(1, live)
    expectLimited(refused, 'STORE_API_MONTHLY_QUOTA_EXCEEDED', wait_s)
    expect(refused?.headers['x-ratelimit-limit']).toBe('300')
    setTime(wait_s * SECOND_MS - SECOND_MS)
    expectLimited((await callTimes(1, live))[0], 'STORE_API_MONTHLY_QUOTA_EXCEEDED', 1)
    setTime(wait_s * SECOND_MS)
    const nextMonth = await tradepost.get('/account', { as: live })
    expect(nextMonth.json.account.api).toMatchObject({
      monthly_used: 1,
      resets_at: '2027-05-01T00:00:00.000Z',
    })
  })

  test('neither counts nor refuses calls of the test side', async () => {
    const { live, testSide } = await openStoreOn('starter', 10_000)
    expect(statusesOf(await callTimes(3, testSide))).toEqual([200])
    expectLimited((await callTimes(1, live))[0], 'STORE_API_MONTHLY_QUOTA_EXCEEDED', 1_857_600)
    await tradepost.authentication.flush()
    const { rows } = await sql<{ quota_used: number }>`
      select quota_used from store where hash in (${live.id}, ${testSide.id})`.execute(tradepost.db)
    expect(rows.map(({ quota_used }) => quota_used)).toEqual([10_000, 10_000])
  })

  test('counts calls with 200 and 403, and not calls with 401 and 429', async () => {
    const { live } = await openStoreOn('starter', 0)
    const as = await tradepost.key({ of: live, permissions: ['account:read'], rate_limit: 3 })
    await tradepost.get('/account', { as, headers: { 'x-api-key': newApiKey('store', true) } })
    expect((await tradepost.get('/products', { as })).status).toBe(403)
    expect((await tradepost.get('/account', { as })).json.account.api.monthly_used).toBe(2)
    await tradepost.get('/account', { as })
    expect((await tradepost.get('/account', { as })).status).toBe(429)
    const { json } = await tradepost.get('/account', { as: live })
    expect(json.account.api.monthly_used).toBe(4)
    await tradepost.authentication.flush()
    const { rows } = await sql<{ quota_month: string; quota_used: number }>`
      select quota_month, quota_used from store where hash = ${live.id}`.execute(tradepost.db)
    expect(rows).toEqual([{ quota_month: '2027-03', quota_used: 4 }])
  })

  test('is null on the plan self_hosted', async () => {
    const { live } = await openStoreOn('self_hosted', 5_000_000)
    const { json } = await tradepost.get('/account', { as: live })
    expect(json.account.api.monthly_quota).toBeNull()
  })

  test('changes with the plan from the next call on', async () => {
    const { live, testSide } = await openStoreOn('self_hosted', 10_000)
    expect(statusesOf(await callTimes(1, live))).toEqual([200])
    const change = async (plan: string) => {
      await updatePlan(tradepost.db, live.id, plan)
      tradepost.app.caches.clear()
    }
    await change('starter')
    expect((await callTimes(1, live))[0]?.json.code).toBe('STORE_API_MONTHLY_QUOTA_EXCEEDED')
    await change('free')
    for (const as of [live, testSide])
      expect((await callTimes(1, as))[0]).toMatchObject({
        status: 403,
        json: { code: 'STORE_API_NOT_IN_PLAN' },
      })
    await change('growth')
    expect(statusesOf(await callTimes(1, live))).toEqual([200])
  })
})
