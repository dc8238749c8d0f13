import { expect, test } from 'vitest'
import { redisOrSkip, startRedis } from '../redis/server.ts'
import { until } from '../until.ts'
import { createMigratedInstallation } from './spawn-server.ts'

test('a process whose Redis stops reports the fault in its log and /readyz, and continues (decision 233)', async (context) => {
  const redis = redisOrSkip(context, await startRedis())
  const installation = await createMigratedInstallation({
    TRADEPOST_REDIS_URL: redis.url,
    LOG_LEVEL: 'info',
  })
  try {
    const server = await installation.start()
    const { origin, live } = server
    const headers = { 'x-api-key': live.api_key ?? '', 'x-store-hash': live.id }
    const rateLimits = async () => {
      const answer = await fetch(`${origin}/readyz`)
      expect(answer.status).toBe(200)
      return ((await answer.json()) as { rate_limits: string }).rate_limits
    }
    const untilRateLimits = (mode: string) => until(async () => (await rateLimits()) === mode)
    await untilRateLimits('shared')

    await redis.stop()
    expect((await fetch(`${origin}/v1/account`, { headers })).status).toBe(200)
    await untilRateLimits('per_process')
    expect(server.stdout()).toContain('"msg":"Redis does not answer')
    await redis.start()
    await untilRateLimits('shared')
    expect(server.stdout()).toContain('"msg":"Redis answers again')
    expect(server.stdout() + server.stderr()).not.toContain('not-for-logs')

    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
  } finally {
    await installation.close()
    await redis.close()
  }
})
