import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { updatePlan } from '../../src/features/installation/stores/queries.ts'
import { type OpenedSide, openStore } from '../../src/features/store/account/index.ts'
import { newApiKey } from '../../src/kernel/api-key.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/kernel/time.ts'
import { type Answer, openTradepost, type Tradepost } from '../harness.ts'
import { faultsOfEnvelope } from './walk.ts'

/** 300 calls in any 60 s of a key, and the quota of a month (decisions 5, 13, 31; invariant I30). */

const START = Date.parse('2027-03-10T12:00:00.250Z')
let tradepost: Tradepost

/** The clock is stopped, so that the tests can be exact. */
beforeEach(() => {
  vi.setSystemTime(START)
})
afterEach(() => vi.useRealTimers())
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const at = (ms: number) => vi.setSystemTime(START + ms)

async function times(count: number, as: OpenedSide): Promise<Answer[]> {
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
  test('and the 301st waits exactly as long as Retry-After says', async () => {
    const as = await tradepost.key()
    expect(statusesOf(await times(300, as))).toEqual([200])
    expectLimited((await times(1, as))[0], 'RATE_LIMITED', 60)
    at(30 * SECOND_MS)
    expectLimited((await times(1, as))[0], 'RATE_LIMITED', 30)
    at(MINUTE_MS - 1)
    expectLimited((await times(1, as))[0], 'RATE_LIMITED', 1)
    at(MINUTE_MS)
    expect(statusesOf(await times(1, as))).toEqual([200])
  })

  test('and the window slides: as many pass as have left it', async () => {
    const as = await tradepost.key()
    await times(100, as)
    at(20_500)
    await times(200, as)
    at(40_000)
    expectLimited((await times(1, as))[0], 'RATE_LIMITED', 20)
    at(60_000)
    expect(statusesOf(await times(100, as))).toEqual([200])
    expectLimited((await times(1, as))[0], 'RATE_LIMITED', 21)
    at(80_499)
    expectLimited((await times(1, as))[0], 'RATE_LIMITED', 1)
    at(80_500)
    expect(statusesOf(await times(200, as))).toEqual([200])
    expectLimited((await times(1, as))[0], 'RATE_LIMITED', 40)
  })

  test('and calls that were refused for it do not count', async () => {
    const as = await tradepost.key({ rate_limit: 3 })
    await times(3, as)
    at(59_000)
    expect(statusesOf(await times(10, as))).toEqual([429])
    at(60_000)
    expect((await times(4, as)).map(({ status }) => status)).toEqual([200, 200, 200, 429])
  })

  test('and calls that were refused for anything else do', async () => {
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
    expectLimited((await times(1, as))[0], 'RATE_LIMITED', 60)
  })

  test('each of a store, and not the others for it', async () => {
    const [one, two] = [
      await tradepost.key({ rate_limit: 1 }),
      await tradepost.key({ rate_limit: 1 }),
    ]
    await times(1, one)
    expect(statusesOf(await times(1, one))).toEqual([429])
    expect(statusesOf(await times(1, two))).toEqual([200])
  })

  test('unless the operator sets another limit, or none', async () => {
    const five = await tradepost.key({ rate_limit: 5 })
    expect((await times(6, five)).map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 200, 429,
    ])
    const none = await tradepost.key({ rate_limit: 0 })
    const answers = await times(310, none)
    expect(statusesOf(answers)).toEqual([200])
    const headerNames = Object.keys(answers.at(-1)?.headers ?? {})
    // Without a limit there is no header: clients would read any number as a limit (decision 13).
    expect(headerNames.filter((name) => /ratelimit|retry-after/.test(name))).toEqual([])
    const unknown = await tradepost.get('/no-such-path', { as: none })
    expect(Object.keys(unknown.headers).filter((name) => /ratelimit/.test(name))).toEqual([])
  })

  test('and unknown paths and methods count like any other call', async () => {
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

  test('and the headers of every answer show the remaining calls', async () => {
    const as = await tradepost.key({ rate_limit: 3 })
    const received: Record<string, string | undefined>[] = []
    for (const ms of [0, 10_000, 10_250, 10_250]) {
      at(ms)
      const [{ status, headers } = { status: 0, headers: {} as Answer['headers'] }] = await times(
        1,
        as,
      )
      received.push({
        status: String(status),
        policy: headers['ratelimit-policy'],
        now: headers.ratelimit,
        limit: headers['x-ratelimit-limit'],
        remaining: headers['x-ratelimit-remaining'],
        reset: headers['x-ratelimit-reset'],
      })
    }
    const reset = String(Math.ceil((START + MINUTE_MS) / SECOND_MS))
    const same = { policy: '"minute";q=3;w=60', limit: '3', reset }
    expect(received).toEqual([
      { status: '200', now: '"minute";r=2;t=60', remaining: '2', ...same },
      { status: '200', now: '"minute";r=1;t=50', remaining: '1', ...same },
      { status: '200', now: '"minute";r=0;t=50', remaining: '0', ...same },
      { status: '429', now: '"minute";r=0;t=50', remaining: '0', ...same },
    ])
  })
})

