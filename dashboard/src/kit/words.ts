import { fill, language } from '../text/catalogue.ts'
import { formatNumber } from './format.ts'

const plural = new Intl.PluralRules(language)
const conjunction = new Intl.ListFormat(language, { type: 'conjunction' })
const disjunction = new Intl.ListFormat(language, { type: 'disjunction' })
const regions = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' })

/** `{n}` in the singular or the plural text. */
export const counted = (n: number, one: string, many: string): string =>
  fill(plural.select(n) === 'one' ? one : many, { n: formatNumber(n) })

/** `a, b and c`. */
export const listAnd = (items: readonly string[]): string => conjunction.format(items)

/** `a, b or c`. */
export const listOr = (items: readonly string[]): string => disjunction.format(items)

/** The name of a country by its ISO code; the code itself if it is none. */
export function countryName(code: string): string {
  try {
    return regions.of(code) ?? code
  } catch {
    return code
  }
}
