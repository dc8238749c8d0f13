import { expect, test } from 'vitest'
import { NEWEST, openTail } from './tail.rules.ts'

const calls = (...numbers: number[]) =>
  numbers.map((number) => ({ request_id: `req_${String(number).padStart(6, '0')}` }))
const range = (from: number, count: number) =>
  calls(...Array.from({ length: count }, (_, at) => from + at))

test('the first page is cut to the lines that were asked for', () => {
  expect(openTail(2).add(calls(1, 2, 3))).toEqual({ calls: calls(2, 3), missed: false })
  expect(openTail(0).add(calls(1, 2, 3)).calls).toEqual([])
})

test('a call is shown once, also if it was logged after a call that began later', () => {
  const tail = openTail(20)
  expect(tail.add(calls(1, 3)).calls).toEqual(calls(1, 3))
  expect(tail.add(calls(1, 2, 3, 4)).calls).toEqual(calls(2, 4))
  expect(tail.add(calls(1, 2, 3, 4)).calls).toEqual([])
})

test('more new calls than a page holds are reported', () => {
  const tail = openTail(20)
  tail.add(range(0, NEWEST))
  expect(tail.add(range(1, NEWEST)).missed).toBe(false)
  expect(tail.add(range(500, NEWEST)).missed).toBe(true)
})
