import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Failure, TradepostError } from './errors.ts'
import { retryDelay } from './repeat.ts'

const errorWith = (failure: Partial<Failure>) =>
  new TradepostError({
    operation: 'orders.create',
    status: 500,
    code: 'INTERNAL_ERROR',
    message: 'No.',
    ...failure,
  })
const firstAttempt = { attempts: 1, isRepeatable: true, randomFraction: 1 }

const isRepeated = (failure: Partial<Failure>, isRepeatable: boolean) =>
  retryDelay(errorWith(failure), { ...firstAttempt, isRepeatable }) !== undefined

test.each([
  ['a rate limit', { status: 429, code: 'RATE_LIMITED' }],
  ['a first attempt that is still running', { status: 409, code: 'IDEMPOTENCY_IN_PROGRESS' }],
] as const)('every call is repeated after %s', (_, failure) => {
  expect(isRepeated(failure, true)).toBe(true)
  expect(isRepeated(failure, false)).toBe(true)
})

test.each([
  ['a server that restarts', { status: 503, code: 'SERVICE_UNAVAILABLE' }],
  ['a broken connection', { status: 0, code: 'NO_ANSWER' }],
  ['a timeout', { status: 0, code: 'TIMED_OUT' }],
  ['a proxy that cannot reach the server', { status: 502, code: 'UNREADABLE_ANSWER' }],
  ['a proxy whose timeout passed', { status: 504, code: 'UNREADABLE_ANSWER' }],
] as const)('only a repeatable call is repeated after %s', (_, failure) => {
  expect(isRepeated(failure, true)).toBe(true)
  expect(isRepeated(failure, false)).toBe(false)
})

test.each([
  ['an HTML page instead of an answer', { status: 200, code: 'UNREADABLE_ANSWER' }],
  ['a bug of the server', { status: 500, code: 'INTERNAL_ERROR' }],
  ['a refusal', { status: 409, code: 'OUT_OF_STOCK' }],
] as const)('no call is repeated after %s', (_, failure) => {
  expect(isRepeated(failure, true)).toBe(false)
  expect(isRepeated(failure, false)).toBe(false)
})

describe('a call is repeated', () => {
  test('after Retry-After has passed, and at most 8 s later', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 40 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (retryAfter_s, attempts, randomFraction) => {
          const wait_ms = retryDelay(errorWith({ status: 429, retryAfter_s }), {
            attempts,
            randomFraction,
            isRepeatable: false,
          })
          expect(wait_ms).toBeGreaterThan(retryAfter_s * 1_000)
          expect(wait_ms).toBeLessThanOrEqual(retryAfter_s * 1_000 + 8_000)
        },
      ),
    )
  })

  test('after a wait that doubles with each attempt up to 8 s, of which half is random', () => {
    const error = errorWith({ status: 0 })
    const waits = [1, 2, 3, 4, 5, 6, 7].map((attempts) =>
      retryDelay(error, { ...firstAttempt, attempts }),
    )
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000])
    expect(retryDelay(error, { ...firstAttempt, randomFraction: 0 })).toBe(125)
  })

  test('unless the wait would be longer than a minute', () => {
    expect(retryDelay(errorWith({ status: 429, retryAfter_s: 61 }), firstAttempt)).toBeUndefined()
  })
})
