import { apiWords } from '../text/api-words.ts'
import { language } from '../text/catalogue.ts'
import { exponentOf } from './currency-digits.ts'
import { once } from './once.ts'
import { onceInZone } from './zone.ts'

const moneyFormats = new Map<string, Intl.NumberFormat>()

function moneyFormat(currency: string): Intl.NumberFormat {
  const cached = moneyFormats.get(currency)
  if (cached) return cached
  const digits = exponentOf(currency)
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  let format: Intl.NumberFormat
  try {
    format = new Intl.NumberFormat(language, { style: 'currency', currency, ...options })
  } catch {
    // Crypto currencies that have no ISO code.
    format = new Intl.NumberFormat(language, options)
  }
  moneyFormats.set(currency, format)
  return format
}

/**
 * Formats an amount in minor units in the user's language: 1250 and EUR is "€12.50". Adding zero turns
 * minus zero, which would be shown as "-€0.00", into zero.
 */
export const formatMoney = (minor: number, currency: string): string =>
  moneyFormat(currency).format((minor + 0) / 10 ** exponentOf(currency))

const numberFormat = once(() => new Intl.NumberFormat(language))
const percentFormat = once(
  () => new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }),
)
export const formatNumber = (value: number): string => numberFormat().format(value)
export const formatPercent = (share: number): string => percentFormat().format(share)

const dateTimeFormat = onceInZone(
  (timeZone) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }),
)
const dateFormat = onceInZone(
  (timeZone) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone }),
)
const relativeFormat = (style: 'short' | 'long') =>
  once(() => new Intl.RelativeTimeFormat(language, { numeric: 'auto', style }))
const shortRelativeFormat = relativeFormat('short')
const longRelativeFormat = relativeFormat('long')
/** Units whose short form is hard to read, such as "last mo.". */
const LONG_UNITS: readonly string[] = ['month', 'year']

/** Formats a moment in the time zone of the store. */
export const formatDateTime = (iso: string): string => dateTimeFormat().format(new Date(iso))
export const formatDate = (iso: string): string => dateFormat().format(new Date(iso))

/** Units of time, with their length in seconds, and how many there must be: "last month" would not say how long ago. */
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number, number?][] = [
  ['year', 31_536_000, 2],
  ['month', 2_592_000, 3],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** Formats a moment relative to now, such as "3 min ago". */
export function formatAgo(iso: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1_000)
  const isUsed = ([, size, min = 1]: (typeof UNITS)[number]) => Math.abs(seconds) >= size * min
  const [unit, size] = UNITS.find(isUsed) ?? ['second', 1]
  const format = LONG_UNITS.includes(unit) ? longRelativeFormat : shortRelativeFormat
  return format().format(Math.trunc(seconds / size), unit)
}

/** The format of a duration in a unit, such as "3 days". */
export const durationFormat = (unit: 'day' | 'hour' | 'minute' | 'second') =>
  once(() => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }))
const dayFormat = durationFormat('day')
const hourFormat = durationFormat('hour')

/** Formats a duration in whole days or hours, in the user's language. */
export function formatDuration(ms: number): string {
  const hours = Math.round(ms / 3_600_000)
  return hours % 24 === 0 ? dayFormat().format(hours / 24) : hourFormat().format(hours)
}

export function formatBytes(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const step = Math.min(
    Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1_000)),
    units.length - 1,
  )
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[step] ?? 'byte',
    // The short form of bytes has no plural in English.
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1_000 ** step)
}

/** Converts a word of the API to the user's language: `manual_review` is "Manual review". */
export const humanize = (word: string): string => {
  const translation = Object.hasOwn(apiWords, word) ? apiWords[word] : undefined
  if (translation !== undefined) return translation
  const text = word.replaceAll('_', ' ').replaceAll('.', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
