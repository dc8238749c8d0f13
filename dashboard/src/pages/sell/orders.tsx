import { storeRequest } from '../../api/action.ts'
import { type ListedOrder, useStore } from '../../api/store.ts'
import type { BulkWork } from '../../kit/bulk.ts'
import { firstStep } from '../../kit/first-step.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { humanize } from '../../kit/format.ts'
import { lazyPart } from '../../kit/lazy-part.tsx'
import { type Column, type Filter, List } from '../../kit/list.tsx'
import { NEW_HASH } from '../../kit/open-by-address.tsx'
import { humanizedOptions } from '../../kit/options.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { Money, State, Time } from '../../kit/show.tsx'
import type { View } from '../../kit/views.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { orderList } from '../../text/order-list.ts'
import { orders } from '../../text/orders.ts'
import { NewOrderAction } from './new-order.tsx'
import { replaceRequestId } from './order-of-request.ts'
import { OrderTabs } from './order-tabs.tsx'

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
  { label: orders.toDeliver, query: { status: 'paid', on_hold: 'false' } },
  { label: orders.waiting, query: { status: 'pending,partially_paid' } },
  {
    label: orders.toShip,
    query: {
      status: 'paid,completed',
      fulfillment_status: 'unfulfilled,partial',
      on_hold: 'false',
    },
  },
  { label: orders.onHold, query: { on_hold: 'true' } },
  { label: orders.completed, query: { status: 'completed' } },
  { label: orders.refunded, query: { refund_status: 'partial,full' } },
]

const FILTERS: readonly Filter[] = [
  { name: 'search', label: orders.search },
  {
    name: 'status',
    label: common.status,
    options: humanizedOptions(STATUSES),
  },
  { name: 'created_from', label: orders.from, type: 'date' },
  { name: 'created_to', label: orders.to, type: 'date' },
  { name: 'paid_from', label: orders.paidFrom, type: 'date' },
]

const idOf = ({ id }: ListedOrder): string => id
const itemsOf = ({ items }: ListedOrder): string =>
  items.map(({ quantity, name }) => `${quantity} × ${name}`).join(', ')

const COLUMNS: readonly Column<ListedOrder>[] = [
  { label: orderList.number, show: ({ number }) => `#${number}`, text: ({ number }) => number },
  {
    label: orderList.customer,
    show: ({ customer }) => customer.email,
    text: ({ customer }) => customer.email,
  },
  { label: orders.items, isExtra: true, show: itemsOf, text: itemsOf },
  {
    label: common.status,
    show: ({ status, refund_status, hold }) => (
      <>
        <State state={status} /> {hold && <State state="on_hold" />}{' '}
        {refund_status === 'partial' && <State state="refunded">{orders.partlyRefunded}</State>}
      </>
    ),
    text: ({ status }) => humanize(status),
  },
  {
    label: common.total,
    sorts: ['-total_cents', 'total_cents'],
    isRightAligned: true,
    show: ({ total_cents, currency }) => <Money cents={total_cents} currency={currency} />,
    money: ({ total_cents, currency }) => [total_cents, currency],
  },
  {
    label: orderList.age,
    fileLabel: common.created,
    sorts: ['-created_at', 'created_at'],
    isRightAligned: true,
    show: ({ created_at }) => <Time at={created_at} ago />,
    text: ({ created_at }) => created_at,
  },
]

const BULK: BulkWork<ListedOrder> = {
  area: 'orders',
  labelOf: ({ number }) => fill(orders.orderTitle, { number }),
  readAgain: async ({ api }, { id }) => (await api.orders.get(id)).order,
  load: async () => (await import('./bulk-orders.ts')).ORDER_ACTIONS,
}

const PANEL = {
  path: '/orders',
  Panel: lazyPart(async () => (await import('./order-panel.tsx')).OrderPanel, 'opened'),
}

export function Page() {
  const isAllowed = useMayWrite('orders')
  const newOrderLabel = useStore().livemode ? orderList.newOrder : orderList.newTest
  return (
    <Frame title={orderList.title} actions={<NewOrderAction />}>
      <OrderTabs />
      <List
        queryKey={['orders']}
        defaultSort="-created_at"
        label={orderList.title}
        columns={COLUMNS}
        keyOf={idOf}
        hrefOf={({ id }) => `/orders/${id}`}
        bulk={BULK}
        panel={PANEL}
        views={VIEWS}
        filters={FILTERS}
        empty={orderList.empty}
        firstStep={firstStep(
          storeRequest('orders', 'create', {
            items: [{ product_id: 'PRODUCT', quantity: 1 }],
            customer: { email: 'ada@example.com' },
            mark_paid: true,
          }),
          isAllowed ? { to: `/orders#${NEW_HASH}`, label: newOrderLabel } : undefined,
        )}
        read={async (store, query) => {
          const page = await store.api.orders.list((await replaceRequestId(store, query)) as never)
          return { rows: page.orders, ...page.pagination }
        }}
      />
    </Frame>
  )
}
