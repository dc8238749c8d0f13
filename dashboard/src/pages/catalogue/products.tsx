import { storeRequest } from '../../api/action.ts'
import type { ListedProduct, ProductsListQuery } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useCurrency } from '../../kit/currency.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { formatMoney, formatNumber, humanize } from '../../kit/format.ts'
import { useGo } from '../../kit/link.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Money, State } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { products } from '../../text/products.ts'

const TYPES = ['serial', 'file', 'service', 'dynamic', 'physical', 'license'] as const

const stockOf = ({ variants = [] }: ListedProduct): string => {
  const counted = variants.filter(({ stock_mode }) => stock_mode !== 'unlimited')
  if (counted.length < variants.length) return products.unlimited
  return formatNumber(counted.reduce((sum, { stock_quantity }) => sum + stock_quantity, 0))
}

const COLUMNS: readonly Column<ListedProduct>[] = [
  { label: common.name, show: ({ name }) => name, text: ({ name }) => name },
  {
    label: common.status,
    show: ({ status }) => <State state={status} />,
    text: ({ status }) => status,
  },
  { label: products.type, show: ({ type }) => humanize(type), text: ({ type }) => type },
  { label: products.stock, isNumber: true, show: stockOf, text: stockOf },
  {
    label: products.sales,
    isNumber: true,
    show: ({ sales_count }) => formatNumber(sales_count),
    text: ({ sales_count }) => sales_count,
  },
  {
    label: products.price,
    isNumber: true,
    show: ({ price_cents, currency }) => <Money cents={price_cents} currency={currency} />,
    text: ({ price_cents, currency }) => formatMoney(price_cents, currency),
  },
]

export const Page = () => (
  <Frame title={products.title} actions={<NewProduct />}>
    <List
      name={['products']}
      label={products.title}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/products/${id}`}
      views={[
        { label: products.active, query: { status: 'active' } },
        { label: products.draft, query: { status: 'draft' } },
        { label: products.soldOut, query: { status: 'active', in_stock: 'false' } },
        { label: products.archived, query: { status: 'archived' } },
      ]}
      filters={[
        { name: 'search', label: products.search },
        {
          name: 'status',
          label: common.status,
          options: ['active', 'draft', 'archived'].map((value) => ({
            value,
            label: humanize(value),
          })),
        },
        {
          name: 'type',
          label: products.type,
          options: TYPES.map((value) => ({ value, label: humanize(value) })),
        },
        {
          name: 'in_stock',
          label: products.stock,
          options: [
            { value: 'true', label: common.yes },
            { value: 'false', label: common.no },
          ],
        },
      ]}
      empty={products.empty}
      read={async ({ api }, query) => {
        const asked = { ...query, include: ['variants'] } as unknown as ProductsListQuery
        const page = await api.products.list(asked)
        return { rows: page.products, ...page.pagination }
      }}
    />
  </Frame>
)

function NewProduct() {
  const isAllowed = useMayWrite('products')
  const currency = useCurrency()
  const go = useGo()
  if (!isAllowed || !currency) return null
  return (
    <Action
      label={products.new}
      isPrimary
      fields={[
        { name: 'name', label: common.name, required: true },
        {
          name: 'type',
          label: products.type,
          type: 'select',
          required: true,
          value: 'serial',
          options: TYPES.map((value) => ({ value, label: humanize(value) })),
        },
        { name: 'price_cents', label: products.price, type: 'money', currency, required: true },
      ]}
      submit={products.new}
      request={({ name, type, price_cents }) =>
        storeRequest('products', 'create', {
          name: String(name ?? ''),
          type: type as (typeof TYPES)[number],
          price_cents: Number(price_cents),
          status: 'draft',
        })
      }
      onDone={(answer) => go(`/products/${(answer as { product: { id: string } }).product.id}`)}
    />
  )
}
