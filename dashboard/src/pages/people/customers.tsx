import { storeRequest } from '../../api/action.ts'
import { type Customer, type CustomersListQuery, useStore } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import type { BulkWork } from '../../kit/bulk.ts'
import { firstStep } from '../../kit/first-step.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { lazyPart } from '../../kit/lazy-part.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { NEW_HASH } from '../../kit/open-by-address.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Money, State, Time } from '../../kit/show.tsx'
import { NotAllowed } from '../../kit/states.tsx'
import { NAME_MAX } from '../../kit/text-limits.ts'
import { countryCodes } from '../../kit/words.ts'
import { addresses } from '../../text/addresses.ts'
import { common } from '../../text/common.ts'
import { customers } from '../../text/customers.ts'
import { orderList } from '../../text/order-list.ts'

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
    sorts: ['-orders_count', 'orders_count'],
    isRightAligned: true,
    show: ({ orders_count }) => orders_count,
    text: ({ orders_count }) => orders_count,
  },
  {
    label: customers.spent,
    sorts: ['-total_spent_cents', 'total_spent_cents'],
    isRightAligned: true,
    show: ({ total_spent_cents, currency }) => (
      <Money cents={total_spent_cents} currency={currency} />
    ),
    money: ({ total_spent_cents, currency }) => [total_spent_cents, currency],
  },
  {
    label: customers.balance,
    isExtra: true,
    sorts: ['-balance_cents', 'balance_cents'],
    isRightAligned: true,
    show: ({ balance_cents, currency }) => <Money cents={balance_cents} currency={currency} />,
    money: ({ balance_cents, currency }) => [balance_cents, currency],
  },
  {
    label: customers.last,
    isExtra: true,
    sorts: ['-last_order_at', 'last_order_at'],
    isRightAligned: true,
    show: ({ last_order_at }) => <Time at={last_order_at} ago />,
    text: ({ last_order_at }) => last_order_at,
  },
]

const BULK: BulkWork<Customer> = {
  area: 'customers',
  labelOf: ({ email }) => email,
  readAgain: async ({ api }, { id }) => (await api.customers.get(id)).customer,
  load: async () => (await import('./bulk-customers.ts')).CUSTOMER_ACTIONS,
}

const PANEL = {
  path: '/customers',
  Panel: lazyPart(async () => (await import('./customer-panel.tsx')).CustomerPanel, 'opened'),
}

export function Page() {
  const isAllowed = useMayWrite('customers')
  const newOrderLabel = useStore().livemode ? orderList.newOrder : orderList.newTest
  return (
    <Frame
      title={customers.title}
      actions={isAllowed ? <NewCustomer /> : <NotAllowed area="customers" />}
    >
      <List
        queryKey={['customers']}
        defaultSort="-total_spent_cents"
        label={customers.title}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/customers/${id}`}
        bulk={BULK}
        panel={PANEL}
        views={[
          { label: customers.latest, query: { sort: '-last_order_at' } },
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
        firstStep={firstStep(storeRequest('customers', 'create', { email: 'ada@example.com' }), {
          to: `/orders#${NEW_HASH}`,
          label: newOrderLabel,
          area: 'orders',
        })}
        read={async ({ api }, query) => {
          const listQuery = {
            sort: '-total_spent_cents',
            ...query,
          } as unknown as CustomersListQuery
          const page = await api.customers.list(listQuery)
          return { rows: page.customers, ...page.pagination }
        }}
      />
    </Frame>
  )
}

function NewCustomer() {
  return (
    <Action
      label={customers.new}
      lead={<p>{customers.newLead}</p>}
      isPrimary
      fields={[
        { name: 'email', label: common.email, type: 'email', required: true },
        { name: 'name', label: common.name, maxLength: NAME_MAX },
        { name: 'country', label: customers.country, help: addresses.countryHelp },
      ]}
      submit={customers.new}
      request={({ email, name, country }) =>
        storeRequest('customers', 'create', {
          email: String(email ?? ''),
          ...(name !== undefined && { name: String(name) }),
          ...(country !== undefined && { country: countryCodes(country)[0] ?? null }),
        })
      }
      pageOf={(answer) => `/customers/${(answer as { customer: Customer }).customer.id}`}
    />
  )
}
