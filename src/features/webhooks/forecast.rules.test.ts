import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/time.ts'
import { turnOffTime } from './forecast.rules.ts'

const NOW = Date.UTC(2026, 10, 23)
const pendingDeliveries = (count: number, at: number, step = 1) =>
  Array.from({ length: count }, () => ({ at, step }))

test('an endpoint that never succeeded is turned off by its 40th failure in a row', () => {
  const health = { failures_in_row: 30, last_success_at: null }
  expect(turnOffTime(health, pendingDeliveries(10, NOW))).toBe(NOW)
  expect(turnOffTime(health, pendingDeliveries(5, NOW))).toBe(NOW + 5 * MINUTE_MS)
})

test('an endpoint that succeeded recently stays on for three days after its last success', () => {
  const last_success_at = NOW - 3 * DAY_MS + HOUR_MS
  const health = { failures_in_row: 60, last_success_at }
  expect(turnOffTime(health, pendingDeliveries(1, NOW))).toBe(NOW + 2 * HOUR_MS + 35 * MINUTE_MS)
})

test('no time is forecast if the planned attempts do not reach 40 failures', () => {
  expect(
    turnOffTime({ failures_in_row: 0, last_success_at: null }, pendingDeliveries(1, NOW)),
  ).toBeUndefined()
  expect(turnOffTime({ failures_in_row: 39, last_success_at: null }, [])).toBeUndefined()
})
