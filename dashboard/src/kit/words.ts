import { fill, language } from '../text/catalogue.ts'
import { formatNumber } from './format.ts'
import { once } from './once.ts'

const pluralRules = once(() => new Intl.PluralRules(language))
const andFormat = once(() => new Intl.ListFormat(language, { type: 'conjunction' }))
const orFormat = once(() => new Intl.ListFormat(language, { type: 'disjunction' }))
const regionNames = once(
  () => new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }),
)

/** Chooses the singular or the plural text and fills in `{n}`. */
export const countText = (n: number, singular: string, plural: string): string =>
  fill(pluralRules().select(n) === 'one' ? singular : plural, { n: formatNumber(n) })

/** `a, b and c`. */
export const listAnd = (items: readonly string[]): string => andFormat().format(items)

/** `a, b or c`. */
export const listOr = (items: readonly string[]): string => orFormat().format(items)

/** The name of a country by its ISO code, or the code itself if it is unknown. */
export function countryName(code: string): string {
  try {
    return regionNames().of(code) ?? code
  } catch {
    return code
  }
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Returns false for former codes, such as FX for FR, which would have the name of a country a second time. */
const isCurrent = (code: string) => new Intl.Locale(`und-${code}`).region === code

/** Country codes by country name, in the user's language. */
const codesByName = () => {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
  return new Map(
    codes
      .filter(isCurrent)
      .map((code) => [countryName(code).toLocaleLowerCase(language), code] as const),
  )
}

/** Parses codes and names of countries. Unknown words are kept, so that the API refuses them. */
export function countryCodes(text: unknown): string[] {
  const parts = String(text ?? '')
    .split(/[,;\n]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const names = parts.some((part) => part.length > 2) ? codesByName() : undefined
  const codes = parts.map(
    (part) => names?.get(part.toLocaleLowerCase(language)) ?? part.toUpperCase(),
  )
  return [...new Set(codes)]
}