describe('an address may try 1,000 unknown keys in a minute', () => {
  const knock = async (remoteAddress: string, key = newApiKey('store', true)) => {
    const answer = await tradepost.server.inject({
      method: 'GET',
      url: '/v1/account',
      remoteAddress,
      headers: { 'x-api-key': key, 'x-store-hash': tradepost.live.id },
    })
    const { code } = answer.json()
    return { status: answer.statusCode, code, wait: answer.headers['retry-after'] }
  }

  test('and then waits, while other addresses and known keys do not', async () => {
    const wrong = newApiKey('store', true)
    for (let n = 0; n < 1_000; n++) await knock('198.51.100.7', wrong)
    at(15_000)
    const limited = { status: 429, code: 'RATE_LIMITED', wait: '45' }
    expect(await knock('198.51.100.7')).toEqual(limited)
    expect((await knock('198.51.100.8')).code).toBe('INVALID_API_KEY')
    at(MINUTE_MS)
    expect((await knock('198.51.100.7')).code).toBe('INVALID_API_KEY')
  })

  test('and of IPv6 all addresses of a /64 count as one', async () => {
    const wrong = newApiKey('store', true)
    const from = (n: number) => `2001:db8:0:7::${n.toString(16)}`
    const { api_key = '' } = await tradepost.key()
    expect((await knock(from(0), api_key)).status).toBe(200)
    for (let n = 1; n <= 1_000; n++) await knock(from(n), wrong)
    expect((await knock(from(1_001))).code).toBe('RATE_LIMITED')
    expect((await knock('2001:db8:0:8::1')).code).toBe('INVALID_API_KEY')
    expect((await knock(from(1_002), api_key)).status).toBe(200)
  })

  /** An address that has used up its limit of wrong keys. */
  async function spent(address: string) {
    const wrong = newApiKey('store', true)
    for (let n = 0; n < 1_000; n++) await knock(address, wrong)
  }

  test('and costs no statement more, whatever keys it makes up, all at once or one by one', async () => {
    const address = '198.51.100.20'
    const all = () => Promise.all(Array.from({ length: 1_100 }, () => knock(address)))
    const received: string[] = []
    const first = await tradepost.statements(async () => {
      received.push(...(await all()).map(({ code }) => code))
    })
    expect(received.filter((code) => code === 'INVALID_API_KEY')).toHaveLength(1_000)
    expect(received.filter((code) => code === 'RATE_LIMITED')).toHaveLength(100)
    expect(first).toHaveLength(1_000)
    expect(await tradepost.statements(async () => void (await knock(address)))).toEqual([])
  })

  test('and a key that was known is served all the while, also when it has to be looked up again', async () => {
    const address = '198.51.100.30'
    const { api_key = '' } = await tradepost.key()
    expect((await knock(address, api_key)).status).toBe(200)
    await spent(address)
    expect((await knock(address, api_key)).status).toBe(200)
    at(30 * SECOND_MS)
    expect((await knock(address)).status).toBe(429)
    const again = await tradepost.statements(async () => {
      expect((await knock(address, api_key)).status).toBe(200)
    })
    expect(again.join()).toContain('api_key')
  })

  test('and a key that is revoked is known no more', async () => {
    const address = '198.51.100.40'
    const as = await tradepost.key({ name: 'Soon revoked' })
    expect((await knock(address, as.api_key)).status).toBe(200)
    await sql`update api_key set revoked_at = now() where name = 'Soon revoked'`.execute(
      tradepost.db,
    )
    at(10 * SECOND_MS)
    expect((await knock(address, as.api_key)).code).toBe('INVALID_API_KEY')
    await spent(address)
    expect((await knock(address, as.api_key)).code).toBe('RATE_LIMITED')
  })

  test('and keys that turn out to be known use up nothing of it', async () => {
    const address = '198.51.100.50'
    const wrong = newApiKey('store', true)
    for (let n = 0; n < 999; n++) await knock(address, wrong)
    for (let n = 0; n < 5; n++) {
      const { api_key = '' } = await tradepost.key()
      expect((await knock(address, api_key)).status).toBe(200)
    }
    expect((await knock(address, wrong)).code).toBe('INVALID_API_KEY')
    expect((await knock(address, wrong)).code).toBe('RATE_LIMITED')
  })
})

