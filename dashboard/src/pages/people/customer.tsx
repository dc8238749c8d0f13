import type { ListedOrder } from '../../api/store.ts'
import { humanize } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Money, State, Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { customers } from '../../text/customers.ts'
import { orderList } from '../../text/order-list.ts'
import { CustomerTab } from './customer-frame.tsx'

const COLUMNS: readonly Column<ListedOrder>[] = [
  { label: orderList.number, show: ({ number }) => `#${number}`, text: ({ number }) => number },
  {
    label: common.status,
    show: ({ status }) => <State state={status} />,
    text: ({ status }) => humanize(status),
  },
  {
    label: common.created,
    show: ({ created_at }) => <Time at={created_at} />,
    text: ({ created_at }) => created_at,
  },
  {
    label: common.total,
    isRightAligned: true,
    show: ({ total_cents, currency }) => <Money cents={total_cents} currency={currency} />,
    money: ({ total_cents, currency }) => [total_cents, currency],
  },
]

export const Page = () => (
  <CustomerTab>
    {({ id }) => (
      <List
        queryKey={['orders', 'of customer', String(id)]}
        label={customers.ordersCount}
        columns={COLUMNS}
        keyOf={(order) => order.id}
        hrefOf={(order) => `/orders/${order.id}`}
        empty={customers.noOrders}
        read={async ({ api }, query) => {
          const page = await api.customers.listOrders(id, query)
          return { rows: page.orders, ...page.pagination }
        }}
      />
    )}
  </CustomerTab>
)
