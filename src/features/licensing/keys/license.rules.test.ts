import { expect, test } from 'vitest'
import { Refusal } from '../../../kernel/errors.ts'
import { checkReset, extend, type Standing, statusOf, waitsForUse } from './license.rules.ts'

const NOW = '2026-03-01T12:00:00.000Z'
const BEFORE = '2026-03-01T11:59:59.999Z'
const AFTER = '2026-03-01T12:00:00.001Z'

const fresh: Standing = {
  banned_at: null,
  ban_expires_at: null,
  suspended_at: null,
  expires_at: null,
  first_activated_at: null,
}

test.each<[ReturnType<typeof statusOf>, Partial<Standing>]>([
  ['unused', {}],
  ['unused', { expires_at: AFTER }],
  ['active', { first_activated_at: BEFORE }],
  ['expired', { expires_at: NOW, first_activated_at: BEFORE }],
  ['suspended', { suspended_at: BEFORE, expires_at: NOW }],
  ['banned', { banned_at: BEFORE, suspended_at: BEFORE, expires_at: BEFORE }],
  ['banned', { banned_at: BEFORE, ban_expires_at: AFTER }],
  ['suspended', { banned_at: BEFORE, ban_expires_at: NOW, suspended_at: BEFORE }],
  ['unused', { banned_at: BEFORE, ban_expires_at: NOW }],
])('a key is %s if its fields are %o', (status, change) => {
  expect(statusOf({ ...fresh, ...change }, NOW)).toBe(status)
})

const HOUR_S = 3_600
const term = { ...fresh, duration_seconds: null, expiry_basis: 'creation' as const }
const after = (seconds: number, from = NOW) =>
  new Date(Date.parse(from) + seconds * 1_000).toISOString()

test('an extension starts at the end, or at now for an expired key if the call says so', () => {
  const past = { ...term, expires_at: BEFORE }
  const next = { ...term, expires_at: AFTER }
  const by = (from: 'end' | 'now_if_expired') => ({ seconds: HOUR_S, from })
  expect(extend(past, by('end'), NOW).expires_at).toBe(after(HOUR_S, BEFORE))
  expect(extend(past, by('now_if_expired'), NOW).expires_at).toBe(after(HOUR_S))
  expect(extend(next, by('end'), NOW).expires_at).toBe(after(HOUR_S, AFTER))
  expect(extend(next, by('now_if_expired'), NOW).expires_at).toBe(after(HOUR_S, AFTER))
  const until = (moment: string) => ({ until: moment, from: 'end' as const })
  expect(extend(next, until(after(1, AFTER)), NOW).expires_at).toBe(after(1, AFTER))
  expect(() => extend(next, until(AFTER), NOW)).toThrow('Use a moment after the current end')
})

test('a term that starts with the first activation gets longer, and starts no sooner', () => {
  const waits = { ...term, duration_seconds: HOUR_S, expiry_basis: 'first_activation' as const }
  expect(waitsForUse(waits)).toBe(true)
  expect(waitsForUse({ ...waits, expires_at: AFTER })).toBe(false)
  expect(waitsForUse({ ...waits, first_activated_at: BEFORE })).toBe(false)
  expect(waitsForUse({ ...waits, expiry_basis: 'creation' })).toBe(false)
  expect(waitsForUse({ ...waits, duration_seconds: null })).toBe(false)
  const longer = extend(waits, { seconds: 60, from: 'end' }, NOW)
  expect(longer).toEqual({ expires_at: null, duration_seconds: HOUR_S + 60 })
})

test('devices can be freed again after the cooldown, to the millisecond, and up to the limit', () => {
  const resets = { device_resets_left: null, reset_cooldown_seconds: HOUR_S, last_reset_at: NOW }
  const again = (now: string, more = {}) => checkReset({ ...resets, ...more }, now)
  expect(() => again(after(HOUR_S - 0.001))).toThrow(Refusal)
  expect(() => again(after(HOUR_S))).not.toThrow()
  expect(() => again(after(HOUR_S), { device_resets_left: 1 })).not.toThrow()
  expect(() => again(after(HOUR_S), { device_resets_left: 0 })).toThrow('has no device resets left')
  expect(() => again(NOW, { last_reset_at: null })).not.toThrow()
})
