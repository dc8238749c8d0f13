import type { Customer, CustomersListQuery } from '../../api/store.ts'
import { formatMoney } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Money, State, Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { customers } from '../../text/customers.ts'

const COLUMNS: readonly Column<Customer>[] = [
  { label: common.email, show: ({ email }) => email, text: ({ email }) => email },
  {
    label: common.name,
    show: ({ name, blocked }) => (
      <>
        {name} {blocked && <State state="blocked">{customers.blocked}</State>}
      </>
    ),
    text: ({ name }) => name,
  },
  {
    label: customers.ordersCount,
    isNumber: true,
    show: ({ orders_count }) => orders_count,
    text: ({ orders_count }) => orders_count,
  },
  {
    label: customers.spent,
    isNumber: true,
    show: ({ total_spent_cents, currency }) => (
      <Money cents={total_spent_cents} currency={currency} />
    ),
    text: ({ total_spent_cents, currency }) => formatMoney(total_spent_cents, currency),
  },
  {
    label: customers.balance,
    isNumber: true,
    show: ({ balance_cents, currency }) => <Money cents={balance_cents} currency={currency} />,
    text: ({ balance_cents, currency }) => formatMoney(balance_cents, currency),
  },
  {
    label: customers.last,
    isNumber: true,
    show: ({ last_order_at }) => <Time at={last_order_at} ago />,
    text: ({ last_order_at }) => last_order_at,
  },
]

export const Page = () => (
  <Frame title={customers.title}>
    <List
      name={['customers']}
      label={customers.title}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/customers/${id}`}
      views={[
        { label: customers.byValue, query: { sort: '-total_spent_cents' } },
        { label: customers.blocked, query: { blocked: 'true' } },
      ]}
      filters={[
        { name: 'search', label: customers.search },
        { name: 'country', label: customers.country },
        { name: 'tag', label: customers.tags },
        {
          name: 'blocked',
          label: customers.blocked,
          options: [
            { value: 'true', label: common.yes },
            { value: 'false', label: common.no },
          ],
        },
      ]}
      empty={customers.empty}
      read={async ({ api }, query) => {
        const page = await api.customers.list(query as unknown as CustomersListQuery)
        return { rows: page.customers, ...page.pagination }
      }}
    />
  </Frame>
)
