import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createKeptSlots, KEPT_MS, KEPT_SLOTS } from './kept-slots.ts'

const ENDPOINT = { store_id: 1, endpoint_id: 10 }
const all = () => 10

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

test('some slots of an endpoint are kept for a moment after their use', () => {
  const kept = createKeptSlots()
  kept.add(ENDPOINT)
  kept.free(ENDPOINT)
  expect(kept.list(all)).toEqual([{ ...ENDPOINT, slots: KEPT_SLOTS }])
  vi.advanceTimersByTime(KEPT_MS)
  expect(kept.list(all)).toEqual([])
})

test('slots that other processes use are not kept', () => {
  const kept = createKeptSlots()
  kept.add(ENDPOINT)
  kept.free(ENDPOINT)
  expect(kept.list(() => 3)).toEqual([{ ...ENDPOINT, slots: 3 }])
  expect(kept.list(() => 0)).toEqual([])
})

test('more deliveries than kept slots need a slot each, and free it when they end', () => {
  const kept = createKeptSlots()
  for (let n = 0; n <= KEPT_SLOTS; n++) kept.add(ENDPOINT)
  expect(kept.list(all)).toEqual([{ ...ENDPOINT, slots: KEPT_SLOTS + 1 }])
  expect([kept.free(ENDPOINT), kept.free(ENDPOINT)]).toEqual([true, false])
  expect(kept.list(all)).toEqual([{ ...ENDPOINT, slots: KEPT_SLOTS }])
})

test('the slots of at most 256 endpoints are kept', () => {
  const kept = createKeptSlots()
  const endpoints = Array.from({ length: 300 }, (_, n) => ({ store_id: 1, endpoint_id: n + 1 }))
  endpoints.forEach(kept.add)
  expect(kept.list(all)).toHaveLength(300)
  endpoints.forEach(kept.free)
  expect(kept.list(all)).toHaveLength(256)
})

test('after a stop only slots in use are needed', () => {
  const kept = createKeptSlots()
  kept.add(ENDPOINT)
  kept.add({ store_id: 1, endpoint_id: 11 })
  kept.free({ endpoint_id: 11 })
  kept.stop()
  expect(kept.list(all)).toEqual([{ ...ENDPOINT, slots: 1 }])
})
