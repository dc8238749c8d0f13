import { formatNumber } from '../../kit/format.ts'
import { language } from '../../text/catalogue.ts'

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** A number of seconds, and the same duration in the largest unit without a remainder: `21,600 (6 hours)`. */
export function secondsText(seconds: number): string {
  const [unit, size] = UNITS.find(([, unitSize]) => seconds > 0 && seconds % unitSize === 0) ?? []
  if (unit === undefined || size === undefined) return formatNumber(seconds)
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const
  const inUnit = new Intl.NumberFormat(language, style).format(seconds / size)
  return `${formatNumber(seconds)} (${inUnit})`
}
