import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Failure, TradepostError } from './errors.ts'
import { waitBefore } from './repeat.ts'

const failed = (failure: Partial<Failure>) =>
  new TradepostError({
    operation: 'orders.create',
    status: 500,
    code: 'INTERNAL_ERROR',
    message: 'No.',
    ...failure,
  })
const first = { tries: 1, isRepeatable: true, chance: 1 }

describe('a repeat', () => {
  test.each([
    ['a rate limit', { status: 429, code: 'RATE_LIMITED' }, true, true],
    [
      'a first attempt that is still running',
      { status: 409, code: 'IDEMPOTENCY_IN_PROGRESS' },
      true,
      true,
    ],
    ['a shop that restarts', { status: 503, code: 'SERVICE_UNAVAILABLE' }, true, false],
    ['a broken connection', { status: 0, code: 'NO_ANSWER' }, true, false],
    ['a time-out', { status: 0, code: 'TIMED_OUT' }, true, false],
    ['a proxy without a shop', { status: 502, code: 'UNREADABLE_ANSWER' }, true, false],
    ['a proxy that waited', { status: 504, code: 'UNREADABLE_ANSWER' }, true, false],
    ['an HTML page instead of an answer', { status: 200, code: 'UNREADABLE_ANSWER' }, false, false],
    ['a bug of the shop', { status: 500, code: 'INTERNAL_ERROR' }, false, false],
    ['a refusal', { status: 409, code: 'OUT_OF_STOCK' }, false, false],
  ] as const)('after %s', (_, failure, repeatable, always) => {
    const error = failed(failure)
    expect(waitBefore(error, first) !== undefined).toBe(repeatable)
    expect(waitBefore(error, { ...first, isRepeatable: false }) !== undefined).toBe(always)
  })

  test('never comes before Retry-After, nor later than 8 s after it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 40 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (retryAfter_s, tries, chance) => {
          const wait_ms = waitBefore(failed({ status: 429, retryAfter_s }), {
            tries,
            chance,
            isRepeatable: false,
          })
          expect(wait_ms).toBeGreaterThan(retryAfter_s * 1_000)
          expect(wait_ms).toBeLessThanOrEqual(retryAfter_s * 1_000 + 8_000)
        },
      ),
    )
  })

  test('waits up to twice as long each time, and at least half of that', () => {
    const error = failed({ status: 0 })
    const waits = [1, 2, 3, 4, 5, 6, 7].map((tries) => waitBefore(error, { ...first, tries }))
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000])
    expect(waitBefore(error, { ...first, chance: 0 })).toBe(125)
  })

  test('is left to the caller if the wait is longer than a minute', () => {
    expect(waitBefore(failed({ status: 429, retryAfter_s: 61 }), first)).toBeUndefined()
  })
})
