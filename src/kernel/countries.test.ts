import { expect, test } from 'vitest'
import { COUNTRIES } from './countries.ts'

test('the countries are the 249 of ISO 3166-1 and Kosovo, and each has a name', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  expect(COUNTRIES.size).toBe(250)
  expect([...COUNTRIES].filter((code) => !names.of(code))).toEqual([])
})

test.each(['UK', 'EU', 'ZZ', 'XX', 'AN', 'de', 'DEU', ''])('%s is not a country', (code) => {
  expect(COUNTRIES.has(code)).toBe(false)
})
