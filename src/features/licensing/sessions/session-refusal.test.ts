import { expect, test } from 'vitest'
import type { SessionRow } from './queries/sessions.ts'
import { hasEnded, whyNotContinue } from './session-refusal.ts'

const NOW = '2026-03-01T12:00:00.000Z'
const BEFORE = '2026-03-01T11:59:59.999Z'
const AFTER = '2026-03-01T12:00:00.001Z'

/** A live session of a valid license on an active device. */
const good: SessionRow = {
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

test.each<[string, Partial<SessionRow>, boolean]>([
  ['is live', {}, false],
  ['has a lease that ends at this moment', { lease_expires_at: NOW }, true],
  ['has a lease that ended before', { lease_expires_at: BEFORE }, true],
  ['expires at this moment', { session_expires_at: NOW }, true],
  ['was ended', { ended_at: BEFORE }, true],
  ['belongs to a disabled app', { app_status: 'disabled' }, true],
  ['belongs to a paused app', { app_status: 'paused' }, false],
])('a session that %s', (_, change, ended) => {
  expect(hasEnded({ ...good, ...change }, NOW)).toBe(ended)
})

/** Every reason, in order of precedence. */
const REASONS: [ReturnType<typeof whyNotContinue>, Partial<SessionRow>][] = [
  ['BANNED', { banned_at: BEFORE }],
  ['DEVICE_BANNED', { banned: true }],
  ['SUSPENDED', { suspended_at: BEFORE }],
  ['EXPIRED', { expires_at: NOW }],
]

test.each(REASONS)(
  '%s ends a session, and takes precedence over the reasons after it',
  (...row) => {
    const [reason, change] = row
    expect(whyNotContinue(good, NOW)).toBeUndefined()
    expect(whyNotContinue({ ...good, ...change }, NOW)).toBe(reason)
    for (const [, other] of REASONS.slice(REASONS.findIndex(([code]) => code === reason))) {
      expect(whyNotContinue({ ...good, ...other, ...change }, NOW)).toBe(reason)
    }
  },
)

test('a banned device ends a session, and a ban with an end does so until then', () => {
  expect(whyNotContinue({ ...good, device_status: 'banned' }, NOW)).toBe('DEVICE_BANNED')
  const until = (ban_expires_at: string) => ({ ...good, banned_at: BEFORE, ban_expires_at })
  expect(whyNotContinue(until(AFTER), NOW)).toBe('BANNED')
  expect(whyNotContinue(until(NOW), NOW)).toBeUndefined()
  expect(whyNotContinue({ ...good, expires_at: AFTER }, NOW)).toBeUndefined()
})

test('a session without a license ignores license terms, and its address may be banned', () => {
  const open = { ...good, key_id: null, expires_at: BEFORE }
  expect(whyNotContinue(open, NOW)).toBeUndefined()
  expect(whyNotContinue({ ...open, banned: true }, NOW)).toBe('DEVICE_BANNED')
})
