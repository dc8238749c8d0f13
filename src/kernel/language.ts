import { exponentOf, toMajor } from './money.ts'

/** The languages of mail and of the pages for buyers (decision 161). */
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
