import type { ReactNode } from 'react'
import { type ListedOrder, useRead } from '../../api/store.ts'
import { LoadedTable } from '../../kit/loaded-table.tsx'
import { Money, Section, State } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { orderList } from '../../text/order-list.ts'
import { tickets } from '../../text/tickets.ts'

const ORDERS_MAX = 10

interface OrdersOfEmailProps {
  email: string
  /** Buttons at the end of each order. */
  rowActions?: (order: ListedOrder) => ReactNode
}

/** The newest orders of an email address, next to a record of the same customer. */
export function OrdersOfEmail({ email, rowActions }: OrdersOfEmailProps) {
  const read = useRead(
    ['orders', 'of', email],
    async ({ api }) => (await api.orders.list({ email, limit: ORDERS_MAX })).orders,
  )
  return (
    <Section title={tickets.orders}>
      <LoadedTable
        read={read}
        skeletonRows={2}
        empty={tickets.noOrders}
        label={tickets.orders}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/orders/${id}`}
        columns={[
          { label: orderList.number, show: ({ number }) => `#${number}` },
          { label: common.status, show: ({ status }) => <State state={status} /> },
          {
            label: common.total,
            isRightAligned: true,
            show: ({ total_cents, currency }) => <Money cents={total_cents} currency={currency} />,
          },
        ]}
        {...(rowActions && { rowActions })}
      />
    </Section>
  )
}
