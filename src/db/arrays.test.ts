import fc from 'fast-check'
import pg from 'pg'
import { expect, test } from 'vitest'
import { arrayText } from './arrays.ts'

const readTexts: (text: string) => (string | null)[] = pg.types.getTypeParser(1009 as number)
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', 'NULL', '"', '\\', '{,}', ' '),
)

test('parses to the original list of texts', () => {
  fc.assert(
    fc.property(fc.array(fc.option(text)), (list) => {
      expect(readTexts(arrayText(list) ?? '')).toEqual(list)
    }),
  )
})

test('writes numbers and booleans without quotes, and null as NULL', () => {
  expect(arrayText([1, -2.5, true, null, undefined])).toBe('{1,-2.5,true,NULL,NULL}')
  expect(arrayText([])).toBe('{}')
})

test('writes bytes as hexadecimal digits, like the driver', () => {
  const bytes = [Buffer.from('a\\"{'), Buffer.alloc(0)]
  expect(readTexts(arrayText(bytes) ?? '')).toEqual(['\\x615c227b', '\\x'])
})

test.each([[[{ a: 1 }]], [[[1]]], [[new Date(0)]]])('leaves %s to the driver', (list) => {
  expect(arrayText(list)).toBeUndefined()
})
