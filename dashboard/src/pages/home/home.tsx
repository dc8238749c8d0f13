import { Suspense } from 'react'
import type { OrdersListQuery } from '../../api/store.ts'
import { mayWrite, useRead, useStore } from '../../api/store.ts'
import { type Counts, useCountsQuery } from '../../kit/counts.ts'
import { formatDate, formatNumber } from '../../kit/format.ts'
import { lazyPart } from '../../kit/lazy-part.tsx'
import { Link } from '../../kit/link.tsx'
import { NEW_HASH } from '../../kit/open-by-address.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Money, Receipt, Section, State, Time } from '../../kit/show.tsx'
import { Empty, Failure, Loaded, Skeleton } from '../../kit/states.tsx'
import { Table } from '../../kit/table.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { home } from '../../text/home.ts'
import { orderList } from '../../text/order-list.ts'
import { Today } from './today.tsx'

// The list waits for its records, and not every store sees it. Its code is therefore loaded after the page's.
const SetupList = lazyPart(async () => (await import('./setup-list.tsx')).SetupList)
const ThirtyDays = lazyPart(async () => (await import('./thirty-days.tsx')).ThirtyDays)

export const Page = () => (
  <Frame title={home.title} actions={<NewProduct />}>
    <div className="split attention-first">
      <div>
        <AttentionList />
        <Suspense fallback={<Skeleton rows={0} />}>
          <SetupList />
        </Suspense>
      </div>
      <div>
        <Today />
        <Suspense fallback={<Skeleton rows={3} />}>
          <ThirtyDays />
        </Suspense>
        <LatestOrders />
      </div>
    </div>
  </Frame>
)

/** Opens the form on the list of products, so that the first page loads no dialog. */
const NewProduct = () =>
  mayWrite(useStore(), 'products') && (
    <Link to={`/products#${NEW_HASH}`} className="primary">
      {home.newProduct}
    </Link>
  )

/** The counts that need the seller's attention, and the pages of their records. */
const COUNT_LINKS: readonly [Exclude<keyof Counts, 'orders'>, string][] = [
  ['disputes', '/disputes'],
  ['to_review', '/orders?status=manual_review'],
  ['to_deliver', '/orders?status=paid&on_hold=false'],
  ['to_ship', '/orders?status=completed&fulfillment_status=unfulfilled%2Cpartial&on_hold=false'],
  ['tickets', '/tickets?awaiting=seller'],
  ['questions', '/questions?status=pending'],
  ['returns', '/returns?status=requested%2Capproved%2Creceived'],
  ['payouts', '/affiliates/payouts?status=requested'],
  ['endpoints', '/webhooks?health=failing'],
]

/** The records that need the seller's attention, as a receipt. */
function AttentionList() {
  const countsRead = useCountsQuery()
  const soldOutRead = useRead(['products', 'sold out'], async ({ api }) => {
    const { pagination } = await api.products.list({
      limit: 1,
      status: ['active'],
      in_stock: false,
    })
    return pagination.total
  })
  const counts = countsRead.data
  const disputesName = useDisputesName(counts?.disputes ?? 0)
  const soldOut = soldOutRead.data
  const waiting = [
    ...COUNT_LINKS.map(([name, to]) => ({ name, to, count: counts?.[name] ?? 0 })),
    { name: 'soldOut' as const, to: '/products?status=active&in_stock=false', count: soldOut ?? 0 },
  ].filter(({ count }) => count > 0)
  const isLoading = countsRead.isLoading || soldOutRead.isLoading
  const isEmpty = counts !== undefined && soldOut !== undefined && waiting.length === 0
  return (
    <section className="card torn-edge" aria-label={home.needsYou}>
      <header className="card-head">
        <h2>{home.needsYou}</h2>
      </header>
      {countsRead.error && <Failure error={countsRead.error} retry={() => countsRead.refetch()} />}
      {soldOutRead.error && (
        <Failure error={soldOutRead.error} retry={() => soldOutRead.refetch()} />
      )}
      {isEmpty && <Empty>{home.nothing}</Empty>}
      {isLoading ? (
        <Skeleton rows={4} />
      ) : (
        <Receipt
          lines={waiting.map(({ name, to, count }) => ({
            key: name,
            name: <Link to={to}>{name === 'disputes' ? disputesName : home[name]}</Link>,
            amount: formatNumber(count),
          }))}
        />
      )}
    </section>
  )
}

/** The name of the entry of open disputes, with the day until which the first of them can be answered. */
function useDisputesName(count: number): string {
  const { data } = useRead(
    ['orders', 'first dispute', count],
    async ({ readDashboard }) => {
      const { disputes } = await readDashboard<'orders.list_disputes'>('/disputes', { limit: 1 })
      return disputes[0]?.due_at ?? null
    },
    { enabled: count > 0, isOptional: true },
  )
  if (data == null) return home.disputes
  return fill(home.disputesUntil, { n: count, date: formatDate(data) })
}

function LatestOrders() {
  const store = useStore()
  const newOrderLabel = store.livemode ? orderList.newOrder : orderList.newTest
  const newOrder = mayWrite(store, 'orders') && (
    <Link to={`/orders#${NEW_HASH}`}>{newOrderLabel}</Link>
  )
  const read = useRead(['orders', 'latest'], async ({ api }) => {
    const query: OrdersListQuery = { limit: 10, sort: '-created_at' }
    return (await api.orders.list(query)).orders
  })
  return (
    <Section title={home.latest} actions={<Link to="/orders">{orderList.title}</Link>}>
      <Loaded read={read}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty action={newOrder}>{orderList.empty}</Empty>
          ) : (
            <Table
              label={home.latest}
              rows={rows}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => `/orders/${id}`}
              columns={[
                { label: orderList.number, show: ({ number }) => `#${number}` },
                { label: orderList.customer, show: ({ customer }) => customer.email },
                { label: common.status, show: ({ status }) => <State state={status} /> },
                {
                  label: common.total,
                  isRightAligned: true,
                  show: ({ total_cents, currency }) => (
                    <Money cents={total_cents} currency={currency} />
                  ),
                },
                {
                  label: orderList.age,
                  isRightAligned: true,
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
