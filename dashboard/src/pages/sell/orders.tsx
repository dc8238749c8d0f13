import type { ListedOrder, OrdersListQuery } from '../../api/store.ts'
import { formatMoney, humanize } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Money, State, Time } from '../../kit/show.tsx'
import type { View } from '../../kit/views.tsx'
import { common } from '../../text/common.ts'
import { orders } from '../../text/orders.ts'
import { NewOrderAction } from './new-order.tsx'

const STATUSES = [
  'pending',
  'partially_paid',
  'manual_review',
  'paid',
  'completed',
  'expired',
  'cancelled',
  'refunded',
] as const

const VIEWS: readonly View[] = [
  { label: orders.todo, query: { status: 'manual_review' } },
  { label: orders.paid, query: { status: 'paid' } },
  { label: orders.waiting, query: { status: 'pending,partially_paid' } },
  {
    label: orders.toShip,
    query: { status: 'paid,completed', fulfillment_status: 'unfulfilled,partial' },
  },
  { label: orders.completed, query: { status: 'completed' } },
  { label: orders.refunded, query: { refund_status: 'partial,full' } },
]

const itemsOf = ({ items }: ListedOrder): string =>
  items.map(({ quantity, name }) => `${quantity} × ${name}`).join(', ')

const COLUMNS: readonly Column<ListedOrder>[] = [
  { label: orders.number, show: ({ number }) => `#${number}`, text: ({ number }) => number },
  {
    label: orders.customer,
    show: ({ customer }) => customer.email,
    text: ({ customer }) => customer.email,
  },
  { label: orders.items, show: itemsOf, text: itemsOf },
  {
    label: common.status,
    show: ({ status, refund_status }) => (
      <>
        <State state={status} />{' '}
        {refund_status === 'partial' && <State state="refunded">{orders.refunded}</State>}
      </>
    ),
    text: ({ status }) => status,
  },
  {
    label: common.total,
    isNumber: true,
    show: ({ total_cents, currency }) => <Money cents={total_cents} currency={currency} />,
    text: ({ total_cents, currency }) => formatMoney(total_cents, currency),
  },
  {
    label: orders.age,
    isNumber: true,
    show: ({ created_at }) => <Time at={created_at} ago />,
    text: ({ created_at }) => created_at,
  },
]

export const Page = () => (
  <Frame title={orders.title} actions={<NewOrderAction />}>
    <List
      name={['orders']}
      label={orders.title}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/orders/${id}`}
      views={VIEWS}
      filters={[
        { name: 'search', label: orders.search },
        {
          name: 'status',
          label: common.status,
          options: STATUSES.map((value) => ({ value, label: humanize(value) })),
        },
        { name: 'created_from', label: orders.from, type: 'date' },
        { name: 'created_to', label: orders.to, type: 'date' },
      ]}
      empty={orders.empty}
      read={async ({ api }, query) => {
        const page = await api.orders.list(query as unknown as OrdersListQuery)
        return { rows: page.orders, ...page.pagination }
      }}
    />
  </Frame>
)
