import { expect, test } from 'vitest'
import { CALLS_PER_POLL, createTail } from './tail.rules.ts'

const calls = (...numbers: number[]) =>
  numbers.map((number) => ({ request_id: `req_${String(number).padStart(6, '0')}` }))
const range = (from: number, count: number) =>
  calls(...Array.from({ length: count }, (_, index) => from + index))

test('the first page is cut to the requested number of lines', () => {
  expect(createTail(2).add(calls(1, 2, 3))).toEqual({ calls: calls(2, 3), mayHaveMissed: false })
  expect(createTail(0).add(calls(1, 2, 3)).calls).toEqual([])
})

test('a call is shown once, even if it was logged after a call that began later', () => {
  const tail = createTail(20)
  expect(tail.add(calls(1, 3)).calls).toEqual(calls(1, 3))
  expect(tail.add(calls(1, 2, 3, 4)).calls).toEqual(calls(2, 4))
  expect(tail.add(calls(1, 2, 3, 4)).calls).toEqual([])
})

test('more new calls than fit on a page are reported', () => {
  const tail = createTail(20)
  tail.add(range(0, CALLS_PER_POLL))
  expect(tail.add(range(1, CALLS_PER_POLL)).mayHaveMissed).toBe(false)
  expect(tail.add(range(500, CALLS_PER_POLL)).mayHaveMissed).toBe(true)
})
