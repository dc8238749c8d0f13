import type { OrdersListQuery } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { useCounts } from '../../app/live.ts'
import type { Counts } from '../../app/page-table.ts'
import { formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Money, Receipt, Section, State, Time } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { common } from '../../text/common.ts'
import { home } from '../../text/home.ts'
import { orders } from '../../text/orders.ts'
import { SetupList } from './setup-list.tsx'
import { Today } from './today.tsx'

export const Page = () => (
  <Frame title={home.title}>
    <div className="split">
      <div>
        <Today />
        <Latest />
      </div>
      <div>
        <NeedsYou />
        <SetupList />
      </div>
    </div>
  </Frame>
)

const WAITING: readonly [keyof Counts, string][] = [
  ['orders', '/orders?status=manual_review'],
  ['tickets', '/tickets?awaiting=seller'],
  ['questions', '/questions?status=pending'],
  ['returns', '/returns'],
  ['payouts', '/affiliates/payouts?status=requested'],
  ['endpoints', '/webhooks'],
]

function NeedsYou() {
  const counts = useCounts()
  const waiting = WAITING.filter(([name]) => (counts?.[name] ?? 0) > 0)
  return (
    <Section title={home.needsYou}>
      {counts && waiting.length === 0 && <Empty>{home.nothing}</Empty>}
      <Receipt
        lines={waiting.map(([name, to]) => ({
          key: name,
          name: <Link to={to}>{home[name]}</Link>,
          amount: formatNumber(counts?.[name] ?? 0),
        }))}
      />
    </Section>
  )
}

function Latest() {
  const read = useRead(['orders', 'latest'], async ({ api }) => {
    const query: OrdersListQuery = { limit: 10, sort: '-created_at' }
    return (await api.orders.list(query)).orders
  })
  return (
    <Section title={home.latest} actions={<Link to="/orders">{orders.title}</Link>}>
      <Loaded read={read}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>{orders.empty}</Empty>
          ) : (
            <Table
              label={home.latest}
              rows={rows}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => `/orders/${id}`}
              columns={[
                { label: orders.number, show: ({ number }) => `#${number}` },
                { label: orders.customer, show: ({ customer }) => customer.email },
                { label: common.status, show: ({ status }) => <State state={status} /> },
                {
                  label: common.total,
                  isNumber: true,
                  show: ({ total_cents, currency }) => (
                    <Money cents={total_cents} currency={currency} />
                  ),
                },
                {
                  label: orders.age,
                  isNumber: true,
                  show: ({ created_at }) => <Time at={created_at} ago />,
                },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  )
}
