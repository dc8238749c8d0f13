import { formatDate, formatNumber } from '../../kit/format.ts'
import { State } from '../../kit/show.tsx'
import { useStoreClockLead } from '../../kit/store-clock.ts'
import { onceInZone } from '../../kit/zone.ts'
import { fill, language } from '../../text/catalogue.ts'
import { pace as text } from '../../text/pace.ts'
import { products } from '../../text/products.ts'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
/** A strip is full if the stock lasts for a quarter of a year or longer. */
const FULL_MS = 90 * DAY_MS

const weekdayAndHour = onceInZone(
  (timeZone) => new Intl.DateTimeFormat(language, { weekday: 'long', hour: 'numeric', timeZone }),
)

interface Forecast {
  available: number | null
  runs_out_at: string | null
}

/** Formats a moment as a weekday and an hour if it is within a week, and as a day otherwise. */
const roughTime = (iso: string, now: number): string =>
  Date.parse(iso) - now < WEEK_MS ? weekdayAndHour().format(new Date(iso)) : formatDate(iso)

interface RunwayProps {
  forecast: Forecast
  /** True if the moment is shown elsewhere. */
  isShort?: boolean
}

/** The units in stock and the time when they run out, with a strip that shrinks until then. */
export function Runway({ forecast: { available, runs_out_at }, isShort = false }: RunwayProps) {
  const now = Date.now() + useStoreClockLead()
  if (available === null) return <span>{products.unlimited}</span>
  if (available === 0) return <State state="out_of_stock">{text.out}</State>
  if (runs_out_at === null) return <span>{formatNumber(available)}</span>
  const share = Math.max(0, Math.min(1, (Date.parse(runs_out_at) - now) / FULL_MS))
  return (
    <span className="runway">
      <span>{formatNumber(available)}</span>
      <meter aria-hidden="true" min={0} max={1} value={share} />
      {!isShort && (
        <span className="secondary-text">
          {fill(text.until, { when: roughTime(runs_out_at, now) })}
        </span>
      )}
    </span>
  )
}

/** The time at which the last unit is expected to be sold. */
export function LastUnit({ forecast: { available, runs_out_at } }: { forecast: Forecast }) {
  const now = Date.now() + useStoreClockLead()
  if (available === 0) return <>{text.gone}</>
  return <>{runs_out_at === null ? '–' : fill(text.about, { when: roughTime(runs_out_at, now) })}</>
}

const WIDTH = 84
const HEIGHT = 20
/** The minimum height of a day with sales, so that it is visible. */
const BAR_MIN = 2

/** Units a day as small bars, next to their sum. The page of the product has the numbers. */
export function Sparkline({ days, sum }: { days: readonly number[]; sum: number }) {
  const unitsMax = Math.max(1, ...days)
  const step = WIDTH / Math.max(days.length, 1)
  return (
    <span className="spark">
      <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
        {days.map((units, index) => {
          const height = units === 0 ? 0 : Math.max(BAR_MIN, (units / unitsMax) * (HEIGHT - 1))
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: the position of a day identifies it.
              key={index}
              x={index * step}
              y={HEIGHT - 1 - height}
              width={step - 1}
              height={height}
            />
          )
        })}
        <line x1={0} x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
      </svg>
      <span>{formatNumber(sum)}</span>
    </span>
  )
}
