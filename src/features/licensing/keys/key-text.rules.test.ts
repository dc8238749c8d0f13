import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkSymbol, fillMask, formOf, newKeyText, normalise, prefixOf } from './key-text.rules.ts'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const draws = fc.array(fc.integer({ min: 0, max: 31 }), { minLength: 24, maxLength: 24 })
const drawFrom = (values: number[]) => {
  const remaining = [...values]
  return () => remaining.shift() ?? 0
}

test('the check symbol of a generated key detects one wrong or two swapped symbols', () => {
  fc.assert(
    fc.property(draws, fc.nat(24), fc.nat(24), fc.integer({ min: 1, max: 31 }), (...parameters) => {
      const [values, index, otherIndex, step] = parameters
      const text = newKeyText(drawFrom(values), 'GAME')
      expect(formOf(text)).toBe('generated')
      const symbols = [...text.slice('GAME-'.length).replaceAll('-', '')]
      const groups = (list: string[]) => (list.join('').match(/.{5}/g) ?? []).join('-')
      const wrong = [...symbols]
      wrong[index] = ALPHABET[(ALPHABET.indexOf(symbols[index] ?? '') + step) % 32] ?? ''
      expect(formOf(groups(wrong))).toBe('mistyped')
      const swapped = [...symbols]
      ;[swapped[index], swapped[otherIndex]] = [symbols[otherIndex] ?? '', symbols[index] ?? '']
      expect(formOf(groups(swapped))).toBe(
        symbols[index] === symbols[otherIndex] ? 'generated' : 'mistyped',
      )
    }),
  )
})

test('invisible characters and confusable letters are ignored, and other alphabets are refused', () => {
  expect(normalise(' ab\u00a0c-o\u200b1L\n')).toBe('ABC011')
  // Unicode rules would fold the Kelvin sign and the dotless i to ASCII letters.
  expect(normalise('\u212a\u0131')).toBe('\u212a\u0131')
  expect(formOf('not-a-key')).toBe('other')
})

test('a mask keeps its letters and replaces its wildcards', () => {
  expect(fillMask(() => 31, 'x-**-*')).toBe('x-ZZ-Z')
  expect(checkSymbol([])).toBe('0')
})

test('the prefix of a generated key is found, and other keys have no prefix', () => {
  const prefix = fc.stringMatching(/^[A-Za-z0-9]{1,16}$/)
  fc.assert(
    fc.property(draws, fc.option(prefix, { nil: undefined }), (values, text) => {
      expect(prefixOf(newKeyText(drawFrom(values), text))).toBe(text)
    }),
  )
  expect(prefixOf('GAME-OLD-SHOP')).toBeUndefined()
})
