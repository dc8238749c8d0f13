import type { OpenDispute } from '../../api/dashboard.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { reasonText } from '../../kit/reasons.ts'
import { Money, Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { disputes } from '../../text/disputes.ts'
import { orderList } from '../../text/order-list.ts'
import { OrderTabs } from './order-tabs.tsx'

const reasonOf = ({ reason }: OpenDispute) => (reason === null ? '–' : reasonText(reason))

const COLUMNS: readonly Column<OpenDispute>[] = [
  {
    label: orderList.number,
    show: ({ order_number }) => `#${order_number}`,
    text: ({ order_number }) => order_number,
  },
  {
    label: orderList.customer,
    show: ({ customer_email }) => customer_email,
    text: ({ customer_email }) => customer_email,
  },
  { label: common.reason, show: reasonOf, text: reasonOf },
  {
    label: disputes.until,
    show: ({ due_at }) => <Time at={due_at} />,
    text: ({ due_at }) => due_at,
  },
  {
    label: common.amount,
    isRightAligned: true,
    show: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
    money: ({ amount_cents, currency }) => [amount_cents, currency],
  },
]

/** The payments whose buyers dispute them, those that must be answered first in front. */
export const Page = () => (
  <Frame title={disputes.title} lead={disputes.lead}>
    <OrderTabs />
    <List
      queryKey={['orders', 'disputes']}
      label={disputes.title}
      columns={COLUMNS}
      keyOf={({ payment_id }) => payment_id}
      hrefOf={({ order_id }) => `/orders/${order_id}`}
      empty={disputes.empty}
      read={async ({ readDashboard }, query) => {
        const page = await readDashboard<'orders.list_disputes'>('/disputes', query)
        return { rows: page.disputes, ...page.pagination }
      }}
    />
  </Frame>
)
