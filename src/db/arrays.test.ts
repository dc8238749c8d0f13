import fc from 'fast-check'
import pg from 'pg'
import { expect, test } from 'vitest'
import { arrayText } from './arrays.ts'

/** The OID of the type `text[]`. */
const TEXT_ARRAY_OID: number = 1009
const readTexts: (text: string) => (string | null)[] = pg.types.getTypeParser(TEXT_ARRAY_OID)
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', 'NULL', '"', '\\', '{,}', ' '),
)

test('the text of an array parses to the original list of texts', () => {
  fc.assert(
    fc.property(fc.array(fc.option(text)), (list) => {
      expect(readTexts(arrayText(list) ?? '')).toEqual(list)
    }),
  )
})

test('numbers and booleans are written without quotes, and null as NULL', () => {
  expect(arrayText([1, -2.5, true, null, undefined])).toBe('{1,-2.5,true,NULL,NULL}')
  expect(arrayText([])).toBe('{}')
})

test('bytes are written as hexadecimal digits, as by the driver', () => {
  const bytes = [Buffer.from('a\\"{'), Buffer.alloc(0)]
  expect(readTexts(arrayText(bytes) ?? '')).toEqual(['\\x615c227b', '\\x'])
})

test.each([[[{ a: 1 }]], [[[1]]], [[new Date(0)]]])(
  'the list %j is formatted by the driver',
  (list) => {
    expect(arrayText(list)).toBeUndefined()
  },
)
