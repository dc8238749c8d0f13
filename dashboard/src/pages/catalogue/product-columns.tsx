import type { ListedProduct } from '../../api/store.ts'
import { formatNumber, humanize } from '../../kit/format.ts'
import type { Column } from '../../kit/list.tsx'
import { Money, State } from '../../kit/show.tsx'
import { Failure } from '../../kit/states.tsx'
import { common } from '../../text/common.ts'
import { pace } from '../../text/pace.ts'
import { products } from '../../text/products.ts'
import { usePaces } from './paces.ts'
import { Runway, Sparkline } from './runway.tsx'

/** A product, with the ids of all products on its page of the list. */
export interface ProductRow extends ListedProduct {
  pageIds: readonly string[]
}

export function rowsOf(listedProducts: readonly ListedProduct[]): ProductRow[] {
  const pageIds = listedProducts.map(({ id }) => id)
  return listedProducts.map((product) => ({ ...product, pageIds }))
}

/** The sum of the variants' stock, or why there is none. */
const stockOf = ({ variants = [], product_kind }: ListedProduct): string | number => {
  if (product_kind === 'bundle') return pace.byContents
  const limitedVariants = variants.filter(({ stock_mode }) => stock_mode !== 'unlimited')
  if (limitedVariants.length < variants.length) return products.unlimited
  return limitedVariants.reduce((sum, { stock_quantity }) => sum + stock_quantity, 0)
}

/** The stock until the forecast is loaded. */
const stockText = (product: ListedProduct): string => {
  const stock = stockOf(product)
  return typeof stock === 'number' ? formatNumber(stock) : stock
}

function Stock({ product }: { product: ProductRow }) {
  const { data } = usePaces(product.pageIds)
  const forecast = data?.get(product.id)
  if (product.product_kind === 'bundle') return pace.byContents
  return forecast ? <Runway forecast={forecast} /> : stockText(product)
}

function RecentSales({ product }: { product: ProductRow }) {
  const { data, error, refetch } = usePaces(product.pageIds)
  const forecast = data?.get(product.id)
  // All rows share the request, so only the first one offers to repeat it.
  if (error && !data && product.pageIds[0] === product.id) {
    return <Failure error={error} retry={() => refetch()} />
  }
  return forecast ? <Sparkline days={forecast.days} sum={forecast.units_sold} /> : <>–</>
}

/** The name next to the main picture, or to a placeholder. The picture needs no alternative text. */
function ProductName({ product: { name, media = [] } }: { product: ProductRow }) {
  const pictures = media.filter(({ kind }) => kind === 'image')
  const main = pictures.find(({ is_main }) => is_main) ?? pictures[0]
  return (
    <span className="named">
      {main ? (
        <img className="thumb" src={main.url} alt="" loading="lazy" width={32} height={32} />
      ) : (
        <span className="thumb" aria-hidden="true" />
      )}
      <span>{name}</span>
    </span>
  )
}

export const PRODUCT_COLUMNS: readonly Column<ProductRow>[] = [
  {
    label: common.name,
    sorts: ['name', '-name'],
    show: (product) => <ProductName product={product} />,
    text: ({ name }) => name,
  },
  {
    label: common.status,
    show: ({ status }) => <State state={status} />,
    text: ({ status }) => humanize(status),
  },
  {
    label: products.type,
    isExtra: true,
    show: ({ type }) => humanize(type),
    text: ({ type }) => type,
  },
  {
    label: products.price,
    sorts: ['-price_cents', 'price_cents'],
    isRightAligned: true,
    show: ({ price_cents, currency }) => <Money cents={price_cents} currency={currency} />,
    money: ({ price_cents, currency }) => [price_cents, currency],
  },
  {
    label: products.stock,
    isRightAligned: true,
    show: (product) => <Stock product={product} />,
    text: stockOf,
  },
  {
    label: pace.lately,
    isExtra: true,
    isRightAligned: true,
    show: (product) => <RecentSales product={product} />,
  },
  {
    label: products.sales,
    isExtra: true,
    sorts: ['-sales_count', 'sales_count'],
    isRightAligned: true,
    show: ({ sales_count }) => formatNumber(sales_count),
    text: ({ sales_count }) => sales_count,
  },
]
