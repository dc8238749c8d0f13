import type { BalanceEntry } from '../../api/store.ts'
import { Link } from '../../kit/link.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { Money, Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { customers } from '../../text/customers.ts'
import { ledger } from '../../text/ledger.ts'
import { CustomerTab } from './customer-frame.tsx'

/** The reason of a change by an order, in words. The reason of any other change is the text of the team. */
const reasonOf = ({ reason }: BalanceEntry): string =>
  Object.hasOwn(ledger, reason) ? ledger[reason as keyof typeof ledger] : reason

const columnsOf = (currency: string): readonly Column<BalanceEntry>[] => [
  {
    label: common.created,
    show: ({ created_at }) => <Time at={created_at} />,
    text: ({ created_at }) => created_at,
  },
  {
    label: common.reason,
    show: (entry) =>
      entry.order_id === null ? (
        entry.reason
      ) : (
        <Link to={`/orders/${entry.order_id}`}>{reasonOf(entry)}</Link>
      ),
    text: (entry) => (entry.order_id === null ? entry.reason : reasonOf(entry)),
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
