import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createKey } from '../../src/features/installation/api-keys/index.ts'
import { selectStore } from '../../src/features/installation/stores/index.ts'
import { openRateLimits } from '../../src/http/shared-rate-limit.ts'
import { newApiKey } from '../../src/kernel/api-key.ts'
import { createVault } from '../../src/kernel/vault.ts'
import { machine, programOf } from '../client-security/program.ts'
import { sellerAt } from '../client-security/seller.ts'
import { aKey } from '../client-security/walks.ts'
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

interface Called {
  instance: number
  key: string
  ip?: string
}

async function account({ instance, key, ip = '198.51.100.7' }: Called) {
  const response = await (instances[instance] as Instance).server.inject({
    method: 'GET',
    url: '/v1/account',
    remoteAddress: ip,
    headers: { 'x-api-key': key, 'x-store-hash': tradepost.live.id },
  })
  const headers = response.headers as Record<string, string>
  return { status: response.statusCode, code: response.json().code, headers }
}

/** Calls at both instances at once, in turns. */
const rush = (calls: number, key: string) =>
  Promise.all(Array.from({ length: calls }, (_, n) => account({ instance: n % 2, key })))

const keyOf = async (rate_limit: number): Promise<string> =>
  (await tradepost.key({ rate_limit })).api_key ?? ''

const FORWARD = `
for _, key in ipairs(redis.call('KEYS', '*')) do
  local calls = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
  for n = 1, #calls, 2 do
    redis.call('ZADD', key, string.format('%.0f', calls[n + 1] - ARGV[1]), calls[n])
  end
end`

/** Makes all counted calls older, as time does. */
const forward = (ms: number) => redis.eval(FORWARD, 0, ms)

describe('two processes with one Redis', () => {
  test('share 300 calls a minute exactly, however many come at once (decision 233)', async () => {
    const answers = await rush(360, await keyOf(300))
    const allowed = answers.filter(({ status }) => status === 200)
    expect(allowed).toHaveLength(300)
    const remaining = allowed.map(({ headers }) => Number(headers['x-ratelimit-remaining']))
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, n) => n))
    for (const { status, code, headers } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, code]).toEqual([429, 'RATE_LIMITED'])
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1)
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60)
      expect(headers['x-ratelimit-remaining']).toBe('0')
    }
  })

  test('say in the headers when the oldest counted call leaves, whichever counted it (decision 31)', async () => {
    const key = await keyOf(3)
    await account({ instance: 0, key })
    await forward(20_000)
    await account({ instance: 1, key })
    await forward(10_000)
    const { headers } = await account({ instance: 0, key })
    expect(headers['ratelimit-policy']).toBe('"minute";q=3;w=60')
    expect(headers['x-ratelimit-limit']).toBe('3')
    expect(headers['x-ratelimit-remaining']).toBe('0')
    const [, left = ''] = /^"minute";r=0;t=(\d+)$/.exec(headers.ratelimit ?? '') ?? []
    expect(Number(left)).toBeGreaterThan(0)
    expect(Number(left)).toBeLessThanOrEqual(30)
    const reset = Number(headers['x-ratelimit-reset'])
    expect(reset).toBeLessThanOrEqual(Math.ceil(Date.now() / 1_000) + 30)
    // Only the oldest call leaves, so one more is allowed.
    await forward(30_000)
    const answers = await rush(4, key)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, headers } of answers) {
      if (status === 429) expect(Number(headers['retry-after'])).toBeLessThanOrEqual(20)
    }
  })

  test('share the unknown keys of an address, and a known key does not count (decision 31)', async () => {
    const [wrong, ip] = [newApiKey('store', true), '198.51.100.9']
    const limiters = instances.map(({ authentication }) => authentication.auth.strangers)
    for (let n = 0; n < 998; n++) await limiters[n % 2]?.take(ip, 1_000, Date.now())
    for (const instance of [0, 1]) {
      expect((await account({ instance, ip, key: await keyOf(5) })).status).toBe(200)
      expect((await account({ instance, ip, key: wrong })).code).toBe('INVALID_API_KEY')
    }
    for (const instance of [0, 1]) {
      const answer = await account({ instance, ip, key: wrong })
      expect(answer).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
  })

  test('share the limit of a key of the Client Security API (decision 233)', async () => {
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

  async function program(rate_limits: Json) {
    const seller = await sellerAt(tradepost)
    const app = await programOf(balanced(tradepost, instances), seller, { rate_limits })
    const { key } = await aKey(seller, { app_id: app.appId })
    return { app, key }
  }

  test('share the budgets of their address (decision 118)', async () => {
    const { app, key } = await program(LIMITS)
    const statuses = async (calls: number, call: () => Promise<{ status: number }>) => {
      const answers = []
      for (let n = 0; n < calls; n++) answers.push((await call()).status)
      return answers
    }
    const validate = (license_key: string) =>
      app.call('POST', '/validate', { body: { license_key } })
    const token = 'A'.repeat(43)
    const settings = () => app.call('GET', '/settings', { token })
    expect(await statuses(5, settings)).toEqual([401, 401, 401, 429, 429])
    expect(await statuses(2, () => validate(key))).toEqual([200, 200])
    expect(await statuses(5, () => validate('WRONG'))).toEqual([200, 200, 200, 429, 429])
    expect(await statuses(2, () => validate(key))).toEqual([429, 429])
  })

  test('share the calls of a session (decision 118)', async () => {
    const { app, key } = await program({ session_calls: 4 })
    const { session } = await app.start({ license_key: key, device: machine() })
    const calls = Array.from({ length: 9 }, () =>
      app.call('GET', '/settings', { token: session.token }),
    )
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 200, 200, 200, 429, 429, 429, 429, 429])
  })
})

