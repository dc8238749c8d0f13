import { beforeEach, expect, test } from 'vitest'
import type { Outcome } from '../../../sender/outcome.rules.ts'
import { EndpointState, HANG_AFTER_MS, SLOW_MS } from './endpoint-state.ts'
import { SLOTS_MAX } from './slots.rules.ts'

const BUSY = { ok: false, status_code: 503, error_code: 'http_status' } as Outcome
const NOW = 1_000

let state: EndpointState

beforeEach(() => {
  state = new EndpointState()
})

const begin = (count: number) => {
  for (let n = 0; n < count; n++) state.begin(NOW)
}
const queue = (count: number) => {
  for (let n = 0; n < count; n++) state.queue()
}

test('attempts under way and in the queue use slots, and free them when they end', () => {
  begin(3)
  queue(1)
  expect(state.freeSlots).toBe(SLOTS_MAX - 4)
  state.dequeue()
  state.begin(NOW)
  expect(state.freeSlots).toBe(SLOTS_MAX - 4)
  state.end(undefined, NOW)
  expect(state.freeSlots).toBe(SLOTS_MAX - 3)
})

test('an endpoint is full if its slots and a queue of the same length are in use', () => {
  begin(SLOTS_MAX)
  queue(SLOTS_MAX - 1)
  expect(state.isFull).toBe(false)
  state.queue()
  expect(state.isFull).toBe(true)
})

test('slots that other processes take cannot be used, and are free again when they return them', () => {
  state.takeElsewhere(7)
  expect([state.available, state.slots]).toEqual([3, 3])
  state.takeElsewhere(SLOTS_MAX + 1)
  expect([state.available, state.slots, state.isFull, state.isHanging(NOW)]).toEqual([
    0,
    0,
    true,
    true,
  ])
  state.takeElsewhere(0)
  expect(state.slots).toBe(SLOTS_MAX)
})

test('an endpoint that cannot keep up has fewer slots, but others may use as many as before', () => {
  begin(1)
  state.end(BUSY, NOW)
  expect([state.slots, state.available]).toEqual([SLOTS_MAX / 2, SLOTS_MAX])
})

test('an endpoint hangs if no attempt began or ended for a moment', () => {
  begin(SLOTS_MAX)
  expect(state.isHanging(NOW + HANG_AFTER_MS)).toBe(false)
  expect(state.isHanging(NOW + HANG_AFTER_MS + 1)).toBe(true)
  state.end(undefined, NOW + HANG_AFTER_MS + 1)
  expect(state.isHanging(NOW + HANG_AFTER_MS + 2)).toBe(false)
})

test('an idle endpoint is dropped, a slow one after ten minutes, and one that others use is kept', () => {
  expect(state.isUnused(NOW)).toBe(true)
  begin(1)
  expect(state.isUnused(NOW)).toBe(false)
  state.end(BUSY, NOW)
  expect([state.isUnused(NOW + SLOW_MS), state.isUnused(NOW + SLOW_MS + 1)]).toEqual([false, true])
  state.takeElsewhere(1)
  expect(state.isUnused(NOW + SLOW_MS + 1)).toBe(false)
})
