import { apiWords } from '../text/api-words.ts'
import { language } from '../text/catalogue.ts'

const moneyFormats = new Map<string, Intl.NumberFormat>()

function moneyFormat(currency: string): Intl.NumberFormat {
  const known = moneyFormats.get(currency)
  if (known) return known
  let format: Intl.NumberFormat
  try {
    format = new Intl.NumberFormat(language, { style: 'currency', currency })
  } catch {
    // Coins that have no ISO code.
    format = new Intl.NumberFormat(language, { minimumFractionDigits: 2 })
  }
  moneyFormats.set(currency, format)
  return format
}

/** How many digits the minor unit of a currency has: 2 for EUR, 0 for JPY. */
export const exponentOf = (currency: string): number =>
  moneyFormat(currency).resolvedOptions().maximumFractionDigits ?? 2

/** An amount in minor units, such as 1250 and EUR, in words of the language: €12.50. */
export const formatMoney = (minor: number, currency: string): string =>
  moneyFormat(currency).format(minor / 10 ** exponentOf(currency))

export const formatNumber = (value: number): string => new Intl.NumberFormat(language).format(value)

export const formatPercent = (share: number): string =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(share)

const dateTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })

export const formatDateTime = (iso: string): string => dateTime.format(new Date(iso))
export const formatDate = (iso: string): string => date.format(new Date(iso))

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** A moment as seen from now, such as "3 min ago". */
export function formatAgo(iso: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1_000)
  const [unit, size] = UNITS.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', 1]
  return relative.format(Math.trunc(seconds / size), unit)
}

const durations = (['day', 'hour'] as const).map(
  (unit) => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }),
)

/** A duration of whole days or hours, in words of the language. */
export function formatDuration(ms: number): string {
  const hours = Math.round(ms / 3_600_000)
  const [inDays, inHours] = durations
  return (hours % 24 === 0 ? inDays?.format(hours / 24) : inHours?.format(hours)) ?? ''
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
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1_000 ** step)
}

/** A word of the API in the reader's language: `manual_review` is "Manual review". */
export const humanize = (word: string): string => {
  const known = Object.hasOwn(apiWords, word) ? apiWords[word] : undefined
  if (known !== undefined) return known
  const text = word.replaceAll('_', ' ').replaceAll('.', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
