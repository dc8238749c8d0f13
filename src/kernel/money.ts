import { EXPONENTS } from './currencies.ts'

/** Every currency that a store may use (decision 6). */
export const CURRENCIES: ReadonlySet<string> = new Set(EXPONENTS.keys())

/** The largest total of an order in cents. As a number it is exact, also in major units. */
export const TOTAL_MAX = 999_999_999_999_999

/** Returns the decimal places of a currency: 2 for EUR, 0 for JPY, 3 for KWD (decision 6). */
export const exponentOf = (currency: string): number => EXPONENTS.get(currency) ?? 2

/**
 * Converts minor units to the decimal number of a webhook payload: 19.99 for 1999 in EUR, 0.005 for 5 in
 * KWD. It is parsed from text, because a division can miss the nearest number (specification, "General
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
 * Reduces a price by a percentage of 0 to 100 with two decimals. Half a cent is rounded up (decision 27).
 */
export function lessPercent(cents: number, percent: number): number {
  const remainingBasisPoints = 10_000n - BigInt(Math.round(percent * 100))
  return Number((BigInt(cents) * remainingBasisPoints + 5_000n) / 10_000n)
}

/**
 * Returns the price of a unit less the discount of the variant. If the variant has no discount, that of
 * the product applies (decision 27).
 */
export const unitPrice = (item: {
  price_cents: number
  discount_percent: number
  product_discount_percent: number
}): number => lessPercent(item.price_cents, item.discount_percent || item.product_discount_percent)

/**
 * Returns what was paid for units of an order line that follow the first `earlierUnits`, in minor units. If the total of
 * the line does not divide evenly, the price of a unit is rounded down and the last unit has the remainder, so that the
 * prices of all units add up to the total.
 */
export function paidForUnits(
  { quantity, total_cents }: { quantity: number; total_cents: number },
  units: number,
  earlierUnits: number,
): number {
  const paidForFirst = (count: number) =>
    Number((BigInt(total_cents) * BigInt(count)) / BigInt(quantity))
  return paidForFirst(earlierUnits + units) - paidForFirst(earlierUnits)
}

/** Returns how many units of an order line an amount pays for, by the prices of `paidForUnits`; all units of a free line. */
export const unitsPaidBy = (
  { quantity, total_cents }: { quantity: number; total_cents: number },
  cents: number,
): number =>
  total_cents === 0
    ? quantity
    : Number(((BigInt(cents) + 1n) * BigInt(quantity) - 1n) / BigInt(total_cents))
