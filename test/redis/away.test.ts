import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTradepost, type Tradepost } from '../harness.ts'
import { type Instance, openInstance } from './instances.ts'
import { type RedisServer, redisOrSkip, startRedis } from './server.ts'

let tradepost: Tradepost
beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const LIMIT = 4

interface Scene {
  redis: RedisServer
  instances: readonly [Instance, Instance]
  /** The statuses of `calls` calls at each instance, in turns. */
  call(calls: number): Promise<number[]>
  counting(): Promise<string[]>
  /** Waits until both instances count in this way. */
  until(how: 'shared' | 'per_process'): Promise<void>
  /** Lines of the log, by their texts. */
  logged(text: string): unknown[]
}

async function withInstances(
  redis: RedisServer,
  deadline_ms: number | undefined,
  work: (scene: Scene) => Promise<void>,
) {
  const lines: { msg: string }[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const logging = { ...tradepost, app: { ...tradepost.app, log } }
  const instances = [
    await openInstance(logging, redis.url, deadline_ms),
    await openInstance(logging, redis.url, deadline_ms),
  ] as const
  const { api_key = '' } = await tradepost.key({ rate_limit: LIMIT })
  const headers = { 'x-api-key': api_key, 'x-store-hash': tradepost.live.id }
  const counting = () =>
    Promise.all(
      instances.map(async ({ server }) => {
        const answer = await server.inject('/readyz')
        expect(answer.json()).toMatchObject({ status: 'ready' })
        expect(answer.statusCode).toBe(200)
        return answer.json().rate_limits
      }),
    )
  try {
    await work({
      redis,
      instances,
      counting,
      async call(calls) {
        const statuses = []
        for (let n = 0; n < calls; n++) {
          for (const { server } of instances) {
            statuses.push((await server.inject({ url: '/v1/account', headers })).statusCode)
          }
        }
        return statuses
      },
      async until(how) {
        while ((await counting()).some((counted) => counted !== how)) await pause(20)
      },
      logged: (text) => lines.filter(({ msg }) => msg.startsWith(text)),
    })
  } finally {
    for (const instance of instances) await instance.close()
  }
}

const shared = [...Array(LIMIT).fill(200), ...Array(LIMIT).fill(429)]
const alone = [...Array(2 * LIMIT).fill(200), 429, 429]

test('while Redis is stopped each process counts for itself, and then they share again (decision 233)', async (context) => {
  const redis = redisOrSkip(context, await startRedis())
  try {
    await withInstances(redis, undefined, async ({ call, counting, until, logged }) => {
      await until('shared')
      expect(await call(LIMIT)).toEqual(shared)

      await redis.stop()
      expect(await call(LIMIT + 1)).toEqual(alone)
      expect(await counting()).toEqual(['per_process', 'per_process'])
      // Once for each of the two, and never with the password of the address.
      const lines = logged('Redis does not answer')
      expect(lines).toHaveLength(2)
      expect(JSON.stringify(lines)).not.toContain('not-for-logs')

      await redis.start()
      await until('shared')
      expect(await call(LIMIT)).toEqual(shared)
      expect(logged('Redis answers again')).toHaveLength(2)
    })
  } finally {
    await redis.close()
  }
})

test('a Redis that takes calls and does not answer delays no call (decision 233)', async (context) => {
  const redis = redisOrSkip(context, await startRedis())
  try {
    await withInstances(redis, 100, async ({ call, counting, until }) => {
      await until('shared')
      redis.freeze()
      expect(await call(LIMIT + 1)).toEqual(alone)
      expect(await counting()).toEqual(['per_process', 'per_process'])
      redis.resume()
      await until('shared')
    })
  } finally {
    redis.resume()
    await redis.close()
  }
})

test('a process that finds no Redis starts, counts for itself, and shares once Redis is there (decision 233)', async (context) => {
  const redis = redisOrSkip(context, await startRedis())
  await redis.stop()
  try {
    await withInstances(redis, undefined, async ({ call, counting, until }) => {
      expect(await counting()).toEqual(['per_process', 'per_process'])
      expect(await call(LIMIT + 1)).toEqual(alone)
      await redis.start()
      await until('shared')
      expect(await call(LIMIT)).toEqual(shared)
    })
  } finally {
    await redis.close()
  }
})
