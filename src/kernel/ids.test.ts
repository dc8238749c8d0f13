import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isApiKey, newApiKey } from './api-key.ts'
import { base62, fromBase62, isHash, newHash, newId } from './ids.ts'

describe('base 62', () => {
  test('128 bits are written in 22 characters and read back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }), (value) => {
        const text = base62(value)
        expect(text).toMatch(/^[0-9A-Za-z]{22}$/)
        expect(fromBase62(text)).toBe(value)
      }),
    )
  })

  test('the texts of two numbers sort like the numbers', () => {
    const number = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n })
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(base62(a) < base62(b)).toBe(a < b)
      }),
    )
  })

  test.each(['-', '0 1', 'ä', 'a_b'])('"%s" is not base 62', (text) => {
    expect(fromBase62(text)).toBeUndefined()
  })
})

describe('ids', () => {
  test('an id has its prefix and 22 characters, and is unique', () => {
    const ids = new Set(Array.from({ length: 5_000 }, () => newId('ord_')))
    expect(ids.size).toBe(5_000)
    for (const id of ids) expect(id).toMatch(/^ord_[0-9A-Za-z]{22}$/)
  })

  test('an id that is created later sorts later', () => {
    const moments = [1, 1_700_000_000_000, 1_700_000_000_001, 4_000_000_000_000]
    const ids = moments.map((moment) => newId('we_', moment))
    expect([...ids].sort()).toEqual(ids)
  })

  test('a hash has 12 characters, at least one a letter, so it is never a numeric id', () => {
    for (let n = 0; n < 2_000; n++) expect(isHash(newHash())).toBe(true)
    expect(isHash('123456789012')).toBe(false)
    expect(isHash('a12345678901')).toBe(true)
    expect(isHash('a1234567890')).toBe(false)
    expect(isHash('a123456789012')).toBe(false)
    expect(isHash('a1234567890_')).toBe(false)
    expect(isHash('a12345678901\n')).toBe(false)
  })
})

describe('API keys', () => {
  test.each([
    ['store', true, 'sk_live_'],
    ['store', false, 'sk_test_'],
    ['security', true, 'sec_live_'],
    ['security', false, 'sec_test_'],
  ] as const)(
    'a %s key (live: %s) begins with %s and has 40 characters after it',
    (kind, live, prefix) => {
      const key = newApiKey(kind, live)
      expect(key.startsWith(prefix)).toBe(true)
      expect(key.slice(prefix.length)).toMatch(/^[0-9A-Za-z]{40}$/)
      expect(isApiKey(kind, key)).toBe(true)
      expect(isApiKey(kind === 'store' ? 'security' : 'store', key)).toBe(false)
    },
  )

  test('one wrong character is detected without a lookup', () => {
    const key = newApiKey('store', true)
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: key.length - 1 }),
        fc.constantFrom(...'09AZaz_-'),
        (index, character) => {
          const mistyped = key.slice(0, index) + character + key.slice(index + 1)
          expect(isApiKey('store', mistyped)).toBe(mistyped === key)
        },
      ),
    )
  })

  test('two swapped characters, an additional and a missing character are detected too', () => {
    const key = newApiKey('store', true)
    for (let index = 8; index + 1 < key.length; index++) {
      const pair = `${key[index + 1]}${key[index]}`
      const swapped = key.slice(0, index) + pair + key.slice(index + 2)
      expect(isApiKey('store', swapped)).toBe(swapped === key)
    }
    expect(isApiKey('store', `${key}0`)).toBe(false)
    expect(isApiKey('store', key.slice(0, -1))).toBe(false)
    expect(isApiKey('store', '')).toBe(false)
  })
})
