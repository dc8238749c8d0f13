import { language } from '../text/catalogue.ts'
import { once } from './once.ts'

/** The thousands separator and the decimal separator of the user's language. */
const separators = once(() => {
  const parts = new Intl.NumberFormat(language, { useGrouping: 'always' }).formatToParts(1_234.5)
  const separatorOf = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return { group: separatorOf('group'), decimal: separatorOf('decimal') }
})

/**
 * Reads a typed number; NaN if it is none. `1.234` is more than a thousand in German and Spanish, and `1,234` in
 * English. Any other single point or comma is a decimal separator.
 */
export function readNumber(typed: string): number {
  const text = typed.replace(/\s/g, '')
  const { group, decimal } = separators()
  const isGrouped = new RegExp(`^-?[1-9]\\d{0,2}(\\${group}\\d{3})+(\\${decimal}\\d+)?$`)
  if (isGrouped.test(text)) return Number(text.replaceAll(group, '').replace(decimal, '.'))
  return text === '' ? Number.NaN : Number(text.replace(',', '.'))
}

/** Writes a number for a field, without thousands separators, so that `readNumber` reads it back. */
export const typedNumber = (value: number, digits?: number): string =>
  (digits === undefined ? String(value) : value.toFixed(digits)).replace('.', separators().decimal)
