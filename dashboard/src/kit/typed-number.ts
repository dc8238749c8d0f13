import { language } from '../text/catalogue.ts'
import { once } from './once.ts'

/** The thousands separator and the decimal separator of the user's language. */
const separators = once(() => {
  const parts = new Intl.NumberFormat(language, { useGrouping: 'always' }).formatToParts(1_234.5)
  const separatorOf = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return { group: separatorOf('group'), decimal: separatorOf('decimal') }
})

const NUMBER = /^-?(\d+(\.\d*)?|\.\d+)$/

/** Returns a typed number in the notation of programs. It may still be none. */
function plainNumber(typed: string): string {
  const text = typed.replace(/\s/g, '')
  const { group, decimal } = separators()
  const isGrouped = new RegExp(`^-?[1-9]\\d{0,2}(\\${group}\\d{3})+(\\${decimal}\\d+)?$`)
  return isGrouped.test(text)
    ? text.replaceAll(group, '').replace(decimal, '.')
    : text.replace(',', '.')
}

/**
 * Reads a typed number; NaN if it is none. `1.234` is more than a thousand in German and Spanish, and `1,234` in
 * English. Any other single point or comma is a decimal separator.
 */
export function readNumber(typed: string): number {
  const text = plainNumber(typed)
  return NUMBER.test(text) ? Number(text) : Number.NaN
}

/**
 * Reads a typed amount in minor units; NaN if it is none, or if it has more decimals than its currency, also zeros:
 * `1.250` EUR in English is 1.25 for one reader and more than a thousand for another.
 */
export function readAmount(typed: string, digits: number): number {
  const [, decimals = ''] = plainNumber(typed).split('.')
  return decimals.length > digits ? Number.NaN : Math.round(readNumber(typed) * 10 ** digits)
}

/** Returns true for a text such as `1.250`, whose separator stands for thousands or for decimals. */
export const isAmbiguous = (typed: string): boolean => /^\s*-?\d{1,3}[.,]\d{3}\s*$/.test(typed)

/** Writes a number for a field, without thousands separators, so that `readNumber` reads it back. */
export const typedNumber = (value: number, digits?: number): string =>
  (digits === undefined ? String(value) : value.toFixed(digits)).replace('.', separators().decimal)
