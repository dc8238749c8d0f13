import type { LedgerEntry } from '../../api/store.ts'
import { Link } from '../../kit/link.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Money, Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { ledger } from '../../text/ledger.ts'
import { orders } from '../../text/orders.ts'
import { records } from '../../text/records.ts'
import { WalletTabs } from './wallet.tsx'

const COLUMNS: readonly Column<LedgerEntry>[] = [
  { label: records.when, show: ({ at }) => <Time at={at} />, text: ({ at }) => at },
  {
    label: ledger.account,
    show: ({ account }) => ledger[account],
    text: ({ account }) => ledger[account],
  },
  {
    label: common.reason,
    show: ({ reason }) => ledger[reason],
    text: ({ reason }) => ledger[reason],
  },
  {
    label: orders.order,
    show: ({ order_id }) =>
      order_id === null ? '–' : <Link to={`/orders/${order_id}`}>{ledger.openOrder}</Link>,
    text: ({ order_id }) => order_id,
  },
  {
    label: common.amount,
    isRightAligned: true,
    show: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
    money: ({ amount_cents, currency }) => [amount_cents, currency],
  },
]

export const Page = () => (
  <Frame title={records.wallet} lead={ledger.lead}>
    <WalletTabs />
    <List
      queryKey={['account', 'ledger']}
      label={ledger.title}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      empty={ledger.empty}
      read={async ({ api }, query) => {
        const { entries, next_cursor } = await api.account.listLedger(query)
        return { rows: entries, next_cursor }
      }}
    />
  </Frame>
)
