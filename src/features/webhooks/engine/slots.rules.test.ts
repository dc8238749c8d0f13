import { expect, test } from 'vitest'
import { retryClaimPause, SLOTS_MAX, slotsAfter } from './slots.rules.ts'

const OK = { ok: true, status_code: 200, error_code: null } as const
const BUSY = { ok: false, status_code: 429, error_code: 'http_status' } as const
const GONE = { ok: false, status_code: 410, error_code: 'http_status' } as const
const REFUSED = { ok: false, status_code: null, error_code: 'connection_refused' } as const
const TIMED_OUT = { ok: false, status_code: null, error_code: 'timeout' } as const

test('an endpoint that cannot keep up gets half as many slots, and at least one', () => {
  expect(slotsAfter(SLOTS_MAX, BUSY)).toBe(5)
  expect(slotsAfter(SLOTS_MAX, TIMED_OUT)).toBe(5)
  expect(slotsAfter(1, TIMED_OUT)).toBe(1)
})

test('a failure that is no sign of overload keeps the number of slots', () => {
  expect(slotsAfter(4, GONE)).toBe(4)
  expect(slotsAfter(4, REFUSED)).toBe(4)
})

test('each success adds a part of a slot, up to the maximum', () => {
  expect(slotsAfter(2, OK)).toBe(2.5)
  expect(slotsAfter(SLOTS_MAX, OK)).toBe(SLOTS_MAX)
})

test('a slow query for retries runs less often, and takes at most a 20th of the time', () => {
  expect(retryClaimPause(0)).toBe(50)
  expect(retryClaimPause(2.5)).toBe(50)
  expect(retryClaimPause(60)).toBe(1_200)
})
