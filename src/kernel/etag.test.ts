import { expect, test } from 'vitest'
import { knowsTag } from './etag.ts'

test.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['"b",W/"a"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
  ['', false],
  [undefined, false],
])('If-None-Match: %s', (header, expected) => {
  expect(knowsTag(header, '"a"')).toBe(expected)
})
