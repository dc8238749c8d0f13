import { exponentOf, toMajor } from './money.ts'

/** The languages of mail and of the pages for buyers. */
export const LANGUAGES = ['en', 'de', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

/** Returns an amount in minor units as people write it in a language, such as €9.99 or 9,99 €. */
export function formatMoney(cents: number, currency: string, language: Language): string {
  const digits = exponentOf(currency)
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(toMajor(cents, currency))
}

/** Returns the day of a time in a time zone as people write it in a language, such as 12. Dezember 2026. */
export const formatDay = (time: string, timeZone: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(new Date(time))

/** Returns a time in a time zone as people write it in a language, such as 12. Dezember 2026 um 14:10. */
export const formatTime = (time: string, timeZone: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(
    new Date(time),
  )

/** Returns the language that a browser prefers by its `Accept-Language` header; English if it prefers none of ours. */
export function preferredLanguage(header = ''): Language {
  const ranges = header
    .slice(0, HEADER_MAX)
    .split(',')
    .map((range) => {
      const [name = '', ...parameters] = range.split(';').map((part) => part.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      const language = LANGUAGES.find((item) => item === name.slice(0, 2).toLowerCase())
      return { language, weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ language, weight }) => language !== undefined && weight > 0)
    .sort((a, b) => b.weight - a.weight)
  return ranges[0]?.language ?? 'en'
}

/** The longest header that is read. Browsers send far less. */
const HEADER_MAX = 1_000
