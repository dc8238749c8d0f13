import fc from 'fast-check'
import pg from 'pg'
import { expect, test } from 'vitest'
import { isoTime } from './parsers.ts'

const throughDate = (text: string) =>
  (pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)(text) as unknown as Date).toISOString()

test('a time in UTC with any number of decimals parses to its ISO 8601 text', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }),
      (date) => {
        const text = date
          .toISOString()
          .replace('T', ' ')
          .replace(/\.?0*Z$/, '+00')
        expect(isoTime(text)).toBe(date.toISOString())
      },
    ),
  )
})

test.each([
  '2026-11-21 18:30:00.123456+00',
  '2026-11-21 18:30:00+02',
  '2026-11-21 18:30:00+05:30',
  '10000-01-01 00:00:00+00',
])('%s parses to the same text as with Date', (text) => {
  expect(isoTime(text)).toBe(throughDate(text))
})
