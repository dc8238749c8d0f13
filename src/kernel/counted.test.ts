import { expect, test } from 'vitest'
import { changedText, counted } from './counted.ts'

test.each([
  [0, '0 units'],
  [1, '1 unit'],
  [2, '2 units'],
])('%d is written as %s', (count, text) => {
  expect(counted(count, 'unit')).toBe(text)
})

test('a sentence about one changed record is singular', () => {
  expect(changedText(1, 'session', 'ended')).toBe('1 session was ended.')
  expect(changedText(3, 'session', 'ended')).toBe('3 sessions were ended.')
})
