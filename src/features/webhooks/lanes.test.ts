import { expect, test } from 'vitest'
import { createLanes, PLACES } from './dispatch/lanes.ts'

const never = () => new Promise<never>(() => {})
const nothing = () => {}

test('an endpoint has so many places, a short queue, and then none', () => {
  const lanes = createLanes(nothing)
  const entered = Array.from({ length: 100 }, () => lanes.enter(1, never, nothing))
  const taken = entered.filter(Boolean).length
  // Each try ends after 10 s at the latest, so who waits behind ten ends within 20 s of a 30 s lease.
  expect(taken).toBeLessThanOrEqual(2 * PLACES)
  expect(taken).toBeGreaterThanOrEqual(PLACES)
  expect(lanes.enter(2, never, nothing)).toBe(true)
})

test('what was not begun is given back, once', async () => {
  const lanes = createLanes(nothing)
  let back = 0
  for (let n = 0; n < PLACES + 3; n++) lanes.enter(1, never, () => back++)
  lanes.empty()
  lanes.empty()
  expect(back).toBe(3)
  expect(lanes.size()).toBe(PLACES)
})
