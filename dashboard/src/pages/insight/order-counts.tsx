import type { OrdersListQuery, SalesSummary, StoreContext } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { addDays } from '../../kit/calendar.ts'
import { formatNumber } from '../../kit/format.ts'
import { Ranking } from '../../kit/ranking.tsx'
import { Loaded } from '../../kit/states.tsx'
import { startOfDay } from '../../kit/zone-days.ts'
import { analytics } from '../../text/analytics.ts'

/**
 * The share of completed orders has four digits. Below this number of orders, the count follows
 * exactly from the share.
 */
const EXACT_BELOW = 10_000

interface Step {
  label: string
  /** Null if the exact number is unknown. */
  orders: number | null
  /** The number of orders, estimated if the exact number is unknown. It sets the length of the bar. */
  estimate: number
}

async function readSteps({ api }: StoreContext, summary: SalesSummary) {
  const { from, to, time_zone, conversion_rate } = summary
  const begin = startOfDay(from, time_zone)
  const end = startOfDay(addDays(to, 1), time_zone)
  const countOrders = async (query: OrdersListQuery) =>
    (await api.orders.list({ ...query, limit: 1 })).pagination.total
  const created = await countOrders({ created_from: begin, created_to: end })
  const paid = await countOrders({ created_from: begin, created_to: end, paid_from: begin })
  const steps: Step[] = [
    { label: analytics.created, orders: created, estimate: created },
    { label: analytics.laterPaid, orders: paid, estimate: paid },
    {
      label: analytics.laterCompleted,
      orders: created < EXACT_BELOW ? Math.round(conversion_rate * created) : null,
      estimate: conversion_rate * created,
    },
  ]
  return { created, steps }
}

/** The steps of the orders that were created in the period, which the sales report does not have. */
export function OrderCounts({ summary }: { summary: SalesSummary }) {
  const { from, to, time_zone, conversion_rate } = summary
  const read = useRead(
    ['analytics', 'order counts', from, to, time_zone, conversion_rate],
    (store) => readSteps(store, summary),
    { keepPrevious: true },
  )
  return (
    <Loaded read={read} rows={3}>
      {({ created, steps }) =>
        created > 0 && (
          <Ranking<Step>
            label={analytics.funnel}
            rows={steps}
            total={created}
            file="sales-steps"
            keyOf={({ label }) => label}
            columns={[
              { label: analytics.step, show: ({ label }) => label, text: ({ label }) => label },
              {
                label: analytics.orders,
                isRightAligned: true,
                show: ({ orders }) => (orders === null ? '–' : formatNumber(orders)),
                text: ({ orders }) => orders,
              },
            ]}
            amountOf={({ estimate }) => estimate}
          />
        )
      }
    </Loaded>
  )
}
