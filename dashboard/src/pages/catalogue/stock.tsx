import type { DashboardAnswer } from '../../api/dashboard.ts'
import { formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { fill } from '../../text/catalogue.ts'
import { pace } from '../../text/pace.ts'
import { LastUnit, Runway } from './runway.tsx'

type StockRunway = DashboardAnswer<'analytics.stock_runways'>['runways'][number]

const COLUMNS: readonly Column<StockRunway>[] = [
  {
    label: pace.product,
    show: ({ product_name }) => product_name,
    text: ({ product_name }) => product_name,
  },
  {
    label: pace.runway,
    isRightAligned: true,
    show: (row) => <Runway forecast={row} isShort />,
    text: ({ available }) => available,
  },
  {
    label: pace.lately,
    isRightAligned: true,
    show: ({ units_sold }) => formatNumber(units_sold),
    text: ({ units_sold }) => units_sold,
  },
  {
    label: pace.last,
    show: (row) => <LastUnit forecast={row} />,
    text: ({ runs_out_at }) => runs_out_at,
  },
]

export const StockTabs = () => (
  <Tabs
    label={pace.title}
    tabs={[
      { to: '/stock', label: pace.runsOut },
      { to: '/stock/pools', label: pace.pools },
    ]}
  />
)

export const Page = () => (
  <Frame title={pace.title} lead={pace.runsOutLead}>
    <StockTabs />
    <List<StockRunway>
      queryKey={['products', 'runways']}
      label={pace.runsOut}
      columns={COLUMNS}
      keyOf={({ product_id }) => product_id}
      hrefOf={({ product_id }) => `/products/${product_id}`}
      empty={pace.noneRunsOut}
      rowActions={({ product_id, product_name }) => (
        <span className="actions">
          <Link
            to={`/products/${product_id}/variants`}
            aria-label={fill(pace.restockNamed, { name: product_name })}
          >
            {pace.restock}
          </Link>
          <Link
            to={`/products/${product_id}/stock`}
            aria-label={fill(pace.waitingNamed, { name: product_name })}
          >
            {pace.waiting}
          </Link>
        </span>
      )}
      read={async (store, query) => {
        const page = await store.readDashboard<'analytics.stock_runways'>('/stock-runways', query)
        return { rows: page.runways, ...page.pagination }
      }}
    />
  </Frame>
)
