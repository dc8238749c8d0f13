import { EXPONENTS } from './currencies.ts'

/** Every currency that a store may use (decision 6). */
export const CURRENCIES: ReadonlySet<string> = new Set(EXPONENTS.keys())

/** The largest total of an order; it is exact as a number, in major units too. */
export const TOTAL_MAX = 999_999_999_999_999

/** The number of decimals of a currency: 2 for EUR, 0 for JPY, 3 for KWD (decision 6). */
export const exponentOf = (currency: string): number => EXPONENTS.get(currency) ?? 2

/**
 * Minor units as the decimal number of a webhook payload: 1999 EUR is 19.99, 5 KWD is 0.005. It is
 * parsed from text, because a division can miss the nearest number (specification, "General
 * conventions" 2).
 */
export function toMajor(cents: number, currency: string): number {
  const exponent = exponentOf(currency)
  const digits = String(Math.abs(cents)).padStart(exponent + 1, '0')
  const whole = digits.slice(0, digits.length - exponent)
  const sign = cents < 0 ? '-' : ''
  return Number(`${sign}${whole}.${digits.slice(digits.length - exponent)}`)
}

/**
 * Reduces a price by a percentage of 0 to 100 with two decimals; half a cent is rounded up
 * (decision 27).
 */
export function lessPercent(cents: number, percent: number): number {
  const kept = 10_000n - BigInt(Math.round(percent * 100))
  return Number((BigInt(cents) * kept + 5_000n) / 10_000n)
}

/**
 * The price of one unit, less the variant's discount, or the product's if the variant has none
 * (decision 27).
 */
export const unitPrice = (item: {
  price_cents: number
  discount_percent: number
  product_discount_percent: number
}): number => lessPercent(item.price_cents, item.discount_percent || item.product_discount_percent)
