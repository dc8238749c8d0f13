import { invalid } from '../../../../kernel/errors.ts'
import { exponentOf } from '../../../../kernel/money.ts'
import type { PaymentRef } from '../provider.ts'

type Amount = Pick<PaymentRef, 'amount_cents' | 'currency'>

/**
 * The currencies whose decimals differ at Stripe (https://docs.stripe.com/currencies). Iceland and Uganda have no
 * decimals any more, and Stripe still counts in hundredths; the ariary has fifths, which Stripe does not carry.
 */
const STRIPE_EXPONENTS: ReadonlyMap<string, number> = new Map([
  ['ISK', 2],
  ['UGX', 2],
  ['MGA', 0],
])
/** The last digit of a currency with three decimals must be 0. */
const THOUSANDTHS = 3
/** The largest number that Stripe accepts for any currency. */
const AMOUNT_MAX = 999_999_999_999

/** The smallest charge, in units of Stripe (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). */
const MINIMA: ReadonlyMap<string, number> = new Map([
  ['AED', 200],
  ['ARS', 50],
  ['AUD', 50],
  ['BGN', 100],
  ['BRL', 50],
  ['CAD', 50],
  ['CHF', 50],
  ['COP', 50],
  ['CZK', 1_500],
  ['DKK', 250],
  ['EUR', 50],
  ['GBP', 30],
  ['HKD', 400],
  ['HUF', 17_500],
  ['IDR', 50],
  ['ILS', 50],
  ['INR', 50],
  ['JPY', 50],
  ['KRW', 50],
  ['MXN', 1_000],
  ['MYR', 200],
  ['NOK', 300],
  ['NZD', 50],
  ['PHP', 50],
  ['PLN', 200],
  ['RON', 200],
  ['RUB', 50],
  ['SEK', 300],
  ['SGD', 50],
  ['THB', 1_000],
  ['USD', 50],
  ['ZAR', 50],
])

/** Returns an amount in the units of Stripe. Refuses one that it cannot carry, or that is below its minimum. */
export function toStripeAmount({ amount_cents, currency }: Amount): number {
  const amount = inStripeUnits({ amount_cents, currency })
  if (amount === undefined)
    throw invalid(
      'method',
      `Stripe cannot carry this amount: it has no such fraction of ${currency}.`,
    )
  if (amount > AMOUNT_MAX) throw invalid('method', 'This amount is too large for Stripe.')
  const minimum = MINIMA.get(currency) ?? 1
  if (amount >= minimum) return amount
  const minimum_cents = fromStripeAmount(minimum, currency)
  const message = `Stripe takes at least ${minimum_cents} (minor units of ${currency}).`
  throw invalid('method', message, { minimum_cents })
}

/** Returns an amount in the units of Stripe; undefined if it has a fraction that Stripe does not carry. */
export function inStripeUnits({ amount_cents, currency }: Amount): number | undefined {
  const isRounded = exponentOf(currency) !== THOUSANDTHS || amount_cents % 10 === 0
  return isRounded
    ? scale(amount_cents, stripeExponentOf(currency) - exponentOf(currency))
    : undefined
}

/** Returns an amount of Stripe in our minor units. A fraction of a unit is dropped. */
export const fromStripeAmount = (amount: number, currency: string): number =>
  Math.floor(amount / 10 ** (stripeExponentOf(currency) - exponentOf(currency)))

const stripeExponentOf = (currency: string): number =>
  STRIPE_EXPONENTS.get(currency) ?? exponentOf(currency)

/** Multiplies by a power of ten. Returns undefined if the result is not a whole number. */
function scale(value: number, power: number): number | undefined {
  if (power >= 0) return value * 10 ** power
  const divisor = 10 ** -power
  return value % divisor === 0 ? value / divisor : undefined
}
