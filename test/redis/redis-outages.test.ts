import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTradepost, type Tradepost } from '../harness.ts'
import { until } from '../until.ts'
import { type Instance, openInstance } from './instances.ts'
import { type RedisServer, redisOrSkip, startRedis } from './server.ts'

let tradepost: Tradepost
beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

/** The rate limit of the API key. */
const LIMIT = 4

interface Setup {
  /** Calls each instance this many times, alternately. Returns the statuses. */
  call(count: number): Promise<number[]>
  /** Returns how each instance counts calls, as /readyz reports. */
  rateLimits(): Promise<string[]>
  /** Waits until both instances count calls together. */
  untilShared(): Promise<void>
  /** Returns the lines of the log that begin with this text. */
  logLines(text: string): unknown[]
}

async function withInstances(
  redis: RedisServer,
  deadline_ms: number | undefined,
  work: (setup: Setup) => Promise<void>,
) {
  const lines: { msg: string }[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const loggingTradepost = { ...tradepost, app: { ...tradepost.app, log } }
  const instances = [
    await openInstance(loggingTradepost, redis.url, deadline_ms),
    await openInstance(loggingTradepost, redis.url, deadline_ms),
  ] as const
  const { api_key = '' } = await tradepost.key({ rate_limit: LIMIT })
  const headers = { 'x-api-key': api_key, 'x-store-hash': tradepost.live.id }
  const rateLimits = () =>
    Promise.all(
      instances.map(async ({ server }: Instance) => {
        const answer = await server.inject('/readyz')
        expect(answer.json()).toMatchObject({ status: 'ready' })
        expect(answer.statusCode).toBe(200)
        return answer.json().rate_limits
      }),
    )
  try {
    await work({
      rateLimits,
      async call(count) {
        const statuses = []
        for (let n = 0; n < count; n++) {
          for (const { server } of instances) {
            statuses.push((await server.inject({ url: '/v1/account', headers })).statusCode)
          }
        }
        return statuses
      },
      untilShared: () => until(async () => (await rateLimits()).every((mode) => mode === 'shared')),
      logLines: (text) => lines.filter(({ msg }) => msg.startsWith(text)),
    })
  } finally {
    for (const instance of instances) await instance.close()
  }
}

/** The statuses if both instances count together, after LIMIT calls at each. */
const SHARED_STATUSES = [...Array(LIMIT).fill(200), ...Array(LIMIT).fill(429)]
/** The statuses if each instance counts its own calls, after LIMIT + 1 calls at each. */
const SEPARATE_STATUSES = [...Array(2 * LIMIT).fill(200), 429, 429]

test('each process counts its own calls while Redis is stopped, and both count together again afterwards (decision 233)', async (context) => {
  const redis = redisOrSkip(context, await startRedis())
  try {
    await withInstances(redis, undefined, async ({ call, rateLimits, untilShared, logLines }) => {
      await untilShared()
      expect(await call(LIMIT)).toEqual(SHARED_STATUSES)

      // On a slow machine, an instance may log both lines once while it starts.
      const outagesBefore = logLines('Redis does not answer').length
      const returnsBefore = logLines('Redis answers again').length
      await redis.stop()
      expect(await call(LIMIT + 1)).toEqual(SEPARATE_STATUSES)
      expect(await rateLimits()).toEqual(['per_process', 'per_process'])
      // Each instance logs one line, without the password of the address.
      const lines = logLines('Redis does not answer')
      expect(lines).toHaveLength(outagesBefore + 2)
      expect(JSON.stringify(lines)).not.toContain('not-for-logs')

      await redis.start()
      await untilShared()
      expect(await call(LIMIT)).toEqual(SHARED_STATUSES)
      expect(logLines('Redis answers again')).toHaveLength(returnsBefore + 2)
    })
  } finally {
    await redis.close()
  }
})

test('each process counts its own calls while Redis accepts connections and does not answer (decision 233)', async (context) => {
  const redis = redisOrSkip(context, await startRedis())
  try {
    await withInstances(redis, 100, async ({ call, rateLimits, untilShared }) => {
      await untilShared()
      redis.freeze()
      expect(await call(LIMIT + 1)).toEqual(SEPARATE_STATUSES)
      expect(await rateLimits()).toEqual(['per_process', 'per_process'])
      redis.resume()
      await untilShared()
    })
  } finally {
    redis.resume()
    await redis.close()
  }
})

test('a process that starts before Redis counts its own calls, and counts with others once Redis has started (decision 233)', async (context) => {
  const redis = redisOrSkip(context, await startRedis())
  await redis.stop()
  try {
    await withInstances(redis, undefined, async ({ call, rateLimits, untilShared }) => {
      expect(await rateLimits()).toEqual(['per_process', 'per_process'])
      expect(await call(LIMIT + 1)).toEqual(SEPARATE_STATUSES)
      await redis.start()
      await untilShared()
      expect(await call(LIMIT)).toEqual(SHARED_STATUSES)
    })
  } finally {
    await redis.close()
  }
})