describe('the quota of a month', () => {
  /** A store on a plan that has made this many calls in this month. */
  async function storeOn(plan: string, used: number) {
    const { live, test: side } = await openStore(tradepost.app, {
      name: plan,
      currency: 'EUR',
      plan,
    })
    const month = new Date().toISOString().slice(0, 7)
    await sql`
      update store set quota_month = ${month}, quota_used = ${used}
       where hash in (${live.id}, ${side.id})`.execute(tradepost.db)
    return { live, side }
  }

  test.each([
    ['starter', 10_000],
    ['growth', 100_000],
    ['scale', 1_000_000],
  ])('of the plan %s is %d calls, and then the next month is waited for', async (plan, quota) => {
    const { live } = await storeOn(plan, quota - 2)
    const account = await tradepost.get('/account', { as: live })
    expect(account.json.account).toMatchObject({
      store: { plan },
      api: { monthly_quota: quota, monthly_used: quota - 1, resets_at: '2027-04-01T00:00:00.000Z' },
    })
    expect(statusesOf(await times(1, live))).toEqual([200])
    const wait_s = Math.ceil((Date.parse('2027-04-01T00:00:00Z') - START) / SECOND_MS)
    const [refused] = await times(1, live)
    expectLimited(refused, 'STORE_API_MONTHLY_QUOTA_EXCEEDED', wait_s)
    expect(refused?.headers['x-ratelimit-limit']).toBe('300')
    at(wait_s * SECOND_MS - SECOND_MS)
    expectLimited((await times(1, live))[0], 'STORE_API_MONTHLY_QUOTA_EXCEEDED', 1)
    at(wait_s * SECOND_MS)
    const fresh = await tradepost.get('/account', { as: live })
    expect(fresh.json.account.api).toMatchObject({
      monthly_used: 1,
      resets_at: '2027-05-01T00:00:00.000Z',
    })
  })

  test('does not count the calls of the test side, nor refuse them', async () => {
    const { live, side } = await storeOn('starter', 10_000)
    expect(statusesOf(await times(3, side))).toEqual([200])
    expectLimited((await times(1, live))[0], 'STORE_API_MONTHLY_QUOTA_EXCEEDED', 1_857_600)
    await tradepost.authentication.flush()
    const { rows } = await sql<{ quota_used: number }>`
      select quota_used from store where hash in (${live.id}, ${side.id})`.execute(tradepost.db)
    expect(rows.map(({ quota_used }) => quota_used)).toEqual([10_000, 10_000])
  })

  test('counts calls that passed authentication: no 401 and 429, but later refusals', async () => {
    const { live } = await storeOn('starter', 0)
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

  test('does not apply on self_hosted', async () => {
    const { live } = await storeOn('self_hosted', 5_000_000)
    const { json } = await tradepost.get('/account', { as: live })
    expect(json.account.api.monthly_quota).toBeNull()
  })

  test('follows a change of the plan with the next call', async () => {
    const { live, side } = await storeOn('self_hosted', 10_000)
    expect(statusesOf(await times(1, live))).toEqual([200])
    const change = async (plan: string) => {
      await updatePlan(tradepost.db, live.id, plan)
      tradepost.app.caches.clear()
    }
    await change('starter')
    expect((await times(1, live))[0]?.json.code).toBe('STORE_API_MONTHLY_QUOTA_EXCEEDED')
    await change('free')
    for (const as of [live, side])
      expect((await times(1, as))[0]).toMatchObject({
        status: 403,
        json: { code: 'STORE_API_NOT_IN_PLAN' },
      })
    await change('growth')
    expect(statusesOf(await times(1, live))).toEqual([200])
  })
})
