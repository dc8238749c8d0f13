import { storeRequest } from '../../api/action.ts'
import type { Return, ReturnsListQuery } from '../../api/store.ts'
import { firstStep } from '../../kit/first-step.ts'
import { humanize } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { reasonText } from '../../kit/reasons.ts'
import { State, Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { orders } from '../../text/orders.ts'
import { returns } from '../../text/returns.ts'
import { unitsOf } from './return-parts.ts'

const reasonsOf = (items: Return['items']): string =>
  [...new Set(items.map(({ reason }) => reasonText(reason)))].join(', ')

const COLUMNS: readonly Column<Return>[] = [
  { label: returns.number, show: ({ rma }) => rma, text: ({ rma }) => rma },
  {
    label: returns.customer,
    show: ({ customer_email }) => customer_email,
    text: ({ customer_email }) => customer_email,
  },
  {
    label: common.status,
    show: ({ status }) => <State state={status} />,
    text: ({ status }) => humanize(status),
  },
  {
    label: common.reason,
    show: ({ items }) => reasonsOf(items),
    text: ({ items }) => reasonsOf(items),
  },
  { label: returns.units, isRightAligned: true, show: unitsOf, text: unitsOf },
  {
    label: returns.requestedAt,
    isRightAligned: true,
    show: ({ requested_at }) => <Time at={requested_at} ago />,
    text: ({ requested_at }) => requested_at,
  },
]

export const Page = () => (
  <Frame title={returns.title}>
    <List
      queryKey={['returns']}
      label={returns.title}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/returns/${id}`}
      views={[
        { label: returns.open, query: { status: 'requested,approved,received' } },
        { label: returns.toDecide, query: { status: 'requested' } },
        { label: returns.onTheWay, query: { status: 'approved' } },
        { label: returns.toRefund, query: { status: 'received' } },
        { label: returns.ended, query: { status: 'refunded,rejected,cancelled,closed' } },
      ]}
      filters={[
        { name: 'rma', label: returns.number },
        { name: 'email', label: common.email },
        { name: 'order_id', label: returns.order },
      ]}
      empty={returns.empty}
      firstStep={firstStep(
        storeRequest('returns', 'create', {
          order_id: 'ord_…',
          items: [{ order_item_id: 1, quantity: 1 }],
        }),
        { to: '/orders?status=completed', label: orders.completedOrders },
      )}
      read={async ({ api }, query) => {
        const page = await api.returns.list({ sort: 'waiting', ...query } as ReturnsListQuery)
        return { rows: page.returns, ...page.pagination }
      }}
    />
  </Frame>
)