describe('the records in Redis', () => {
  test('is bounded by the limit, expires automatically, and names no key or address (decision 234)', async () => {
    const key = await keyOf(5)
    await rush(20, key)
    const names = await redis.keys('*')
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) {
      expect(name).toMatch(/^tradepost:[\w-]{22}:calls:([\w-]{22}|probe)$/)
      expect(await redis.zcard(name)).toBeLessThanOrEqual(5)
      expect(await redis.pttl(name)).toBeGreaterThan(0)
      expect(await redis.pttl(name)).toBeLessThanOrEqual(60_000)
    }
  })

  test('is separate for another installation (decision 234)', async () => {
    const vault = createVault([randomBytes(32)], randomBytes(32))
    const { redisUrl } = instances[0].app.config
    const elsewhere = openRateLimits({ redisUrl, vault, log: tradepost.app.log })
    await elsewhere.opened
    const here = instances[0].authentication.rateLimits.open('calls')
    expect((await here.take(1, 1, 0)).allowed).toBe(true)
    expect((await here.take(1, 1, 0)).allowed).toBe(false)
    expect((await elsewhere.open('calls').take(1, 1, 0)).allowed).toBe(true)
    elsewhere.close()
  })

  test('delays no call longer than a minute if the clock of Redis is put back (decision 112)', async () => {
    const key = await keyOf(3)
    await rush(3, key)
    await forward(-3_600_000)
    const refused = await account({ instance: 1, key })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    await forward(60_000)
    expect((await account({ instance: 0, key })).status).toBe(200)
  })

  test('loses a call that was taken back, and no other one', async () => {
    const limiter = instances[0].authentication.rateLimits.open('test')
    const first = await limiter.take('a', 2, 0)
    await limiter.take('a', 2, 0)
    const refused = await limiter.take('a', 2, 0)
    expect(refused).toMatchObject({ allowed: false, remaining: 0, call: undefined })
    await limiter.giveBack('a', refused)
    expect((await limiter.look('a', 2, 0)).remaining).toBe(0)
    await limiter.giveBack('a', first)
    expect(await limiter.look('a', 2, 0)).toMatchObject({ allowed: true, remaining: 1 })
  })
})
