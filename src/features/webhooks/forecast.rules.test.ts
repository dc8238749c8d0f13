import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/time.ts'
import { turnOffTime } from './forecast.rules.ts'

const NOW = Date.UTC(2026, 10, 23)
const pending = (count: number, at: number, step = 1) =>
  Array.from({ length: count }, () => ({ at, step }))

test('an endpoint that never answered is turned off by its 40th failure in a row', () => {
  const health = { failures_in_row: 30, last_success_at: null }
  expect(turnOffTime(health, pending(10, NOW))).toBe(NOW)
  expect(turnOffTime(health, pending(5, NOW))).toBe(NOW + 5 * MINUTE_MS)
})

test('one that answered lately keeps three days', () => {
  const last_success_at = NOW - 3 * DAY_MS + HOUR_MS
  const health = { failures_in_row: 60, last_success_at }
  expect(turnOffTime(health, pending(1, NOW))).toBe(NOW + 2 * HOUR_MS + 35 * MINUTE_MS)
})

test('the planned attempts may not suffice', () => {
  expect(
    turnOffTime({ failures_in_row: 0, last_success_at: null }, pending(1, NOW)),
  ).toBeUndefined()
  expect(turnOffTime({ failures_in_row: 39, last_success_at: null }, [])).toBeUndefined()
})
