import { storeRequest } from '../../api/action.ts'
import type { Product, ProductSections, Variant } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { fill } from '../../text/catalogue.ts'
import { products } from '../../text/products.ts'

const statusRequest = (id: string, status: Product['status']) =>
  storeRequest('products', 'update', id, { status })

const isSoldOut = ({ stock_mode, stock_quantity, allow_backorder }: Variant): boolean =>
  stock_mode !== 'unlimited' && stock_quantity <= 0 && !allow_backorder

/** Publishes a product. If buyers could buy nothing of it, it says so and links to the stock. */
export function Publish({ sections: { product, variants } }: { sections: ProductSections }) {
  const { id, name } = product
  const soldOut = variants.filter(isSoldOut)
  const [first] = soldOut
  const hasNothing = first !== undefined && soldOut.length === variants.length
  return (
    <Action
      label={products.publish}
      isPrimary
      lead={
        <>
          <p>{fill(products.publishLead, { name })}</p>
          {hasNothing && (
            <p className="waiting">
              {products.publishWithoutStock}{' '}
              {first.delivery_type === 'serial' ? (
                <Link to={`/products/${id}/variants/${first.id}/keys`}>
                  {products.addKeysFirst}
                </Link>
              ) : (
                <Link to={`/products/${id}/stock`}>{products.setStockFirst}</Link>
              )}
            </p>
          )}
        </>
      }
      submit={hasNothing ? products.publishAnyway : products.publish}
      request={() => statusRequest(id, 'active')}
    />
  )
}

/** Makes a draft of a product and opens it, with a line that says what was not copied. */
export function Duplicate({ product: { id, name } }: { product: Product }) {
  return (
    <Action
      label={products.duplicate}
      title={fill(products.duplicateNamed, { name })}
      lead={<p>{products.duplicateLead}</p>}
      submit={products.duplicate}
      request={() => storeRequest('products', 'duplicate', id)}
      pageOf={(answer) => `/products/${(answer as ProductSections).product.id}?copy_of=${id}`}
    />
  )
}

export const Archive = ({ product: { id, name, status, sales_count } }: { product: Product }) => (
  <Action
    label={products.archive}
    title={fill(products.archiveNamed, { name })}
    isDanger
    lead={<p>{fill(products.archiveLead, { name, sold: formatNumber(sales_count) })}</p>}
    submit={products.archive}
    request={() => statusRequest(id, 'archived')}
    undo={() => ({
      text: fill(products.archivedNamed, { name }),
      request: statusRequest(id, status),
    })}
  />
)
