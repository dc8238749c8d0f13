import type { Return, ReturnsListQuery } from '../../api/store.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { State, Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { returns } from '../../text/returns.ts'
import { unitsOf } from './return-parts.ts'

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
    text: ({ status }) => status,
  },
  { label: returns.units, isNumber: true, show: unitsOf, text: unitsOf },
  {
    label: returns.requestedAt,
    isNumber: true,
    show: ({ requested_at }) => <Time at={requested_at} ago />,
    text: ({ requested_at }) => requested_at,
  },
]

export const Page = () => (
  <Frame title={returns.title}>
    <List
      name={['returns']}
      label={returns.title}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/returns/${id}`}
      views={[
        { label: returns.toDecide, query: { status: 'requested' } },
        { label: returns.onTheWay, query: { status: 'approved' } },
        { label: returns.toRefund, query: { status: 'received' } },
      ]}
      filters={[
        { name: 'email', label: common.email },
        { name: 'order_id', label: returns.order },
      ]}
      empty={returns.empty}
      read={async ({ api }, query) => {
        const page = await api.returns.list(query as unknown as ReturnsListQuery)
        return { rows: page.returns, ...page.pagination }
      }}
    />
  </Frame>
)
