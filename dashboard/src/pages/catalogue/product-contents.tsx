import type { BundleItem, Product } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { EditAction } from '../../kit/edit-action.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Table } from '../../kit/list.tsx'
import { MoveButtons, useReorder } from '../../kit/reorder.tsx'
import { Section } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { bundles } from '../../text/bundles.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { AddContent } from './add-content.tsx'
import {
  changeItemsRequest,
  ITEMS_MAX,
  inSequence,
  readItems,
  withoutVariant,
  withQuantity,
} from './bundle-items.ts'
import { ProductTab } from './product-frame.tsx'

export const Page = () => (
  <ProductTab>
    {({ sections: { product }, isAllowed }) => <Contents product={product} isAllowed={isAllowed} />}
  </ProductTab>
)

interface ContentsProps {
  product: Product
  isAllowed: boolean
}

function Contents({ product, isAllowed }: ContentsProps) {
  const read = useRead(['products', product.id, 'bundle'], (store) => readItems(store, product.id))
  const items = read.data ?? []
  const mayChange = isAllowed && product.sell_limit === null
  const mayAdd = mayChange && read.data !== undefined && items.length < ITEMS_MAX
  return (
    <Section
      title={bundles.contents}
      actions={mayAdd && <AddContent product={product} items={items} />}
    >
      <p>{bundles.lead}</p>
      {isAllowed && product.sell_limit !== null && <SellLimitNotice product={product} />}
      {mayChange && items.length >= ITEMS_MAX && <p>{fill(bundles.full, { n: ITEMS_MAX })}</p>}
      <Loaded read={read} rows={3}>
        {(loadedItems) =>
          loadedItems.length === 0 ? (
            <Empty>{bundles.empty}</Empty>
          ) : (
            <Items product={product} items={loadedItems} mayChange={mayChange} />
          )
        }
      </Loaded>
    </Section>
  )
}

const SellLimitNotice = ({ product: { id, sell_limit } }: { product: Product }) => (
  <p>
    {fill(bundles.sellLimit, { n: formatNumber(sell_limit ?? 0) })}{' '}
    <Link to={`/products/${id}`}>{bundles.toBasics}</Link>
  </p>
)

const itemNameOf = ({ product_name, variant_name }: BundleItem) =>
  `${product_name} · ${variant_name}`

interface ItemsProps {
  product: Product
  items: readonly BundleItem[]
  mayChange: boolean
}

function Items({ product, items, mayChange }: ItemsProps) {
  const reorder = useReorder({
    ids: items.map(({ variant_id }) => variant_id),
    request: (ids) => changeItemsRequest(product.id, items, (current) => inSequence(current, ids)),
  })
  return (
    <>
      {mayChange && reorder.status}
      <Table
        label={bundles.contents}
        rows={items}
        keyOf={({ variant_id }) => variant_id}
        hrefOf={({ product_id }) => `/products/${product_id}`}
        columns={[
          { label: bundles.product, show: ({ product_name }) => product_name },
          { label: bundles.variant, show: ({ variant_name }) => variant_name },
          {
            label: bundles.quantity,
            isRightAligned: true,
            show: ({ quantity }) => formatNumber(quantity),
          },
        ]}
        {...(mayChange && {
          rowActions: (item: BundleItem) => (
            <div className="actions">
              {items.length > 1 && (
                <MoveButtons id={item.variant_id} name={itemNameOf(item)} reorder={reorder} />
              )}
              <ChangeQuantity product={product} items={items} item={item} />
              <Remove product={product} items={items} item={item} />
            </div>
          ),
        })}
      />
    </>
  )
}

interface ItemProps {
  product: Product
  items: readonly BundleItem[]
  item: BundleItem
}

/** If another user has removed the item meanwhile, its current quantity is 0. */
const ChangeQuantity = ({ product, items, item }: ItemProps) => (
  <EditAction
    label={bundles.change}
    title={`${bundles.change}: ${itemNameOf(item)}`}
    record={item}
    read={async (store) => {
      const current = await readItems(store, product.id)
      return (
        current.find(({ variant_id }) => variant_id === item.variant_id) ?? { ...item, quantity: 0 }
      )
    }}
    fields={({ quantity }) => [
      {
        name: 'quantity',
        label: bundles.quantity,
        type: 'number',
        required: true,
        help: bundles.quantityHelp,
        value: quantity,
      },
    ]}
    request={({ quantity = item.quantity }) =>
      changeItemsRequest(product.id, items, (current) =>
        withQuantity(current, { variant_id: item.variant_id, quantity: quantity as number }),
      )
    }
  />
)

const Remove = ({ product, items, item }: ItemProps) => (
  <Action
    label={bundles.remove}
    title={fill(bundles.removeNamed, { name: itemNameOf(item) })}
    isDanger
    lead={
      <>
        <p>
          {fill(bundles.removeLead, { name: itemNameOf(item), n: formatNumber(item.quantity) })}
        </p>
        {items.length === 1 && <p>{bundles.removeLast}</p>}
      </>
    }
    submit={fill(bundles.removeNamed, { name: itemNameOf(item) })}
    request={() =>
      changeItemsRequest(product.id, items, (current) => withoutVariant(current, item.variant_id))
    }
    undo={() => ({
      text: fill(common.removed, { name: itemNameOf(item) }),
      request: changeItemsRequest(product.id, items, (current) => withQuantity(current, item)),
    })}
  />
)
