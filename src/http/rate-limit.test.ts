import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRateLimiter, WINDOW_MS } from './rate-limit.ts'

test('300 calls pass in any minute, the next is refused, and one passes after the stated wait', async () => {
  const limiter = createRateLimiter()
  for (let n = 0; n < 300; n++) expect((await limiter.take(1, 300, n * 10)).allowed).toBe(true)
  const refused = await limiter.take(1, 300, 5_000)
  expect(refused).toEqual({ allowed: false, remaining: 0, reset_at: WINDOW_MS, retry_after_s: 55 })
  const waited = 5_000 + refused.retry_after_s * 1_000
  expect((await limiter.take(1, 300, waited)).allowed).toBe(true)
  expect((await limiter.take(1, 300, waited)).allowed).toBe(false)
})

test('after the clock is set back, no key waits longer than a minute or gets more calls', async () => {
  const limiter = createRateLimiter()
  const [before, after] = [3_600_000, 0]
  for (let n = 0; n < 3; n++) await limiter.take(1, 3, before + n)
  const refused = await limiter.take(1, 3, after)
  expect(refused).toEqual({ allowed: false, remaining: 0, reset_at: WINDOW_MS, retry_after_s: 60 })
  expect((await limiter.take(1, 3, after + WINDOW_MS)).allowed).toBe(true)
})

test('a refused call does not count, so repeats do not prolong the wait', async () => {
  const limiter = createRateLimiter()
  await limiter.take(1, 1, 0)
  for (let at = 1; at < WINDOW_MS; at += 100)
    expect((await limiter.take(1, 1, at)).allowed).toBe(false)
  expect((await limiter.take(1, 1, WINDOW_MS)).allowed).toBe(true)
})

test('a wait is at least a second, in whole seconds', async () => {
  const limiter = createRateLimiter()
  await limiter.take(1, 1, 0)
  expect((await limiter.take(1, 1, WINDOW_MS - 1)).retry_after_s).toBe(1)
  expect((await limiter.take(1, 1, 1)).retry_after_s).toBe(60)
})

test('names are counted separately, and a sweep keeps calls that still count', async () => {
  const limiter = createRateLimiter()
  await limiter.take('a', 1, 0)
  await limiter.take('b', 1, 30_000)
  limiter.sweep(WINDOW_MS)
  expect((await limiter.take('b', 1, WINDOW_MS)).allowed).toBe(false)
  expect((await limiter.take('a', 1, WINDOW_MS)).allowed).toBe(true)
})

test('it decides like a model that stores every call time', async () => {
  const call = fc.record({
    name: fc.constantFrom('a', 'b'),
    after: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 70_000 })),
    sweep: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.array(call, { maxLength: 120 }),
      async (limit, calls) => {
        const limiter = createRateLimiter()
        const kept: Record<string, number[]> = { a: [], b: [] }
        let now = 0
        for (const { name, after, sweep } of calls) {
          now += after
          if (sweep) limiter.sweep(now)
          const moments = (kept[name] ?? []).filter((moment) => moment > now - WINDOW_MS)
          const allowed = moments.length < limit
          if (allowed) moments.push(now)
          kept[name] = moments
          const answer = await limiter.take(name, limit, now)
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
  for (let at = 0; at < 3 * WINDOW_MS; at += 20)
    allowed += (await limiter.take(1, 2_000, at)).allowed ? 1 : 0
  expect(allowed).toBe(6_000)
})
