import { type FormEvent, useId } from 'react'
import type { AnalyticsSalesQuery, StoreContext } from '../../api/store.ts'
import { addDays, daysBetween } from '../../kit/calendar.ts'
import { formatNumber } from '../../kit/format.ts'
import { useSearch } from '../../kit/list.tsx'
import { analytics } from '../../text/analytics.ts'
import { fill } from '../../text/catalogue.ts'

type Interval = NonNullable<AnalyticsSalesQuery['interval']>

const PRESETS = [7, 30, 90, 365]
const DEFAULT_DAYS = 30
/** The longest range, in days, with a row for each day. Longer ranges have a row for each week. */
const DAYS_WITH_ROWS_MAX = 92
const INTERVALS: readonly Interval[] = ['day', 'week', 'month']

export interface Range {
  from: string
  to: string
  interval: Interval
}

/** The range in the address: its first and last day, or a number of days until today. */
export async function readRange(
  { api }: StoreContext,
  search: Record<string, string>,
): Promise<Range> {
  // The server says which day it is, because the store has its own time zone and its test side its
  // own clock.
  const to = search.to ?? (await api.analytics.sales()).summary.to
  const days = Number(search.days ?? DEFAULT_DAYS)
  const from = search.from ?? addDays(to, 1 - (PRESETS.includes(days) ? days : DEFAULT_DAYS))
  const interval = INTERVALS.find((item) => item === search.interval)
  return {
    from,
    to,
    interval: interval ?? (daysBetween(from, to) > DAYS_WITH_ROWS_MAX ? 'week' : 'day'),
  }
}

/**
 * A form that chooses a range and stores it in the address. While `range` is undefined, the form
 * shows the range in the address.
 */
export function RangeForm({ range }: { range: Range | undefined }) {
  const id = useId()
  const [search, setSearch] = useSearch()
  const { show, refunds, days: daysInAddress, from } = search
  const shownRange = { ...range, ...search }
  const chosenMeasures: Record<string, string> = {
    ...(show !== undefined && { show }),
    ...(refunds !== undefined && { refunds }),
  }
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '')
    setSearch({ from: text('from'), to: text('to'), interval: text('interval'), ...chosenMeasures })
  }
  return (
    <>
      <fieldset className="views" aria-label={analytics.ranges}>
        {PRESETS.map((days) => (
          <button
            type="button"
            key={days}
            aria-pressed={from === undefined && Number(daysInAddress ?? DEFAULT_DAYS) === days}
            onClick={() => setSearch({ days: String(days), ...chosenMeasures })}
          >
            {fill(analytics.days, { n: formatNumber(days) })}
          </button>
        ))}
      </fieldset>
      <form className="filters range" onSubmit={apply}>
        {(['from', 'to'] as const).map((name) => (
          <div className="filter" key={name}>
            <label htmlFor={`${id}-${name}`}>{analytics[name]}</label>
            <input
              // A new range creates the field again, so that it shows that range.
              key={shownRange[name]}
              id={`${id}-${name}`}
              name={name}
              type="date"
              required
              defaultValue={shownRange[name]}
            />
          </div>
        ))}
        <div className="filter">
          <label htmlFor={`${id}-interval`}>{analytics.interval}</label>
          <select
            key={shownRange.interval}
            id={`${id}-interval`}
            name="interval"
            defaultValue={shownRange.interval}
          >
            {INTERVALS.map((item) => (
              <option key={item} value={item}>
                {analytics[item]}
              </option>
            ))}
          </select>
        </div>
        <button type="submit">{analytics.apply}</button>
      </form>
    </>
  )
}
