import { type Request, storeRequest } from '../../api/action.ts'
import { allOf } from '../../api/all-of.ts'
import {
  type Category,
  type Group,
  type ListedProduct,
  type Product,
  useRead,
} from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { formatNumber } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { LoadedTable } from '../../kit/loaded-table.tsx'
import { AddProducts } from '../../kit/product-picker.tsx'
import { MoveButtons, useReorder } from '../../kit/reorder.tsx'
import { Money, Section, State } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { groupings } from '../../text/groupings.ts'
import { products as productTexts } from '../../text/products.ts'

const COLUMNS: readonly Column<ListedProduct>[] = [
  { label: common.name, show: ({ name }) => name },
  { label: common.status, show: ({ status }) => <State state={status} /> },
  {
    label: productTexts.price,
    isRightAligned: true,
    show: ({ price_cents, currency }) => <Money cents={price_cents} currency={currency} />,
  },
]

/**
 * The request that adds a product to a category, or removes it. It changes the product: a change of the category
 * would send the category's whole list, and would drop products that another user has added since.
 */
const categoryRequest = (product: Product, change: 'add' | 'remove', categoryId: number) => {
  const otherIds = product.categories.map(({ id }) => id).filter((id) => id !== categoryId)
  return {
    ...storeRequest('products', 'update', product.id, {
      category_ids: change === 'add' ? [...otherIds, categoryId] : otherIds,
    }),
    area: 'categories',
  }
}

export const CategoryProducts = ({
  category,
  isAllowed,
}: {
  category: Category
  isAllowed: boolean
}) => (
  <Section
    title={groupings.products}
    actions={
      isAllowed && (
        <AddProducts
          label={groupings.addProducts}
          isChosen={({ categories }) => categories.some(({ id }) => id === category.id)}
          request={(product) => categoryRequest(product, 'add', category.id)}
        />
      )
    }
  >
    <List<ListedProduct>
      queryKey={['categories', String(category.id), 'products']}
      label={groupings.products}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/products/${id}`}
      empty={groupings.noProducts}
      read={async ({ api }, query) => {
        const page = await api.products.list({ ...query, category_id: category.id, sort: 'name' })
        return { rows: page.products, ...page.pagination }
      }}
      {...(isAllowed && {
        rowActions: (product: ListedProduct) => (
          <RemoveProduct
            product={product}
            from={category.name}
            otherCount={category.product_count - 1}
            request={() => categoryRequest(product, 'remove', category.id)}
            addAgain={() => categoryRequest(product, 'add', category.id)}
          />
        ),
      })}
    />
  </Section>
)

type ChangeIds = (ids: readonly string[]) => string[]

/**
 * The request that replaces the products of a group. Before it is sent, the group is read again, so that products which another user
 * added or removed meanwhile are kept.
 */
const changeProductsRequest = ({ id, product_ids }: Group, change: ChangeIds): Request => ({
  ...storeRequest('groups', 'putProducts', id, { product_ids: change(product_ids) }),
  send: async ({ api }) => {
    const { group } = await api.groups.get(id)
    return api.groups.putProducts(id, { product_ids: change(group.product_ids) })
  },
})

const without = (ids: readonly string[], productId: string) => ids.filter((id) => id !== productId)

export function GroupProducts({ group, isAllowed }: { group: Group; isAllowed: boolean }) {
  const { id, product_ids } = group
  const read = useRead(['groups', id, 'products', product_ids], async ({ api }) => {
    const products = await allOf(api.products.list({ group_id: id }))
    const byId = new Map(products.map((product) => [product.id, product]))
    return product_ids.flatMap((productId) => byId.get(productId) ?? [])
  })
  const requestChange = (change: ChangeIds) => changeProductsRequest(group, change)
  const reorder = useReorder({
    ids: product_ids,
    request: (sortedIds) =>
      requestChange((ids) => [
        ...sortedIds.filter((id) => ids.includes(id)),
        ...ids.filter((id) => !sortedIds.includes(id)),
      ]),
  })
  return (
    <Section
      title={groupings.products}
      actions={
        isAllowed && (
          <AddProducts
            label={groupings.addProducts}
            lead={groupings.addToGroup}
            isChosen={(product) => product_ids.includes(product.id)}
            request={(product) => requestChange((ids) => [...without(ids, product.id), product.id])}
          />
        )
      }
    >
      {isAllowed && reorder.status}
      <LoadedTable
        read={read}
        empty={groupings.noProducts}
        label={groupings.products}
        columns={COLUMNS}
        keyOf={(product) => product.id}
        hrefOf={(product) => `/products/${product.id}`}
        {...(isAllowed && {
          rowActions: (product: ListedProduct) => (
            <>
              <MoveButtons id={product.id} name={product.name} reorder={reorder} />{' '}
              <RemoveProduct
                product={product}
                from={group.name}
                otherCount={product_ids.length - 1}
                request={() => requestChange((ids) => without(ids, product.id))}
                addAgain={() =>
                  requestChange((ids) =>
                    without(ids, product.id).toSpliced(
                      product_ids.indexOf(product.id),
                      0,
                      product.id,
                    ),
                  )
                }
              />
            </>
          ),
        })}
      />
    </Section>
  )
}

interface RemoveProps {
  product: ListedProduct
  /** The name of the category or the group. */
  from: string
  /** The number of its other products. */
  otherCount: number
  request: () => Request
  addAgain: () => Request
}

const RemoveProduct = ({ product: { name }, from, otherCount, request, addAgain }: RemoveProps) => (
  <Action
    label={groupings.removeProduct}
    title={fill(groupings.removeProductTitle, { name, from })}
    isDanger
    lead={<p>{fill(groupings.removeProductLead, { from, n: formatNumber(otherCount) })}</p>}
    submit={groupings.removeProduct}
    request={request}
    undo={() => ({ text: fill(common.removed, { name }), request: addAgain() })}
  />
)
