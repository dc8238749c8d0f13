import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createKey } from '../../src/features/installation/api-keys/index.ts'
import { selectStore } from '../../src/features/installation/stores/index.ts'
import { openRateLimits } from '../../src/http/shared-rate-limit.ts'
import { newApiKey } from '../../src/kernel/api-key.ts'
import { createVault } from '../../src/kernel/vault.ts'
import { createLicenseKey } from '../client-security/prepared-calls.ts'
import { createProgram, newMachine } from '../client-security/program.ts'
import { createSeller } from '../client-security/seller.ts'
import { now_s } from '../clock.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import type { Unavailable } from '../postgres/account.ts'
import { balanced, type Instance, openInstance } from './instances.ts'
import { type RedisServer, redisOrSkip, startRedis } from './server.ts'

let server: RedisServer | Unavailable
let tradepost: Tradepost
let instances: readonly [Instance, Instance]
let redis: Redis

beforeAll(async () => {
  server = await startRedis()
  if ('unavailable' in server) return
  redis = new Redis(server.url)
  tradepost = await openTradepost()
  const { url } = server
  instances = [await openInstance(tradepost, url), await openInstance(tradepost, url)]
})
afterAll(async () => {
  if ('unavailable' in server) return
  await Promise.all(instances.map((instance) => instance.close()))
  redis.disconnect()
  await tradepost.close()
  await server.close()
})
beforeEach(async (context) => {
  redisOrSkip(context, server)
  await redis.flushall()
})

interface AccountCall {
  instance: number
  key: string
  ip?: string
}

async function showAccount({ instance, key, ip = '198.51.100.7' }: AccountCall) {
  const response = await (instances[instance] as Instance).server.inject({
    method: 'GET',
    url: '/v1/account',
    remoteAddress: ip,
    headers: { 'x-api-key': key, 'x-store-hash': tradepost.live.id },
  })
  const headers = response.headers as Record<string, string>
  return { status: response.statusCode, code: response.json().code, headers }
}

/** Makes concurrent calls, half of them at each instance. */
const callConcurrently = (count: number, key: string) =>
  Promise.all(Array.from({ length: count }, (_, n) => showAccount({ instance: n % 2, key })))

const createKeyWithLimit = async (rate_limit: number): Promise<string> =>
  (await tradepost.key({ rate_limit })).api_key ?? ''

const MAKE_OLDER = `
for _, key in ipairs(redis.call('KEYS', '*')) do
  local calls = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
  for n = 1, #calls, 2 do
    redis.call('ZADD', key, string.format('%.0f', calls[n + 1] - ARGV[1]), calls[n])
  end
end`

/** Moves all counted calls into the past, as if this much time had passed. */
const makeCallsOlder = (ms: number) => redis.eval(MAKE_OLDER, 0, ms)

describe('two processes with one Redis', () => {
  test('allow exactly 300 of 360 concurrent calls together, if the limit is 300 a minute (decision 233)', async () => {
    const answers = await callConcurrently(360, await createKeyWithLimit(300))
    const allowed = answers.filter(({ status }) => status === 200)
    expect(allowed).toHaveLength(300)
    const remaining = allowed.map(({ headers }) => Number(headers['x-ratelimit-remaining']))
    expect(remaining.sort((value, other) => value - other)).toEqual(
      Array.from({ length: 300 }, (_, n) => n),
    )
    for (const { status, code, headers } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, code]).toEqual([429, 'RATE_LIMITED'])
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1)
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60)
      expect(headers['x-ratelimit-remaining']).toBe('0')
    }
  })

  test('answer with the time until the oldest call no longer counts, whichever process counted it (decision 31)', async () => {
    const key = await createKeyWithLimit(3)
    await showAccount({ instance: 0, key })
    await makeCallsOlder(20_000)
    await showAccount({ instance: 1, key })
    await makeCallsOlder(10_000)
    const { headers } = await showAccount({ instance: 0, key })
    expect(headers['ratelimit-policy']).toBe('"minute";q=3;w=60')
    expect(headers['x-ratelimit-limit']).toBe('3')
    expect(headers['x-ratelimit-remaining']).toBe('0')
    const [, wait_s = ''] = /^"minute";r=0;t=(\d+)$/.exec(headers.ratelimit ?? '') ?? []
    expect(Number(wait_s)).toBeGreaterThan(0)
    expect(Number(wait_s)).toBeLessThanOrEqual(30)
    const reset = Number(headers['x-ratelimit-reset'])
    expect(reset).toBeLessThanOrEqual(now_s() + 31)
    // Now the oldest call no longer counts, but the others do, so one more call is allowed.
    await makeCallsOlder(30_000)
    const answers = await callConcurrently(4, key)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, headers } of answers) {
      if (status === 429) expect(Number(headers['retry-after'])).toBeLessThanOrEqual(20)
    }
  })

  test('count calls with unknown API keys together for each address, and do not count calls with a known key (decision 31)', async () => {
    const [unknownKey, ip] = [newApiKey('store', true), '198.51.100.9']
    const limiters = instances.map(({ authentication }) => authentication.auth.unknownKeys)
    for (let n = 0; n < 998; n++) await limiters[n % 2]?.count(ip, 1_000, Date.now())
    for (const instance of [0, 1]) {
      expect((await showAccount({ instance, ip, key: await createKeyWithLimit(5) })).status).toBe(
        200,
      )
      expect((await showAccount({ instance, ip, key: unknownKey })).code).toBe('INVALID_API_KEY')
    }
    for (const instance of [0, 1]) {
      const answer = await showAccount({ instance, ip, key: unknownKey })
      expect(answer).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
  })

  test('share the rate limit of an API key of the Client Security API (decision 233)', async () => {
    const store = await selectStore(tradepost.db, tradepost.live.id)
    if (!store) throw new Error('There is no store.')
    const { account_id, livemode, id } = store
    const fields = { kind: 'security' as const, store_ids: [id], rate_limit: 4 }
    const { key } = await createKey(tradepost.app, { account_id, livemode, ...fields })
    const balancer = balanced(tradepost, instances)
    const statuses = await Promise.all(
      Array.from({ length: 7 }, async () => {
        const headers = { authorization: `Bearer ${key}` }
        const url = '/security/v1/apps'
        return (await balancer.server.inject({ method: 'GET', url, headers })).statusCode
      }),
    )
    expect(statuses.sort()).toEqual([200, 200, 200, 200, 429, 429, 429])
  })
})

