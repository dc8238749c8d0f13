import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRateLimiter, WINDOW_MS } from './rate-limit.ts'

test('300 calls pass in any minute, the next is refused, and one passes after the stated wait', async () => {
  const limiter = createRateLimiter()
  for (let n = 0; n < 300; n++) expect((await limiter.count(1, 300, n * 10)).allowed).toBe(true)
  const refused = await limiter.count(1, 300, 5_000)
  expect(refused).toEqual({ allowed: false, remaining: 0, reset_at: WINDOW_MS, retry_after_s: 55 })
  const afterWait = 5_000 + refused.retry_after_s * 1_000
  expect((await limiter.count(1, 300, afterWait)).allowed).toBe(true)
  expect((await limiter.count(1, 300, afterWait)).allowed).toBe(false)
})

test('after the clock is set back, no key waits longer than a minute or gets more calls', async () => {
  const limiter = createRateLimiter()
  const [initialTime, earlierTime] = [3_600_000, 0]
  for (let n = 0; n < 3; n++) await limiter.count(1, 3, initialTime + n)
  const refused = await limiter.count(1, 3, earlierTime)
  expect(refused).toEqual({ allowed: false, remaining: 0, reset_at: WINDOW_MS, retry_after_s: 60 })
  expect((await limiter.count(1, 3, earlierTime + WINDOW_MS)).allowed).toBe(true)
})

test('a refused call does not count, so repeats do not prolong the wait', async () => {
  const limiter = createRateLimiter()
  await limiter.count(1, 1, 0)
  for (let now = 1; now < WINDOW_MS; now += 100)
    expect((await limiter.count(1, 1, now)).allowed).toBe(false)
  expect((await limiter.count(1, 1, WINDOW_MS)).allowed).toBe(true)
})

test('retry_after_s is a whole number of seconds, at least 1', async () => {
  const limiter = createRateLimiter()
  await limiter.count(1, 1, 0)
  expect((await limiter.count(1, 1, WINDOW_MS - 1)).retry_after_s).toBe(1)
  expect((await limiter.count(1, 1, 1)).retry_after_s).toBe(60)
})

test('names are counted separately, and a sweep keeps the calls of the last minute', async () => {
  const limiter = createRateLimiter()
  await limiter.count('a', 1, 0)
  await limiter.count('b', 1, 30_000)
  limiter.sweep(WINDOW_MS)
  expect((await limiter.count('b', 1, WINDOW_MS)).allowed).toBe(false)
  expect((await limiter.count('a', 1, WINDOW_MS)).allowed).toBe(true)
})

test('the limiter decides like a model that stores the time of every call', async () => {
  const call = fc.record({
    name: fc.constantFrom('a', 'b'),
    delay_ms: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 70_000 })),
    sweep: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.array(call, { maxLength: 120 }),
      async (limit, calls) => {
        const limiter = createRateLimiter()
        const callTimes: Record<string, number[]> = { a: [], b: [] }
        let now = 0
        for (const { name, delay_ms, sweep } of calls) {
          now += delay_ms
          if (sweep) limiter.sweep(now)
          const moments = (callTimes[name] ?? []).filter((moment) => moment > now - WINDOW_MS)
          const allowed = moments.length < limit
          if (allowed) moments.push(now)
          callTimes[name] = moments
          const answer = await limiter.count(name, limit, now)
          expect(answer.allowed).toBe(allowed)
          expect(answer.remaining).toBe(limit - moments.length)
          expect(answer.reset_at).toBe((moments[0] ?? now) + WINDOW_MS)
        }
      },
    ),
  )
})

test('thousands of calls in a window are counted one by one', async () => {
  const limiter = createRateLimiter()
  let allowed = 0
  for (let now = 0; now < 3 * WINDOW_MS; now += 20)
    allowed += (await limiter.count(1, 2_000, now)).allowed ? 1 : 0
  expect(allowed).toBe(6_000)
})
