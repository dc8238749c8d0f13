import { expect, test } from 'vitest'
import { Refusal } from '../../../kernel/errors.ts'
import {
  awaitsActivation,
  checkReset,
  extendTerm,
  keyStatusOf,
  type StatusFields,
} from './license.rules.ts'

const NOW = '2026-03-01T12:00:00.000Z'
const BEFORE = '2026-03-01T11:59:59.999Z'
const AFTER = '2026-03-01T12:00:00.001Z'

const fresh: StatusFields = {
  banned_at: null,
  ban_expires_at: null,
  suspended_at: null,
  expires_at: null,
  first_activated_at: null,
}

test.each<[ReturnType<typeof keyStatusOf>, Partial<StatusFields>]>([
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
  expect(keyStatusOf({ ...fresh, ...change }, NOW)).toBe(status)
})

const HOUR_S = 3_600
const term = { ...fresh, duration_seconds: null, expiry_basis: 'creation' as const }
const after = (seconds: number, from = NOW) =>
  new Date(Date.parse(from) + seconds * 1_000).toISOString()

test('an extension starts at the end of the license, or now if the license has expired and the call says so', () => {
  const expired = { ...term, expires_at: BEFORE }
  const valid = { ...term, expires_at: AFTER }
  const oneHour = (from: 'end' | 'now_if_expired') => ({ seconds: HOUR_S, from })
  expect(extendTerm(expired, oneHour('end'), NOW).expires_at).toBe(after(HOUR_S, BEFORE))
  expect(extendTerm(expired, oneHour('now_if_expired'), NOW).expires_at).toBe(after(HOUR_S))
  expect(extendTerm(valid, oneHour('end'), NOW).expires_at).toBe(after(HOUR_S, AFTER))
  expect(extendTerm(valid, oneHour('now_if_expired'), NOW).expires_at).toBe(after(HOUR_S, AFTER))
  const until = (moment: string) => ({ until: moment, from: 'end' as const })
  expect(extendTerm(valid, until(after(1, AFTER)), NOW).expires_at).toBe(after(1, AFTER))
  expect(() => extendTerm(valid, until(AFTER), NOW)).toThrow('Use a moment after the current end')
})

test('extending a license does not start a term that starts at the first activation', () => {
  const pending = { ...term, duration_seconds: HOUR_S, expiry_basis: 'first_activation' as const }
  expect(awaitsActivation(pending)).toBe(true)
  expect(awaitsActivation({ ...pending, expires_at: AFTER })).toBe(false)
  expect(awaitsActivation({ ...pending, first_activated_at: BEFORE })).toBe(false)
  expect(awaitsActivation({ ...pending, expiry_basis: 'creation' })).toBe(false)
  expect(awaitsActivation({ ...pending, duration_seconds: null })).toBe(false)
  const longer = extendTerm(pending, { seconds: 60, from: 'end' }, NOW)
  expect(longer).toEqual({ expires_at: null, duration_seconds: HOUR_S + 60 })
})

test('devices can be reset once the cooldown has ended, if any resets are left', () => {
  const resets = { device_resets_left: null, reset_cooldown_seconds: HOUR_S, last_reset_at: NOW }
  const resetAt = (now: string, fields = {}) => checkReset({ ...resets, ...fields }, now)
  expect(() => resetAt(after(HOUR_S - 0.001))).toThrow(Refusal)
  expect(() => resetAt(after(HOUR_S))).not.toThrow()
  expect(() => resetAt(after(HOUR_S), { device_resets_left: 1 })).not.toThrow()
  expect(() => resetAt(after(HOUR_S), { device_resets_left: 0 })).toThrow(
    'has no device resets left',
  )
  expect(() => resetAt(NOW, { last_reset_at: null })).not.toThrow()
})
