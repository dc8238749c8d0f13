import type { BalanceEntry } from '../../api/store.ts'
import { humanize } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { Money, Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { customers } from '../../text/customers.ts'
import { CustomerTab } from './customer-frame.tsx'

const columnsOf = (currency: string): readonly Column<BalanceEntry>[] => [
  {
    label: common.created,
    show: ({ created_at }) => <Time at={created_at} />,
    text: ({ created_at }) => created_at,
  },
  {
    label: common.reason,
    show: ({ reason, order_id }) =>
      order_id === null ? reason : <Link to={`/orders/${order_id}`}>{humanize(reason)}</Link>,
    text: ({ reason, order_id }) => (order_id === null ? reason : humanize(reason)),
  },
  {
    label: common.amount,
    isRightAligned: true,
    show: ({ amount_cents }) => <Money cents={amount_cents} currency={currency} />,
    money: ({ amount_cents }) => [amount_cents, currency],
  },
  {
    label: customers.balance,
    isRightAligned: true,
    show: ({ balance_cents }) => <Money cents={balance_cents} currency={currency} />,
    money: ({ balance_cents }) => [balance_cents, currency],
  },
]

export const Page = () => (
  <CustomerTab>
    {({ id, currency }) => (
      <List
        queryKey={['customers', String(id), 'balance entries']}
        label={customers.entries}
        columns={columnsOf(currency)}
        keyOf={(entry) => entry.id}
        empty={customers.noEntries}
        read={async ({ api }, query) => {
          const page = await api.customers.listBalanceEntries(id, query)
          return { rows: page.balance_entries, ...page.pagination }
        }}
      />
    )}
  </CustomerTab>
)
