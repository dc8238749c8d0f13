import { describe, expect, test } from 'vitest'
import { containsPattern, fold, foldedColumn } from './fold.ts'

describe('folded texts (decision 182)', () => {
  test.each([
    ['the forms of sigma', 'ΝΙΚΟΣ', 'νικος'],
    ['sharp s', 'STRASSE', 'straße'],
    ['composed and decomposed letters', 'Zoe\u0308', 'ZOË'],
    ['ligatures', 'ﬁn', 'FIN'],
    ['the long s', 'ſet', 'SET'],
    ['Cyrillic', 'ЖУК', 'жук'],
  ])('are equal for %s', (_, one, other) => {
    expect(fold(one)).toBe(fold(other))
  })

  test.each([
    ['an accent', 'José', 'Jose'],
    ['a dotless i', 'ı', 'i'],
  ])('differ by %s', (_, one, other) => {
    expect(fold(one)).not.toBe(fold(other))
  })

  test('are stored only for texts beyond ASCII', () => {
    expect(foldedColumn('Ada@example.com', null)).toBeNull()
    expect(foldedColumn('ada@example.com', 'Zoë', null)).toBe('ada@example.com\nzoë\n')
  })

  test('have the characters of patterns escaped', () => {
    expect(containsPattern('50%_\\Ä')).toBe('%50\\%\\_\\\\ä%')
  })
})
