import { storeRequest } from '../../api/action.ts'
import type { ListedProduct, ProductsListQuery, Variant } from '../../api/store.ts'
import { firstStep } from '../../kit/first-step.ts'
import { formatNumber, humanize } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { NEW_HASH } from '../../kit/open-by-address.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { State } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { pace } from '../../text/pace.ts'
import { products } from '../../text/products.ts'
import { STATUS_FILTER, STOCK_FILTER } from './product-filters.ts'
import { StockTabs } from './stock.tsx'

const poolsOf = ({ variants = [] }: ListedProduct): Variant[] =>
  variants.filter(({ delivery_type }) => delivery_type === 'serial')

const isLow = ({ stock_quantity, low_stock_threshold }: Variant) =>
  low_stock_threshold !== null && stock_quantity <= low_stock_threshold

const COLUMNS: readonly Column<ListedProduct>[] = [
  { label: pace.product, show: ({ name }) => name, text: ({ name }) => name },
  {
    label: common.status,
    show: ({ status }) => <State state={status} />,
    text: ({ status }) => humanize(status),
  },
  {
    label: pace.pool,
    show: (product) => (
      <ul className="pools">
        {poolsOf(product).map((variant) => (
          <li key={variant.id}>
            <Link to={`/products/${product.id}/variants/${variant.id}/keys`}>{variant.name}</Link>:{' '}
            {formatNumber(variant.stock_quantity)}{' '}
            {variant.stock_quantity === 0 ? (
              <State state="out_of_stock">{pace.out}</State>
            ) : (
              isLow(variant) && <State state="low_stock">{pace.lowAt}</State>
            )}
          </li>
        ))}
      </ul>
    ),
    text: (product) =>
      poolsOf(product)
        .map(({ name, stock_quantity }) => `${name}: ${stock_quantity}`)
        .join('; '),
  },
]

export const Page = () => (
  <Frame title={pace.title} lead={pace.poolsLead}>
    <StockTabs />
    <List<ListedProduct>
      queryKey={['products', 'pools']}
      label={pace.pools}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/products/${id}`}
      filters={[{ name: 'search', label: products.search }, STATUS_FILTER, STOCK_FILTER]}
      empty={pace.noPools}
      firstStep={firstStep(
        storeRequest('stock', 'addKeys', 'PRODUCT', 1, { keys: ['AAAA-1111'] }),
        {
          to: `/products#${NEW_HASH}`,
          label: products.new,
          area: 'products',
        },
      )}
      read={async ({ api }, query) => {
        const listQuery = { ...query, type: ['serial'], include: ['variants'] }
        const page = await api.products.list(listQuery as unknown as ProductsListQuery)
        return { rows: page.products, ...page.pagination }
      }}
    />
  </Frame>
)
