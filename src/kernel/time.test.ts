import { expect, test } from 'vitest'
import {
  DAY_MS,
  HOUR_MS,
  iso,
  MINUTE_MS,
  monthOf,
  parseDuration,
  startOfNextMonth,
} from './time.ts'

test.each([
  ['45s', 45_000],
  ['90m', 90 * MINUTE_MS],
  ['12h', 12 * HOUR_MS],
  ['3d', 3 * DAY_MS],
  ['0s', 0],
])('%s is a duration of %i ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

test.each(['', '5', 's', '-1h', '1.5h', '1 h', '1H', '1w', '1h30m', '1h ', '9999999999s'])(
  '"%s" is not a duration',
  (text) => {
    expect(parseDuration(text)).toBeUndefined()
  },
)

test('a moment is written in UTC with milliseconds and Z', () => {
  expect(iso(0)).toBe('1970-01-01T00:00:00.000Z')
  expect(iso(Date.UTC(2026, 1, 3, 4, 5, 6, 7))).toBe('2026-02-03T04:05:06.007Z')
})

test('a month ends at midnight UTC, also in December', () => {
  const endOfYear = Date.UTC(2026, 11, 31, 23, 59, 59, 999)
  expect(monthOf(endOfYear)).toBe('2026-12')
  expect(monthOf(endOfYear + 1)).toBe('2027-01')
  expect(startOfNextMonth(endOfYear)).toBe(endOfYear + 1)
  expect(iso(startOfNextMonth(endOfYear + 1))).toBe('2027-02-01T00:00:00.000Z')
})
