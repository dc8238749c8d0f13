import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SEED } from '../../../../../test/chance.mjs'
import { refusedField } from '../../../../../test/refusal.ts'
import { CURRENCIES, exponentOf, TOTAL_MAX, toMajor } from '../../../../kernel/money.ts'
import { fromStripeAmount, toStripeAmount } from './amounts.rules.ts'

/** The decimals of each currency at Stripe, in words of its documentation: none, or two unless it is named here. */
const WITHOUT_DECIMALS = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UYI VND VUV XAF XOF XPF'.split(
  ' ',
)
const WITH_THREE = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')
const WITH_FOUR = 'CLF UYW'.split(' ')

function decimalsOf(currency: string): number {
  if (WITHOUT_DECIMALS.includes(currency)) return 0
  if (WITH_THREE.includes(currency)) return 3
  return WITH_FOUR.includes(currency) ? 4 : 2
}

describe('an amount', () => {
  test.each([...CURRENCIES])(
    'of any size in %s is the same money at Stripe, or refused',
    (currency) => {
      const isOfThree = WITH_THREE.includes(currency)
      const ours = fc.oneof(
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.integer({ min: 1, max: TOTAL_MAX }),
      )
      fc.assert(
        fc.property(ours, (amount_cents) => {
          const payment = { amount_cents, currency }
          // Both are the decimal number that the buyer reads, in units of the finest fraction.
          const here = BigInt(amount_cents) * 10n ** BigInt(4 - exponentOf(currency))
          const fraction = 10n ** BigInt(4 - decimalsOf(currency)) * (isOfThree ? 10n : 1n)
          if (refusedField(() => toStripeAmount(payment)) !== undefined) {
            const isExtreme = here / fraction > 99_999_999_999n || here / fraction < 20_000n
            expect(here % fraction !== 0n || isExtreme, `${amount_cents} ${currency}`).toBe(true)
            return
          }
          const amount = toStripeAmount(payment)
          expect(Number.isSafeInteger(amount)).toBe(true)
          const atStripe = BigInt(amount) * 10n ** BigInt(4 - decimalsOf(currency))
          expect(atStripe, `${toMajor(amount_cents, currency)} ${currency}`).toBe(here)
          expect(here % fraction).toBe(0n)
          expect(fromStripeAmount(amount, currency)).toBe(amount_cents)
        }),
        { seed: SEED },
      )
    },
  )

  test.each([
    ['EUR', 1_999, 1_999],
    ['JPY', 500, 500],
    ['ISK', 500, 50_000],
    ['UGX', 5_000, 500_000],
    ['MGA', 500_000, 5_000],
    ['KWD', 12_340, 12_340],
    ['HUF', 17_500, 17_500],
  ])('in %s of %d is %d', (currency, amount_cents, amount) => {
    expect(toStripeAmount({ currency, amount_cents })).toBe(amount)
  })

  test.each([
    ['MGA', 500_020],
    ['KWD', 12_345],
    ['EUR', TOTAL_MAX],
    ['ISK', TOTAL_MAX],
    ['EUR', 49],
    ['HUF', 17_499],
    ['JPY', 49],
  ])('in %s of %d is refused', (currency, amount_cents) => {
    expect(refusedField(() => toStripeAmount({ currency, amount_cents }))).toBe('method')
  })
})
