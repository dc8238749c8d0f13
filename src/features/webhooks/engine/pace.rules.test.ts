import { expect, test } from 'vitest'
import { PLACES_MAX, placesAfter, untilNextLook } from './pace.rules.ts'

const OK = { ok: true, status_code: 200, error_code: null } as const
const BUSY = { ok: false, status_code: 429, error_code: 'http_status' } as const
const GONE = { ok: false, status_code: 410, error_code: 'http_status' } as const
const LATE = { ok: false, status_code: null, error_code: 'timeout' } as const

test('an endpoint that cannot keep up gets half as many places, and never none', () => {
  expect(placesAfter(PLACES_MAX, BUSY)).toBe(5)
  expect(placesAfter(PLACES_MAX, LATE)).toBe(5)
  expect(placesAfter(1, LATE)).toBe(1)
})

test('a refusal says nothing of how much it can take', () => {
  expect(placesAfter(4, GONE)).toBe(4)
})

test('each success gives a little more, up to the most', () => {
  expect(placesAfter(2, OK)).toBe(2.5)
  expect(placesAfter(PLACES_MAX, OK)).toBe(PLACES_MAX)
})

test('a look for retries that takes long is made more seldom, and never fills more than a 20th', () => {
  expect(untilNextLook(0)).toBe(50)
  expect(untilNextLook(2.5)).toBe(50)
  expect(untilNextLook(60)).toBe(1_200)
})
