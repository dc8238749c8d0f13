import { expect, test } from 'vitest'
import type { SessionRow } from './queries/sessions.ts'
import { hasEnded, sessionRefusal } from './session-refusal.ts'

const NOW = '2026-03-01T12:00:00.000Z'
const BEFORE = '2026-03-01T11:59:59.999Z'
const AFTER = '2026-03-01T12:00:00.001Z'

/** A live session of a valid license on an active device. */
const liveSession: SessionRow = {
  id: 1,
  key_id: 2,
  device_id: 3,
  token_hash: Buffer.alloc(32),
  device_key: null,
  device_status: 'active',
  fingerprint_hash: null,
  lease_expires_at: AFTER,
  session_expires_at: AFTER,
  ended_at: null,
  ended_reason: null,
  level: 0,
  entitlements: [],
  expires_at: null,
  banned_at: null,
  ban_expires_at: null,
  suspended_at: null,
  first_activated_at: BEFORE,
  app_status: 'active',
  heartbeat_seconds: 300,
  grace_seconds: 600,
  report_rules: {},
  config_version: 1,
  banned: false,
}

test.each<[boolean, string, Partial<SessionRow>]>([
  [false, 'is live', {}],
  [true, 'has a lease that ends now', { lease_expires_at: NOW }],
  [true, 'has a lease that ended before', { lease_expires_at: BEFORE }],
  [true, 'expires now', { session_expires_at: NOW }],
  [true, 'was ended', { ended_at: BEFORE }],
  [true, 'belongs to a disabled app', { app_status: 'disabled' }],
  [false, 'belongs to a paused app', { app_status: 'paused' }],
])('hasEnded returns %s for a session that %s', (isEnded, _, change) => {
  expect(hasEnded({ ...liveSession, ...change }, NOW)).toBe(isEnded)
})

/** Every reason, in order of precedence. */
const REASONS: [ReturnType<typeof sessionRefusal>, Partial<SessionRow>][] = [
  ['BANNED', { banned_at: BEFORE }],
  ['DEVICE_BANNED', { banned: true }],
  ['SUSPENDED', { suspended_at: BEFORE }],
  ['EXPIRED', { expires_at: NOW }],
]

test.each(REASONS)(
  'the reason %s ends a session, and takes precedence over the reasons after it',
  (reason, change) => {
    expect(sessionRefusal(liveSession, NOW)).toBeUndefined()
    expect(sessionRefusal({ ...liveSession, ...change }, NOW)).toBe(reason)
    for (const [, laterChange] of REASONS.slice(REASONS.findIndex(([code]) => code === reason))) {
      expect(sessionRefusal({ ...liveSession, ...laterChange, ...change }, NOW)).toBe(reason)
    }
  },
)

test('a ban of the device ends a session, and a temporary ban does so until its end', () => {
  expect(sessionRefusal({ ...liveSession, device_status: 'banned' }, NOW)).toBe('DEVICE_BANNED')
  const until = (ban_expires_at: string) => ({ ...liveSession, banned_at: BEFORE, ban_expires_at })
  expect(sessionRefusal(until(AFTER), NOW)).toBe('BANNED')
  expect(sessionRefusal(until(NOW), NOW)).toBeUndefined()
  expect(sessionRefusal({ ...liveSession, expires_at: AFTER }, NOW)).toBeUndefined()
})

test('a session without a license ignores license terms, and its address may be banned', () => {
  const keyless = { ...liveSession, key_id: null, expires_at: BEFORE }
  expect(sessionRefusal(keyless, NOW)).toBeUndefined()
  expect(sessionRefusal({ ...keyless, banned: true }, NOW)).toBe('DEVICE_BANNED')
})
