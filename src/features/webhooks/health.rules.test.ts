import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../kernel/time.ts'
import { type Health, healthAfter, shouldTurnOff } from './health.rules.ts'

const NEVER: Health = { failures_in_row: 0, last_success_at: null }
const failures = (count: number) => Array<boolean>(count).fill(false)

test('an endpoint that never had a success is turned off by its 40th failure, not its 39th', () => {
  const now = Date.UTC(2026, 0, 1)
  expect(shouldTurnOff(healthAfter(NEVER, failures(39), now), now)).toBe(false)
  expect(shouldTurnOff(healthAfter(NEVER, failures(40), now), now)).toBe(true)
})

test('a success within the past 3 days keeps an endpoint on, however many failures follow', () => {
  const successAt = Date.UTC(2026, 0, 1)
  const afterSuccess = healthAfter(NEVER, [true], successAt)
  const health = healthAfter(afterSuccess, failures(1_000), successAt + HOUR_MS)
  expect(health).toEqual({ failures_in_row: 1_000, last_success_at: successAt })
  expect(shouldTurnOff(health, successAt + 3 * DAY_MS - 1)).toBe(false)
  expect(shouldTurnOff(health, successAt + 3 * DAY_MS)).toBe(true)
})

test('a success resets the count of failures in a row', () => {
  const now = Date.UTC(2026, 0, 1)
  const health = healthAfter(NEVER, [...failures(39), true, ...failures(39)], now)
  expect(health).toEqual({ failures_in_row: 39, last_success_at: now })
})

test('an empty list of outcomes keeps the health of an endpoint', () => {
  const health = { failures_in_row: 12, last_success_at: 5 }
  expect(healthAfter(health, [], 99)).toEqual(health)
})

test('an endpoint is off exactly if the last 40 attempts failed and none succeeded in 3 days', () => {
  const attempt = fc.record({
    ok: fc.boolean(),
    delay_ms: fc.integer({ min: 0, max: 3 * HOUR_MS }),
  })
  const mostlyFailures = fc.array(
    fc.oneof(
      { weight: 30, arbitrary: attempt.map((item) => ({ ...item, ok: false })) },
      { weight: 1, arbitrary: attempt },
    ),
    { maxLength: 120 },
  )
  fc.assert(
    fc.property(mostlyFailures, (attempts) => {
      let health = NEVER
      let now = Date.UTC(2026, 0, 1)
      const outcomes: { ok: boolean; at: number }[] = []
      for (const { ok, delay_ms } of attempts) {
        now += delay_ms
        health = healthAfter(health, [ok], now)
        outcomes.push({ ok, at: now })
        const last40 = outcomes.slice(-40)
        const isOff =
          last40.length === 40 &&
          last40.every((item) => !item.ok) &&
          !outcomes.some((item) => item.ok && item.at > now - 3 * DAY_MS)
        expect(shouldTurnOff(health, now)).toBe(isOff)
      }
    }),
  )
})
