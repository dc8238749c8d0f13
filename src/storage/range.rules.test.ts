import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rangeOf } from './range.rules.ts'

const FILE = { size_bytes: 100, etag: '"current"' }

describe('the Range header of a request for a file of 100 bytes', () => {
  test.each([
    ['bytes=0-9', { start: 0, end: 9 }],
    ['bytes=90-', { start: 90, end: 99 }],
    ['bytes=90-500', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-500', { start: 0, end: 99 }],
    ['bytes=99-99', { start: 99, end: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=0-99999999999999999999', { start: 0, end: 99 }],
    ['bytes=99999999999999999999-', 'unsatisfiable'],
  ])('%s requests %j', (header, expected) => {
    expect(rangeOf({ range: header }, FILE)).toEqual(expected)
  })

  test.each([
    undefined,
    '',
    'bytes=',
    'bytes=-',
    'bytes=9-0',
    'bytes=0-1,5-6',
    'lines=0-9',
    'bytes=a-b',
  ])('%j requests the whole file', (header) => {
    expect(rangeOf({ range: header }, FILE)).toBeUndefined()
  })
})

test.each([
  ['"current"', { start: 0, end: 9 }],
  ['"former"', undefined],
  ['W/"current"', undefined],
  ['Sat, 01 Jan 2000 00:00:00 GMT', undefined],
])('with If-Range: %s the requested range is %j', (ifRange, expected) => {
  expect(rangeOf({ range: 'bytes=0-9', 'if-range': ifRange }, FILE)).toEqual(expected)
})

test('a range lies within the file for any request', () => {
  const part = fc.option(fc.nat({ max: 1_000 }), { nil: '' as const })
  fc.assert(
    fc.property(part, part, fc.nat({ max: 500 }), (first, last, size) => {
      const range = rangeOf({ range: `bytes=${first}-${last}` }, { ...FILE, size_bytes: size })
      if (range === undefined || range === 'unsatisfiable') return
      expect(range.start).toBeGreaterThanOrEqual(0)
      expect(range.end).toBeGreaterThanOrEqual(range.start)
      expect(range.end).toBeLessThan(size)
    }),
  )
})
