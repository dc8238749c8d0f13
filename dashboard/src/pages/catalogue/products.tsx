import { storeRequest } from '../../api/action.ts'
import type { ProductsListQuery } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import type { BulkWork } from '../../kit/bulk.ts'
import { WithCurrency } from '../../kit/currency.tsx'
import { firstStep } from '../../kit/first-step.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { lazyPart } from '../../kit/lazy-part.tsx'
import { List } from '../../kit/list.tsx'
import { NEW_HASH } from '../../kit/open-by-address.tsx'
import { humanizedOptions } from '../../kit/options.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { NotAllowed } from '../../kit/states.tsx'
import { NAME_MAX } from '../../kit/text-limits.ts'
import { common } from '../../text/common.ts'
import { products } from '../../text/products.ts'
import { Archive, Duplicate } from './product-actions.tsx'
import { PRODUCT_COLUMNS, type ProductRow, rowsOf } from './product-columns.tsx'
import { DELIVERY_TYPES, PRODUCT_KINDS } from './product-fields.ts'
import { STATUS_FILTER, STOCK_FILTER } from './product-filters.ts'

const BULK: BulkWork<ProductRow> = {
  area: 'products',
  labelOf: ({ name }) => name,
  readAgain: async ({ api }, { id }) => (await api.products.get(id)).product,
  load: async () => (await import('./bulk-products.ts')).PRODUCT_ACTIONS,
}

const PANEL = {
  path: '/products',
  Panel: lazyPart(async () => (await import('./product-panel.tsx')).ProductPanel, 'opened'),
}

export function Page() {
  const isAllowed = useMayWrite('products')
  return (
    <Frame
      title={products.title}
      actions={
        isAllowed ? (
          <WithCurrency>{(currency) => <NewProduct currency={currency} />}</WithCurrency>
        ) : (
          <NotAllowed area="products" />
        )
      }
    >
      <List
        queryKey={['products']}
        label={products.title}
        columns={PRODUCT_COLUMNS}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/products/${id}`}
        bulk={BULK}
        panel={PANEL}
        views={[
          { label: products.active, query: { status: 'active' } },
          { label: products.draft, query: { status: 'draft' } },
          { label: products.soldOut, query: { status: 'active', in_stock: 'false' } },
          { label: products.archived, query: { status: 'archived' } },
        ]}
        filters={[
          { name: 'search', label: products.search },
          STATUS_FILTER,
          {
            name: 'type',
            label: products.type,
            options: humanizedOptions(DELIVERY_TYPES),
          },
          STOCK_FILTER,
        ]}
        empty={products.empty}
        firstStep={firstStep(
          storeRequest('products', 'create', { name: 'Game', type: 'serial', price_cents: 1999 }),
          isAllowed ? { to: `/products#${NEW_HASH}`, label: products.new } : undefined,
        )}
        read={async ({ api }, query) => {
          const listQuery = {
            ...query,
            include: ['variants', 'media'],
          } as unknown as ProductsListQuery
          const page = await api.products.list(listQuery)
          return { rows: rowsOf(page.products), ...page.pagination }
        }}
        {...(isAllowed && {
          rowActions: (product: ProductRow) => (
            <div className="actions in-row">
              <Duplicate product={product} />
              {product.status !== 'archived' && <Archive product={product} />}
            </div>
          ),
        })}
      />
    </Frame>
  )
}

function NewProduct({ currency }: { currency: string }) {
  return (
    <Action
      label={products.new}
      isPrimary
      fields={[
        { name: 'name', label: common.name, required: true, maxLength: NAME_MAX },
        {
          name: 'type',
          label: products.type,
          type: 'select',
          required: true,
          value: 'serial',
          options: humanizedOptions(DELIVERY_TYPES),
        },
        { name: 'price_cents', label: products.price, type: 'money', currency, required: true },
        {
          name: 'product_kind',
          label: products.kind,
          type: 'select',
          required: true,
          value: 'single',
          help: products.kindHelp,
          options: humanizedOptions(PRODUCT_KINDS),
        },
      ]}
      submit={products.new}
      request={({ name, type, price_cents, product_kind }) =>
        storeRequest('products', 'create', {
          name: String(name ?? ''),
          type: type as (typeof DELIVERY_TYPES)[number],
          price_cents: Number(price_cents),
          product_kind: product_kind as (typeof PRODUCT_KINDS)[number],
          status: 'draft',
        })
      }
      pageOf={(answer) => `/products/${(answer as { product: { id: string } }).product.id}`}
    />
  )
}
