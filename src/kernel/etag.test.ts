import { expect, test } from 'vitest'
import { matchesTag } from './etag.ts'

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
])('If-None-Match: %s matches the tag "a": %s', (header, isMatch) => {
  expect(matchesTag(header, '"a"')).toBe(isMatch)
})
