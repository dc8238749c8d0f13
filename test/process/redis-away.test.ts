import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { redisOrSkip, startRedis } from '../redis/server.ts'
import { createMigratedInstallation } from './spawn-server.ts'

test('a program whose Redis goes away says so in its log and /readyz, serves on, and ends as usual (decision 233)', async (context) => {
  const redis = redisOrSkip(context, await startRedis())
  const installation = await createMigratedInstallation({
    TRADEPOST_REDIS_URL: redis.url,
    LOG_LEVEL: 'info',
  })
  try {
    const server = await installation.start()
    const { origin, live } = server
    const headers = { 'x-api-key': live.api_key ?? '', 'x-store-hash': live.id }
    const counting = async () => {
      const answer = await fetch(`${origin}/readyz`)
      expect(answer.status).toBe(200)
      return ((await answer.json()) as { rate_limits: string }).rate_limits
    }
    const until = async (how: string) => {
      while ((await counting()) !== how) await pause(20)
    }
    await until('shared')

    await redis.stop()
    expect((await fetch(`${origin}/v1/account`, { headers })).status).toBe(200)
    await until('per_process')
    expect(server.stdout()).toContain('"msg":"Redis does not answer')
    await redis.start()
    await until('shared')
    expect(server.stdout()).toContain('"msg":"Redis answers again')
    expect(server.stdout() + server.stderr()).not.toContain('not-for-logs')

    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
  } finally {
    await installation.close()
    await redis.close()
  }
})
