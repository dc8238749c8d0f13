import { expect, test } from 'vitest'
import type { SessionRow } from './queries/sessions.ts'
import { hasEnded, whyNot } from './session-standing.ts'

const NOW = '2026-03-01T12:00:00.000Z'
const BEFORE = '2026-03-01T11:59:59.999Z'
const AFTER = '2026-03-01T12:00:00.001Z'

/** A session of a license that may be used, on a device that may. */
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
  ['is at work', {}, false],
  ['has a lease to this moment', { lease_expires_at: NOW }, true],
  ['has a lease that is over', { lease_expires_at: BEFORE }, true],
  ['lasts to this moment', { session_expires_at: NOW }, true],
  ['was ended', { ended_at: BEFORE }, true],
  ['is of an app that is disabled', { app_status: 'disabled' }, true],
  ['is of an app that only starts none', { app_status: 'paused' }, false],
])('a session that %s', (_, change, ended) => {
  expect(hasEnded({ ...good, ...change }, NOW)).toBe(ended)
})

/** Every reason, in the order in which the first that applies is told. */
const REASONS: [ReturnType<typeof whyNot>, Partial<SessionRow>][] = [
  ['BANNED', { banned_at: BEFORE }],
  ['DEVICE_BANNED', { banned: true }],
  ['SUSPENDED', { suspended_at: BEFORE }],
  ['EXPIRED', { expires_at: NOW }],
]

test.each(REASONS)(
  '%s ends a session by itself, and before all that stand behind it',
  (...given) => {
    const [reason, change] = given
    expect(whyNot(good, NOW)).toBeUndefined()
    expect(whyNot({ ...good, ...change }, NOW)).toBe(reason)
    for (const [, other] of REASONS.slice(REASONS.findIndex(([one]) => one === reason))) {
      expect(whyNot({ ...good, ...other, ...change }, NOW)).toBe(reason)
    }
  },
)

test('a device that is banned itself, and a ban until a moment, count as they say', () => {
  expect(whyNot({ ...good, device_status: 'banned' }, NOW)).toBe('DEVICE_BANNED')
  const until = (ban_expires_at: string) => ({ ...good, banned_at: BEFORE, ban_expires_at })
  expect(whyNot(until(AFTER), NOW)).toBe('BANNED')
  expect(whyNot(until(NOW), NOW)).toBeUndefined()
  expect(whyNot({ ...good, expires_at: AFTER }, NOW)).toBeUndefined()
})

test('a session without a license has no license to lose, and may be banned by its address', () => {
  const open = { ...good, key_id: null, expires_at: BEFORE }
  expect(whyNot(open, NOW)).toBeUndefined()
  expect(whyNot({ ...open, banned: true }, NOW)).toBe('DEVICE_BANNED')
})
