import { describe, expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../../kernel/time.ts'
import { judgeBackup, judgeCertificate, judgeClock, judgeDisk, judgeMail } from './parts.rules.ts'

const MIB = 1024 * 1024

test.each([
  [2_048, 'ok', null],
  [1_000, 'warning', 'disk_low'],
  [15, 'failed', 'disk_full'],
])('a disk with %i MiB free is %s', (mib, state, problem) => {
  expect(judgeDisk(mib * MIB)).toEqual({ state, problem, values: { free_bytes: mib * MIB } })
})

test.each([
  [1_500, 'ok', null],
  [-1_500, 'ok', null],
  [90_000, 'warning', 'clock_differs'],
  [-90_000, 'warning', 'clock_differs'],
])('a clock that differs by %i ms is %s', (ms, state, problem) => {
  expect(judgeClock(ms)).toMatchObject({ state, problem })
})

test('mail that has been due for longer than a quarter of an hour needs attention', () => {
  expect(judgeMail({ waiting: 3, oldest_due_age_ms: 14 * MINUTE_MS })).toMatchObject({
    state: 'ok',
  })
  expect(judgeMail({ waiting: 3, oldest_due_age_ms: 16 * MINUTE_MS })).toEqual({
    state: 'warning',
    problem: 'mail_waits',
    values: { waiting: 3 },
  })
})

describe('a certificate', () => {
  test.each([
    [60, 'ok', null, 60],
    [13.5, 'warning', 'certificate_ends', 13],
    [-1, 'failed', 'certificate_ended', 1],
  ])('that ends in %d days is %s', (remaining, state, problem, days) => {
    expect(judgeCertificate(remaining * DAY_MS)).toEqual({ state, problem, values: { days } })
  })
})

test('a backup needs attention if there is none, or if it is older than a week', () => {
  expect(judgeBackup(null)).toEqual({ state: 'warning', problem: 'no_backup', values: {} })
  expect(judgeBackup(6.9 * DAY_MS)).toMatchObject({ state: 'ok', values: { days: 6 } })
  expect(judgeBackup(7 * DAY_MS)).toMatchObject({ state: 'warning', problem: 'backup_old' })
  // The machine's clock was put back.
  expect(judgeBackup(-DAY_MS)).toMatchObject({ state: 'ok', values: { days: 0 } })
})
