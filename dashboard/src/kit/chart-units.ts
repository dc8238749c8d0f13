import { language } from '../text/catalogue.ts'
import { exponentOf } from './currency-digits.ts'
import { formatMoney, formatNumber } from './format.ts'

/** The formats in which a chart shows its values. */
export interface Unit {
  /** The unit in headings, such as "EUR"; undefined for counts. */
  name?: string
  /** A value with its unit. */
  format(value: number): string
  /** A short form for the scale. */
  tick(value: number): string
  /** The value in an exported file. */
  exported(value: number): string | number
}

export const COUNT_UNIT: Unit = {
  format: formatNumber,
  tick: (value) =>
    new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }).format(
      value,
    ),
  exported: (value) => value,
}

/** Amounts in minor units of a currency. */
export function moneyUnit(currency: string): Unit {
  const digits = exponentOf(currency)
  const compact = new Intl.NumberFormat(language, {
    notation: 'compact',
    maximumFractionDigits: 1,
  })
  return {
    name: currency,
    format: (value) => formatMoney(value, currency),
    tick: (value) => compact.format(value / 10 ** digits),
    exported: (value) => (value / 10 ** digits).toFixed(digits),
  }
}

export const withUnit = (label: string, { name }: Unit): string =>
  name === undefined ? label : `${label} (${name})`
