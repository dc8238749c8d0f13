import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { CURRENCIES, exponentOf, lessPercent, toMajor } from './money.ts'

/** Parses the decimal text of a JSON number to minor units, without floating point. */
function minorOf(major: number, exponent: number): bigint {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(
    JSON.stringify(major),
  ) as RegExpExecArray
  expect(fraction.length).toBeLessThanOrEqual(exponent)
  return BigInt(`${sign}${whole}${fraction.padEnd(exponent, '0')}`)
}

const cents = fc.integer({ min: 0, max: 99_999_999_999 })

describe('amounts in major units', () => {
  test.each([
    ['EUR', 1999, 19.99],
    ['EUR', 5, 0.05],
    ['EUR', -5, -0.05],
    ['JPY', 1999, 1999],
    ['KWD', 5, 0.005],
    ['KWD', 1_234_567, 1234.567],
    ['CLF', 12_345, 1.2345],
    ['USD', 0, 0],
  ])('%s %i in minor units is %d', (currency, minor, major) => {
    expect(toMajor(minor, currency)).toBe(major)
  })

  test('a payload amount times ten to the exponent is the amount of the API, in every currency', () => {
    expect(CURRENCIES.size).toBeGreaterThan(150)
    for (const currency of CURRENCIES) {
      const exponent = exponentOf(currency)
      fc.assert(
        fc.property(cents, (amount) => {
          expect(minorOf(toMajor(amount, currency), exponent)).toBe(BigInt(amount))
        }),
        { numRuns: 40 },
      )
    }
  })

  test('currencies have the decimals of ISO 4217: zero, two, three or four', () => {
    expect(['JPY', 'KRW', 'VND', 'XAF'].map(exponentOf)).toEqual([0, 0, 0, 0])
    expect(['EUR', 'USD', 'GBP', 'CHF'].map(exponentOf)).toEqual([2, 2, 2, 2])
    expect(['KWD', 'BHD', 'TND', 'OMR'].map(exponentOf)).toEqual([3, 3, 3, 3])
  })
})

describe('the currencies a store may use', () => {
  test('do not depend on the list of Intl, which differs between versions of Node (decision 6)', async () => {
    const supportedValues = vi.spyOn(Intl, 'supportedValuesOf').mockReturnValue(['ITL'])
    const path = './money.ts?evaluated-again'
    const reloaded: typeof import('./money.ts') = await import(path)
    supportedValues.mockRestore()
    expect([...reloaded.CURRENCIES].sort()).toEqual([...CURRENCIES].sort())
    expect(CURRENCIES.size).toBe(165)
  })

  test.each(['ITL', 'DEM', 'HRK', 'BGN', 'ANG', 'SLL', 'ZWL', 'VEF', 'CUC'])(
    'do not include %s, which was withdrawn (decision 6)',
    (code) => {
      expect(CURRENCIES.has(code)).toBe(false)
    },
  )

  test.each(['XAU', 'XAG', 'XDR', 'XTS', 'XXX'])(
    'do not include %s, which is not money (decision 6)',
    (code) => {
      expect(CURRENCIES.has(code)).toBe(false)
    },
  )

  test.each(['EUR', 'XCG', 'SLE', 'ZWG', 'VES', 'VED', 'XAF', 'XCD', 'UYW'])(
    'include %s (decision 6)',
    (code) => {
      expect(CURRENCIES.has(code)).toBe(true)
    },
  )
})

describe('a price less a percentage', () => {
  test.each([
    [1000, 10, 900],
    [999, 50, 500],
    [1, 50, 1],
    [333, 33.33, 222],
    [1999, 0, 1999],
    [1999, 100, 0],
    [10_000, 0.01, 9_999],
    [1, 49.99, 1],
    [1, 50.01, 0],
  ])('%i less %d percent is %i', (price, percent, sale) => {
    expect(lessPercent(price, percent)).toBe(sale)
  })

  test('half a cent is rounded up, for any price and any two decimals', () => {
    fc.assert(
      fc.property(cents, fc.integer({ min: 0, max: 10_000 }), (price, hundredths) => {
        const exact = BigInt(price) * BigInt(10_000 - hundredths)
        const [whole, remainder] = [exact / 10_000n, exact % 10_000n]
        expect(BigInt(lessPercent(price, hundredths / 100))).toBe(
          remainder >= 5_000n ? whole + 1n : whole,
        )
      }),
      { numRuns: 2_000 },
    )
  })
})
