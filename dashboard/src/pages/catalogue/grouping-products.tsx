import { storeRequest } from '../../api/action.ts'
import { allOf } from '../../api/all-of.ts'
import {
  type Category,
  type Group,
  type ListedProduct,
  type Product,
  useRead,
} from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { type Column, List, Table } from '../../kit/list.tsx'
import { AddProducts } from '../../kit/product-picker.tsx'
import { MoveButtons, useReorder } from '../../kit/reorder.tsx'
import { Money, Section, State } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { groupings } from '../../text/groupings.ts'
import { products } from '../../text/products.ts'

const COLUMNS: readonly Column<ListedProduct>[] = [
  { label: common.name, show: ({ name }) => name },
  { label: common.status, show: ({ status }) => <State state={status} /> },
  {
    label: products.price,
    isNumber: true,
    show: ({ price_cents, currency }) => <Money cents={price_cents} currency={currency} />,
  },
]

/**
 * Adds a category to a product, or removes it, through the product: the products of a category would
 * have to be sent whole, and those that another user added meanwhile would leave it.
 */
const setCategory = (product: Product, id: number, isIn: boolean) => {
  const others = product.categories.map((item) => item.id).filter((item) => item !== id)
  return {
    ...storeRequest('products', 'update', product.id, {
      category_ids: isIn ? [...others, id] : others,
    }),
    area: 'categories',
  }
}

export const CategoryProducts = ({ of, isAllowed }: { of: Category; isAllowed: boolean }) => (
  <Section
    title={groupings.products}
    actions={
      isAllowed && (
        <AddProducts
          label={groupings.addProducts}
          isChosen={({ categories }) => categories.some(({ id }) => id === of.id)}
          request={(product) => setCategory(product, of.id, true)}
        />
      )
    }
  >
    <List<ListedProduct>
      name={['categories', String(of.id), 'products']}
      label={groupings.products}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/products/${id}`}
      empty={groupings.noProducts}
      read={async ({ api }, query) => {
        const page = await api.products.list({ ...query, category_id: of.id, sort: 'name' })
        return { rows: page.products, ...page.pagination }
      }}
      {...(isAllowed && {
        rowActions: (product: ListedProduct) => (
          <Take
            product={product}
            from={of.name}
            request={() => setCategory(product, of.id, false)}
          />
        ),
      })}
    />
  </Section>
)

const setProducts = (id: number, product_ids: string[]) =>
  storeRequest('groups', 'putProducts', id, { product_ids })

export function GroupProducts({ of, isAllowed }: { of: Group; isAllowed: boolean }) {
  const { id, product_ids } = of
  const read = useRead(['groups', id, 'products', product_ids], async ({ api }) => {
    const found = await allOf(api.products.list({ group_id: id }))
    const byId = new Map(found.map((product) => [product.id, product]))
    return product_ids.flatMap((product) => byId.get(product) ?? [])
  })
  const reorder = useReorder({ ids: product_ids, request: (ids) => setProducts(id, ids) })
  const without = (product: string) => product_ids.filter((item) => item !== product)
  return (
    <Section
      title={groupings.products}
      actions={
        isAllowed && (
          <AddProducts
            label={groupings.addProducts}
            lead={groupings.addToGroup}
            isChosen={(product) => product_ids.includes(product.id)}
            request={(product) => setProducts(id, [...without(product.id), product.id])}
          />
        )
      }
    >
      {reorder.status}
      <Loaded read={read}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>{groupings.noProducts}</Empty>
          ) : (
            <Table
              label={groupings.products}
              rows={rows}
              columns={COLUMNS}
              keyOf={(product) => product.id}
              hrefOf={(product) => `/products/${product.id}`}
              {...(isAllowed && {
                rowActions: (product: ListedProduct) => (
                  <>
                    <MoveButtons id={product.id} name={product.name} reorder={reorder} />{' '}
                    <Take
                      product={product}
                      from={of.name}
                      request={() => setProducts(id, without(product.id))}
                    />
                  </>
                ),
              })}
            />
          )
        }
      </Loaded>
    </Section>
  )
}

const Take = ({
  product: { name },
  from,
  request,
}: {
  product: ListedProduct
  from: string
  request: () => ReturnType<typeof setProducts>
}) => (
  <Action
    label={groupings.take}
    title={fill(groupings.takeTitle, { name, from })}
    isDanger
    lead={<p>{groupings.takeLead}</p>}
    submit={groupings.take}
    request={request}
  />
)
