import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rangeOf } from './range.rules.ts'

describe('a range of 100 bytes', () => {
  test.each([
    ['bytes=0-9', { start: 0, end: 9 }],
    ['bytes=90-', { start: 90, end: 99 }],
    ['bytes=90-500', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-500', { start: 0, end: 99 }],
    ['bytes=99-99', { start: 99, end: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
  ])('%s', (header, expected) => {
    expect(rangeOf(header, 100)).toEqual(expected)
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
  ])('%j asks for the whole', (header) => {
    expect(rangeOf(header, 100)).toBeUndefined()
  })
})

test('a range lies within the file, whatever was asked', () => {
  const part = fc.option(fc.nat({ max: 1_000 }), { nil: '' as const })
  fc.assert(
    fc.property(part, part, fc.nat({ max: 500 }), (first, last, size) => {
      const range = rangeOf(`bytes=${first}-${last}`, size)
      if (range === undefined || range === 'unsatisfiable') return
      expect(range.start).toBeGreaterThanOrEqual(0)
      expect(range.end).toBeGreaterThanOrEqual(range.start)
      expect(range.end).toBeLessThan(size)
    }),
  )
})