describe('client programs at two processes', () => {
  const LIMITS = { unknown_keys: 3, unknown_tokens: 3, session_starts: 3, validations: 5 }

  async function createLimitedProgram(rate_limits: Json) {
    const seller = await createSeller(tradepost)
    const app = await createProgram(balanced(tradepost, instances), seller, { rate_limits })
    const { key } = await createLicenseKey(seller, { app_id: app.appId })
    return { app, key }
  }

  test('share the limits of their address for unknown tokens and unknown license keys (decision 118)', async () => {
    const { app, key } = await createLimitedProgram(LIMITS)
    const statusesOf = async (count: number, call: () => Promise<{ status: number }>) => {
      const results = []
      for (let n = 0; n < count; n++) results.push((await call()).status)
      return results
    }
    const validate = (license_key: string) =>
      app.call('POST', '/validate', { body: { license_key } })
    const unknownToken = 'A'.repeat(43)
    const readSettings = () => app.call('GET', '/settings', { token: unknownToken })
    expect(await statusesOf(5, readSettings)).toEqual([401, 401, 401, 429, 429])
    expect(await statusesOf(2, () => validate(key))).toEqual([200, 200])
    expect(await statusesOf(5, () => validate('WRONG'))).toEqual([200, 200, 200, 429, 429])
    expect(await statusesOf(2, () => validate(key))).toEqual([429, 429])
  })

  test('share the limit of calls of a session (decision 118)', async () => {
    const { app, key } = await createLimitedProgram({ session_calls: 4 })
    const { session } = await app.start({ license_key: key, device: newMachine() })
    const calls = Array.from({ length: 9 }, () =>
      app.call('GET', '/settings', { token: session.token }),
    )
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 200, 200, 200, 429, 429, 429, 429, 429])
  })
})

describe('a counter in Redis', () => {
  test('has at most as many elements as the limit, expires within a minute, and contains no key and no address (decision 233)', async () => {
    const key = await createKeyWithLimit(5)
    await callConcurrently(20, key)
    const names = await redis.keys('*')
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) {
      expect(name).toMatch(/^tradepost:[\w-]{22}:calls:([\w-]{22}|probe)$/)
      expect(await redis.zcard(name)).toBeLessThanOrEqual(5)
      expect(await redis.pttl(name)).toBeGreaterThan(0)
      expect(await redis.pttl(name)).toBeLessThanOrEqual(60_000)
    }
  })

  test('is separate for each installation (decision 233)', async () => {
    const vault = createVault([randomBytes(32)], randomBytes(32))
    const { redisUrl } = instances[0].app.config
    const otherInstallation = openRateLimits({ redisUrl, vault, log: tradepost.app.log })
    await otherInstallation.opened
    const limiter = instances[0].authentication.rateLimits.open('calls')
    expect((await limiter.count(1, 1, 0)).allowed).toBe(true)
    expect((await limiter.count(1, 1, 0)).allowed).toBe(false)
    expect((await otherInstallation.open('calls').count(1, 1, 0)).allowed).toBe(true)
    otherInstallation.close()
  })

  test('delays no call longer than a minute if the clock of Redis is set back (decision 112)', async () => {
    const key = await createKeyWithLimit(3)
    await callConcurrently(3, key)
    await makeCallsOlder(-3_600_000)
    const refused = await showAccount({ instance: 1, key })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    await makeCallsOlder(60_000)
    expect((await showAccount({ instance: 0, key })).status).toBe(200)
  })

  test('no longer counts a call that was undone, and still counts the others', async () => {
    const limiter = instances[0].authentication.rateLimits.open('test')
    const first = await limiter.count('a', 2, 0)
    await limiter.count('a', 2, 0)
    const refused = await limiter.count('a', 2, 0)
    expect(refused).toMatchObject({ allowed: false, remaining: 0, call: undefined })
    await limiter.undo('a', refused)
    expect((await limiter.peek('a', 2, 0)).remaining).toBe(0)
    await limiter.undo('a', first)
    expect(await limiter.peek('a', 2, 0)).toMatchObject({ allowed: true, remaining: 1 })
  })
})
