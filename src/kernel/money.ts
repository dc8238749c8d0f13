/** Decimal places of the currencies that do not have two (ISO 4217). */
const EXPONENTS: Record<string, number> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
  CLF: 4,
  UYW: 4,
}

/** Every ISO 4217 code a store may keep its books in. */
export const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** The most money of one order: exact as a number, in major units too. */
export const TOTAL_MAX = 999_999_999_999_999

/** How many decimals a currency has: 2 for EUR, 0 for JPY, 3 for KWD (decision 6). */
export const exponentOf = (currency: string): number => EXPONENTS[currency] ?? 2

/**
 * Minor units as the decimal number of a webhook payload: 1999 EUR is 19.99, 5 KWD is 0.005. Read
 * from text, because a division can miss the nearest number (specification, "General conventions" 2).
 */
export function toMajor(cents: number, currency: string): number {
  const exponent = exponentOf(currency)
  const digits = String(Math.abs(cents)).padStart(exponent + 1, '0')
  const whole = digits.slice(0, digits.length - exponent)
  const sign = cents < 0 ? '-' : ''
  return Number(`${sign}${whole}.${digits.slice(digits.length - exponent)}`)
}

/** A price less a percentage of 0 to 100 with two decimals; half a cent goes up (decision 27). */
export function lessPercent(cents: number, percent: number): number {
  const kept = 10_000n - BigInt(Math.round(percent * 100))
  return Number((BigInt(cents) * kept + 5_000n) / 10_000n)
}

/** What one unit costs: less the variant's own discount, or the product's where it has none (decision 27). */
export const unitPrice = (one: {
  price_cents: number
  discount_percent: number
  product_discount_percent: number
}): number => lessPercent(one.price_cents, one.discount_percent || one.product_discount_percent)
