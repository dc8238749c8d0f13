import { setImmediate as tick } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Outcome } from '../../sender/outcome.rules.ts'
import { createEndpointQueues, PAUSE_MS, type QueuedAttempt } from './engine/endpoint-queues.ts'
import { HANG_AFTER_MS } from './engine/endpoint-state.ts'
import { SLOTS_MAX, slotsAfter } from './engine/slots.rules.ts'

const neverEnds = () => new Promise<never>(() => {})
const doNothing = () => {}
const OK = { ok: true, status_code: 200, error_code: null } as Outcome
const BUSY = { ok: false, status_code: 503, error_code: 'http_status' } as Outcome

const attemptOf = (fields: Partial<QueuedAttempt> = {}): QueuedAttempt => ({
  store_id: 1,
  endpoint_id: 1,
  bytes: 100,
  run: neverEnds,
  release: doNothing,
  ...fields,
})

const capacityOf = (slots: number) => ({ store_id: 1, endpoint_id: 1, slots })

test('an endpoint has a number of slots and a queue of the same length', () => {
  const queues = createEndpointQueues(1_000, doNothing)
  let releaseCount = 0
  for (let n = 0; n < 100; n++) queues.add(attemptOf({ release: () => releaseCount++ }))
  // Each attempt ends after 10 s at the latest, so one that waits behind ten ends within 20 s of a
  // 30 s lease.
  expect(queues.size()).toBe(2 * SLOTS_MAX)
  expect(releaseCount).toBe(100 - 2 * SLOTS_MAX)
  expect(queues.capacity()).toEqual([capacityOf(0)])
  queues.add(attemptOf({ endpoint_id: 2 }))
  expect(queues.size()).toBe(2 * SLOTS_MAX + 1)
  expect(queues.bytes()).toBe(100 * queues.size())
})

test('a store pauses briefly if an endpoint hangs with all its slots in use', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const queues = createEndpointQueues(1_000, doNothing)
  for (let n = 0; n <= 2 * SLOTS_MAX; n++) queues.add(attemptOf())
  // The attempts have just begun: a burst does not mean that the endpoint hangs.
  expect(queues.paused()).toEqual([])
  vi.advanceTimersByTime(HANG_AFTER_MS + 1)
  queues.add(attemptOf())
  expect(queues.paused()).toEqual([1])
  queues.add(attemptOf({ endpoint_id: 2 }))
  expect(queues.paused()).toEqual([])
  queues.add(attemptOf())
  expect(queues.paused()).toEqual([1])
  vi.advanceTimersByTime(PAUSE_MS + 1)
  expect(queues.paused()).toEqual([])
})

test('queued attempts are released once when the queues are cleared', () => {
  const queues = createEndpointQueues(1_000, doNothing)
  let releaseCount = 0
  for (let n = 0; n < SLOTS_MAX + 3; n++) queues.add(attemptOf({ release: () => releaseCount++ }))
  queues.clear()
  queues.clear()
  expect(releaseCount).toBe(3)
  expect(queues.size()).toBe(SLOTS_MAX)
  expect(queues.bytes()).toBe(100 * SLOTS_MAX)
})

test('the first store with hanging endpoints takes half the queue, and each further store takes half of the remaining queue', () => {
  const queues = createEndpointQueues(300, doNothing)
  const fill = (store_id: number) => {
    for (let n = 0; n < 400; n++)
      queues.add(attemptOf({ store_id, endpoint_id: store_id * 1e3 + n }))
  }
  fill(1)
  expect(queues.size()).toBe(150)
  expect(queues.crowded()).toEqual([1])
  fill(2)
  expect(queues.size()).toBe(225)
  fill(3)
  expect(queues.size()).toBeLessThan(300)
  queues.add(attemptOf({ store_id: 4, endpoint_id: 9 }))
  expect(queues.crowded()).not.toContain(4)
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
  const queues = createEndpointQueues(1_000, doNothing)
  for (let n = 0; n < 2; n++) queues.add(attemptOf({ run: async () => BUSY }))
  await tick()
  expect(queues.capacity()).toEqual([capacityOf(2)])
  for (let n = 0; n < 100; n++) queues.add(attemptOf())
  expect(queues.size()).toBe(4)
})

test('an endpoint has all its slots again after ten minutes without an attempt', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const queues = createEndpointQueues(1_000, doNothing)
  queues.add(attemptOf({ run: async () => BUSY }))
  await tick()
  expect(queues.capacity()).toEqual([capacityOf(SLOTS_MAX / 2)])
  vi.advanceTimersByTime(10 * 60_000 + 1)
  expect(queues.capacity()).toEqual([])
})
