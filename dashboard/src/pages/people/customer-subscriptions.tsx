import type { ListedSubscription } from '../../api/store.ts'
import { humanize } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Money, State, Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { customers } from '../../text/customers.ts'
import { subscriptions } from '../../text/subscriptions.ts'
import { CustomerTab } from './customer-frame.tsx'

const COLUMNS: readonly Column<ListedSubscription>[] = [
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
    label: subscriptions.next,
    isRightAligned: true,
    show: ({ next_billing_date }) => <Time at={next_billing_date} />,
    text: ({ next_billing_date }) => next_billing_date,
  },
  {
    label: subscriptions.price,
    isRightAligned: true,
    show: ({ recurring_price_cents, currency }) => (
      <Money cents={recurring_price_cents} currency={currency} />
    ),
    money: ({ recurring_price_cents, currency }) => [recurring_price_cents, currency],
  },
]

export const Page = () => (
  <CustomerTab>
    {({ id, email }) => (
      <List
        queryKey={['subscriptions', 'of customer', String(id)]}
        label={customers.subscriptions}
        columns={COLUMNS}
        keyOf={(subscription) => subscription.id}
        hrefOf={(subscription) => `/subscriptions/${subscription.id}`}
        empty={customers.noSubscriptions}
        read={async ({ api }, query) => {
          const page = await api.subscriptions.list({ ...query, customer_email: email })
          return { rows: page.subscriptions, ...page.pagination }
        }}
      />
    )}
  </CustomerTab>
)
