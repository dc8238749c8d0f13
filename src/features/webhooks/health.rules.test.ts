import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../kernel/time.ts'
import { type Health, healthAfter, isTurnedOff } from './health.rules.ts'

const NEVER: Health = { failures_in_row: 0, last_success_at: null }
const failures = (count: number) => Array<boolean>(count).fill(false)

test('an endpoint that never had a success is turned off by its 40th failure, not its 39th', () => {
  const now = Date.UTC(2026, 0, 1)
  expect(isTurnedOff(healthAfter(NEVER, failures(39), now), now)).toBe(false)
  expect(isTurnedOff(healthAfter(NEVER, failures(40), now), now)).toBe(true)
})

test('a success within the past 3 days keeps it on, however many failures follow', () => {
  const good = Date.UTC(2026, 0, 1)
  const after = healthAfter(healthAfter(NEVER, [true], good), failures(1_000), good + HOUR_MS)
  expect(after).toEqual({ failures_in_row: 1_000, last_success_at: good })
  expect(isTurnedOff(after, good + 3 * DAY_MS - 1)).toBe(false)
  expect(isTurnedOff(after, good + 3 * DAY_MS)).toBe(true)
})

test('a success resets the row', () => {
  const now = Date.UTC(2026, 0, 1)
  const after = healthAfter(NEVER, [...failures(39), true, ...failures(39)], now)
  expect(after).toEqual({ failures_in_row: 39, last_success_at: now })
})

test('no outcome changes nothing', () => {
  const before = { failures_in_row: 12, last_success_at: 5 }
  expect(healthAfter(before, [], 99)).toEqual(before)
})

test('it is off exactly if the last 40 attempts failed and none succeeded in 3 days', () => {
  const attempt = fc.record({
    ok: fc.boolean(),
    after: fc.integer({ min: 0, max: 3 * HOUR_MS }),
  })
  const mostlyBad = fc.array(
    fc.oneof(
      { weight: 30, arbitrary: attempt.map((item) => ({ ...item, ok: false })) },
      { weight: 1, arbitrary: attempt },
    ),
    { maxLength: 120 },
  )
  fc.assert(
    fc.property(mostlyBad, (attempts) => {
      let health = NEVER
      let now = Date.UTC(2026, 0, 1)
      const seen: { ok: boolean; at: number }[] = []
      for (const { ok, after } of attempts) {
        now += after
        health = healthAfter(health, [ok], now)
        seen.push({ ok, at: now })
        const last40 = seen.slice(-40)
        const off =
          last40.length === 40 &&
          last40.every((item) => !item.ok) &&
          !seen.some((item) => item.ok && item.at > now - 3 * DAY_MS)
        expect(isTurnedOff(health, now)).toBe(off)
      }
    }),
  )
})
