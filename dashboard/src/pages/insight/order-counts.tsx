import type { OrdersListQuery, SalesSummary, StoreContext } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { addDays, startOfDay } from '../../kit/calendar.ts'
import { formatNumber } from '../../kit/format.ts'
import { Ranking } from '../../kit/ranking.tsx'
import { Loaded } from '../../kit/states.tsx'
import { analytics } from '../../text/analytics.ts'

const SOURCES = ['storefront', 'api', 'embed'] as const
/** The share of completed orders has four digits, so a count of fewer orders follows from it. */
const EXACT_BELOW = 10_000

interface Count {
  label: string
  /** Null if it is not known exactly. */
  orders: number | null
  share: number
}

async function readCounts({ api }: StoreContext, summary: SalesSummary) {
  const { from, to, time_zone, conversion_rate } = summary
  const begin = startOfDay(from, time_zone)
  const end = startOfDay(addDays(to, 1), time_zone)
  const count = async (query: OrdersListQuery) =>
    (await api.orders.list({ ...query, limit: 1 })).pagination.total
  const created = await count({ created_from: begin, created_to: end })
  const paid = await count({ created_from: begin, created_to: end, paid_from: begin })
  const sources: Count[] = []
  for (const source of SOURCES) {
    const orders = await count({ paid_from: begin, paid_to: end, source: [source] })
    sources.push({ label: analytics[source], orders, share: orders })
  }
  const steps: Count[] = [
    { label: analytics.created, orders: created, share: created },
    { label: analytics.thenPaid, orders: paid, share: paid },
    {
      label: analytics.thenCompleted,
      orders: created < EXACT_BELOW ? Math.round(conversion_rate * created) : null,
      share: conversion_rate * created,
    },
  ]
  return { created, steps, sources: sources.filter(({ orders }) => orders !== 0) }
}

/** Counts of orders that the sales report does not have: the way of new orders, and the source of paid ones. */
export function OrderCounts({ summary }: { summary: SalesSummary }) {
  const { from, to, time_zone, conversion_rate, orders_count } = summary
  const read = useRead(
    ['analytics', 'order counts', from, to, time_zone, conversion_rate],
    (store) => readCounts(store, summary),
    { keepPrevious: true },
  )
  return (
    <Loaded read={read} rows={3}>
      {({ created, steps, sources }) => (
        <div className="pair">
          {created > 0 && (
            <Counts
              label={analytics.funnel}
              column={analytics.step}
              rows={steps}
              whole={created}
              file="sales-steps"
            />
          )}
          {sources.length > 0 && (
            <Counts
              label={analytics.sources}
              column={analytics.source}
              rows={sources}
              whole={orders_count}
              file="sales-sources"
            />
          )}
        </div>
      )}
    </Loaded>
  )
}

interface CountsProps {
  label: string
  /** The name of the first column. */
  column: string
  rows: readonly Count[]
  whole: number
  file: string
}

const Counts = ({ column, ...rest }: CountsProps) => (
  <Ranking<Count>
    {...rest}
    keyOf={({ label }) => label}
    columns={[
      { label: column, show: ({ label }) => label, text: ({ label }) => label },
      {
        label: analytics.orders,
        isNumber: true,
        show: ({ orders }) => (orders === null ? '–' : formatNumber(orders)),
        text: ({ orders }) => orders,
      },
    ]}
    amountOf={({ share }) => share}
  />
)
