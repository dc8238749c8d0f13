import { setImmediate as tick } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Outcome } from '../../sender/outcome.rules.ts'
import { createLanes, HANG_AFTER_MS, type LaneWork, PAUSE_MS } from './engine/lanes.ts'
import { SLOTS_MAX, slotsAfter } from './engine/slots.rules.ts'

const neverEnds = () => new Promise<never>(() => {})
const doNothing = () => {}
const OK = { ok: true, status_code: 200, error_code: null } as Outcome
const BUSY = { ok: false, status_code: 503, error_code: 'http_status' } as Outcome

const workOf = (work: Partial<LaneWork> = {}): LaneWork => ({
  store_id: 1,
  endpoint_id: 1,
  bytes: 100,
  run: neverEnds,
  release: doNothing,
  ...work,
})

const capacityOf = (slots: number) => ({ store_id: 1, endpoint_id: 1, slots })

test('an endpoint has a number of slots and a queue of the same length', () => {
  const lanes = createLanes(1_000, doNothing)
  let releaseCount = 0
  for (let n = 0; n < 100; n++) lanes.add(workOf({ release: () => releaseCount++ }))
  // Each attempt ends after 10 s at the latest, so one that waits behind ten ends within 20 s of a
  // 30 s lease.
  expect(lanes.size()).toBe(2 * SLOTS_MAX)
  expect(releaseCount).toBe(100 - 2 * SLOTS_MAX)
  expect(lanes.capacity()).toEqual([capacityOf(0)])
  lanes.add(workOf({ endpoint_id: 2 }))
  expect(lanes.size()).toBe(2 * SLOTS_MAX + 1)
  expect(lanes.bytes()).toBe(100 * lanes.size())
})

test('a store pauses briefly if an endpoint hangs with all its slots in use', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const lanes = createLanes(1_000, doNothing)
  for (let n = 0; n <= 2 * SLOTS_MAX; n++) lanes.add(workOf())
  // The attempts have just begun: a burst does not mean that the endpoint hangs.
  expect(lanes.paused()).toEqual([])
  vi.advanceTimersByTime(HANG_AFTER_MS + 1)
  lanes.add(workOf())
  expect(lanes.paused()).toEqual([1])
  lanes.add(workOf({ endpoint_id: 2 }))
  expect(lanes.paused()).toEqual([])
  lanes.add(workOf())
  expect(lanes.paused()).toEqual([1])
  vi.advanceTimersByTime(PAUSE_MS + 1)
  expect(lanes.paused()).toEqual([])
})

test('queued work is released once when the lanes are cleared', () => {
  const lanes = createLanes(1_000, doNothing)
  let releaseCount = 0
  for (let n = 0; n < SLOTS_MAX + 3; n++) lanes.add(workOf({ release: () => releaseCount++ }))
  lanes.clear()
  lanes.clear()
  expect(releaseCount).toBe(3)
  expect(lanes.size()).toBe(SLOTS_MAX)
  expect(lanes.bytes()).toBe(100 * SLOTS_MAX)
})

test('the first store with hanging endpoints takes half the queue, and each further store takes half of the remaining queue', () => {
  const lanes = createLanes(300, doNothing)
  const fill = (store_id: number) => {
    for (let n = 0; n < 400; n++) lanes.add(workOf({ store_id, endpoint_id: store_id * 1e3 + n }))
  }
  fill(1)
  expect(lanes.size()).toBe(150)
  expect(lanes.crowded()).toEqual([1])
  fill(2)
  expect(lanes.size()).toBe(225)
  fill(3)
  expect(lanes.size()).toBeLessThan(300)
  lanes.add(workOf({ store_id: 4, endpoint_id: 9 }))
  expect(lanes.crowded()).not.toContain(4)
})

test('the slots of an endpoint that cannot keep up are halved each time, down to one, and recover fully', () => {
  const overloadOutcomes: Partial<Outcome>[] = [
    { ok: false, status_code: null, error_code: 'timeout' },
    { ok: false, status_code: 429, error_code: 'http_status' },
    { ok: false, status_code: 500, error_code: 'http_status' },
  ]
  for (const outcome of overloadOutcomes) expect(slotsAfter(10, outcome as Outcome)).toBe(5)
  const REFUSED = { ok: false, status_code: null, error_code: 'connection_refused' } as Outcome
  expect(slotsAfter(10, REFUSED)).toBe(10)
  expect(slotsAfter(10, { ...BUSY, status_code: 404 })).toBe(10)

  let slots = SLOTS_MAX
  for (let n = 0; n < 20; n++) slots = slotsAfter(slots, BUSY)
  expect(slots).toBe(1)
  slots = slotsAfter(slots, OK)
  expect(slots).toBe(2)
  for (let n = 0; n < 100; n++) slots = slotsAfter(slots, OK)
  expect(slots).toBe(SLOTS_MAX)
})

test('a slow endpoint gets fewer concurrent attempts, and reports fewer free slots also when it is idle', async () => {
  const lanes = createLanes(1_000, doNothing)
  for (let n = 0; n < 2; n++) lanes.add(workOf({ run: async () => BUSY }))
  await tick()
  expect(lanes.capacity()).toEqual([capacityOf(2)])
  for (let n = 0; n < 100; n++) lanes.add(workOf())
  expect(lanes.size()).toBe(4)
})

test('an endpoint has all its slots again after ten minutes without an attempt', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const lanes = createLanes(1_000, doNothing)
  lanes.add(workOf({ run: async () => BUSY }))
  await tick()
  expect(lanes.capacity()).toEqual([capacityOf(SLOTS_MAX / 2)])
  vi.advanceTimersByTime(10 * 60_000 + 1)
  expect(lanes.capacity()).toEqual([])
})
