import { addDays, formatDay, formatShortDay } from '../../kit/calendar.ts'
import { Chart } from '../../kit/chart.tsx'
import { COUNT_UNIT } from '../../kit/chart-units.ts'
import { Facts, Section } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { useStoreClockLead } from '../../kit/store-clock.ts'
import { pace } from '../../text/pace.ts'
import { products } from '../../text/products.ts'
import { usePaces } from './paces.ts'
import { Runway } from './runway.tsx'

const ISO_DAY_LENGTH = 10

/** The units of the last 28 days as a chart with a table, and the time at which the stock ends. */
export function ProductPace({ productId }: { productId: string }) {
  const read = usePaces([productId])
  const today = new Date(Date.now() + useStoreClockLead()).toISOString().slice(0, ISO_DAY_LENGTH)
  return (
    <Section title={pace.lately}>
      <Loaded read={read} rows={3}>
        {(paces) => {
          const forecast = paces.get(productId)
          if (!forecast) return null
          const firstDay = addDays(today, 1 - forecast.days.length)
          return (
            <>
              <Facts rows={[[products.stock, <Runway key="runway" forecast={forecast} />]]} />
              <Chart
                label={pace.perDay}
                pointLabel={pace.day}
                kind="bars"
                unit={COUNT_UNIT}
                file={`sales-${productId}`}
                points={forecast.days.map((value, index) => {
                  const day = addDays(firstDay, index)
                  return { key: day, label: formatDay(day), tick: formatShortDay(day), value }
                })}
              />
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}
