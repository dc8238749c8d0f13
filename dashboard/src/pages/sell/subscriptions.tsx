import { storeRequest } from '../../api/action.ts'
import type { ListedSubscription, SubscriptionsListQuery } from '../../api/store.ts'
import { firstStep } from '../../kit/first-step.ts'
import { humanize } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Money, State, Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { products } from '../../text/products.ts'
import { subscriptions } from '../../text/subscriptions.ts'
import { NextRenewals } from './next-renewals.tsx'

const COLUMNS: readonly Column<ListedSubscription>[] = [
  {
    label: subscriptions.customer,
    show: ({ customer_email }) => customer_email,
    text: ({ customer_email }) => customer_email,
  },
  {
    label: subscriptions.product,
    show: ({ product }) => product.name,
    text: ({ product }) => product.name,
  },
  {
    label: common.status,
    show: ({ status }) => <State state={status} />,
    text: ({ status }) => humanize(status),
  },
  {
    label: subscriptions.cycle,
    show: ({ billing_cycle }) => humanize(billing_cycle),
    text: ({ billing_cycle }) => humanize(billing_cycle),
  },
  {
    label: subscriptions.price,
    isRightAligned: true,
    show: ({ recurring_price_cents, currency }) => (
      <Money cents={recurring_price_cents} currency={currency} />
    ),
    money: ({ recurring_price_cents, currency }) => [recurring_price_cents, currency],
  },
  {
    label: subscriptions.next,
    sorts: ['next_billing_date'],
    isRightAligned: true,
    show: ({ next_billing_date }) => <Time at={next_billing_date} />,
    text: ({ next_billing_date }) => next_billing_date,
  },
]

export const Page = () => (
  <Frame title={subscriptions.title}>
    <NextRenewals />
    <List
      queryKey={['subscriptions']}
      defaultSort="next_billing_date"
      label={subscriptions.title}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/subscriptions/${id}`}
      views={[
        { label: subscriptions.active, query: { status: 'active' } },
        { label: subscriptions.trialing, query: { status: 'trialing' } },
        { label: subscriptions.pastDue, query: { status: 'past_due' } },
        { label: subscriptions.ending, query: { status: 'active', auto_renew: 'false' } },
      ]}
      filters={[{ name: 'customer_email', label: common.email }]}
      empty={subscriptions.empty}
      firstStep={firstStep(
        storeRequest('billing', 'set', 'PRODUCT', { billing_cycle: 'monthly' }),
        {
          to: '/products',
          label: products.title,
        },
      )}
      read={async ({ api }, query) => {
        const listQuery = { sort: 'next_billing_date', ...query } as SubscriptionsListQuery
        const page = await api.subscriptions.list(listQuery)
        return { rows: page.subscriptions, ...page.pagination }
      }}
    />
  </Frame>
)
