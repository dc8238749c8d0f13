import { setTimeout as pause, setImmediate as tick } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Outcome } from '../../sender/outcome.rules.ts'
import { createLanes, type Work } from './engine/lanes.ts'
import { PLACES_MAX, placesAfter } from './engine/pace.rules.ts'

const never = () => new Promise<never>(() => {})
const nothing = () => {}
const OK = { ok: true, status_code: 200, error_code: null } as Outcome
const BUSY = { ok: false, status_code: 503, error_code: 'http_status' } as Outcome

const workOf = (work: Partial<Work> = {}): Work => ({
  store_id: 1,
  endpoint_id: 1,
  bytes: 100,
  run: never,
  giveBack: nothing,
  ...work,
})

const roomOf = (places: number) => ({ store_id: 1, endpoint_id: 1, places })

test('an endpoint has a number of slots, a queue of the same length, and no more', () => {
  const lanes = createLanes(1_000, nothing)
  let back = 0
  for (let n = 0; n < 100; n++) lanes.enter(workOf({ giveBack: () => back++ }))
  // Each attempt ends after 10 s at the latest, so one that waits behind ten ends within 20 s of a
  // 30 s lease.
  expect(lanes.size()).toBe(2 * PLACES_MAX)
  expect(back).toBe(100 - 2 * PLACES_MAX)
  expect(lanes.room()).toEqual([roomOf(0)])
  lanes.enter(workOf({ endpoint_id: 2 }))
  expect(lanes.size()).toBe(2 * PLACES_MAX + 1)
  expect(lanes.bytes()).toBe(100 * lanes.size())
})

test('a store rests a moment where an endpoint hangs with all its places taken', async () => {
  const lanes = createLanes(1_000, nothing)
  for (let n = 0; n <= 2 * PLACES_MAX; n++) lanes.enter(workOf())
  // It was only just asked: a burst does not mean that it hangs.
  expect(lanes.resting()).toEqual([])
  await pause(250)
  lanes.enter(workOf())
  expect(lanes.resting()).toEqual([1])
  lanes.enter(workOf({ endpoint_id: 2 }))
  expect(lanes.resting()).toEqual([])
  lanes.enter(workOf())
  expect(lanes.resting()).toEqual([1])
  await pause(20)
  expect(lanes.resting()).toEqual([])
})

test('an attempt that did not start is released, once', () => {
  const lanes = createLanes(1_000, nothing)
  let back = 0
  for (let n = 0; n < PLACES_MAX + 3; n++) lanes.enter(workOf({ giveBack: () => back++ }))
  lanes.empty()
  lanes.empty()
  expect(back).toBe(3)
  expect(lanes.size()).toBe(PLACES_MAX)
  expect(lanes.bytes()).toBe(100 * PLACES_MAX)
})

test('stores that hang take equal shares, and one as large is left for the others', () => {
  const lanes = createLanes(300, nothing)
  const fill = (store_id: number) => {
    for (let n = 0; n < 400; n++) lanes.enter(workOf({ store_id, endpoint_id: store_id * 1e3 + n }))
  }
  fill(1)
  expect(lanes.size()).toBe(150)
  expect(lanes.crowded()).toEqual([1])
  fill(2)
  expect(lanes.size()).toBe(225)
  fill(3)
  expect(lanes.size()).toBeLessThan(300)
  lanes.enter(workOf({ store_id: 4, endpoint_id: 9 }))
  expect(lanes.crowded()).not.toContain(4)
})

test('an endpoint that cannot keep up gets half the places each time, at least one, and all of them back', () => {
  const overloaded: Partial<Outcome>[] = [
    { ok: false, status_code: null, error_code: 'timeout' },
    { ok: false, status_code: 429, error_code: 'http_status' },
    { ok: false, status_code: 500, error_code: 'http_status' },
  ]
  for (const outcome of overloaded) expect(placesAfter(10, outcome as Outcome)).toBe(5)
  const refused = { ok: false, status_code: null, error_code: 'connection_refused' } as Outcome
  expect(placesAfter(10, refused)).toBe(10)
  expect(placesAfter(10, { ...BUSY, status_code: 404 })).toBe(10)

  let places = PLACES_MAX
  for (let n = 0; n < 20; n++) places = placesAfter(places, BUSY)
  expect(places).toBe(1)
  const after = [1, 2, 3].map(() => (places = placesAfter(places, OK)))
  expect(after[0]).toBe(2)
  for (let n = 0; n < 100; n++) places = placesAfter(places, OK)
  expect(places).toBe(PLACES_MAX)
})

test('a slow endpoint gets fewer attempts at once, and its free slots show so when it is idle too', async () => {
  const lanes = createLanes(1_000, nothing)
  for (let n = 0; n < 2; n++) lanes.enter(workOf({ run: async () => BUSY }))
  await tick()
  expect(lanes.room()).toEqual([roomOf(2)])
  for (let n = 0; n < 100; n++) lanes.enter(workOf())
  expect(lanes.size()).toBe(4)
})

test('that an endpoint was slow is forgotten when nothing is sent to it', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const lanes = createLanes(1_000, nothing)
  lanes.enter(workOf({ run: async () => BUSY }))
  await tick()
  expect(lanes.room()).toEqual([roomOf(PLACES_MAX / 2)])
  vi.advanceTimersByTime(10 * 60_000 + 1)
  expect(lanes.room()).toEqual([])
})
