import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { storeRequest } from '../../api/action.ts'
import type { Product, ProductSections } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { useSearch } from '../../kit/list.tsx'
import { useOpenAfter } from '../../kit/open-after.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, State } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { billing } from '../../text/billing.ts'
import { bundles } from '../../text/bundles.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { productTabs } from '../../text/product-tabs.ts'
import { products } from '../../text/products.ts'
import { subscriptions } from '../../text/subscriptions.ts'
import { EndedSubscriptions } from '../sell/live-subscriptions.tsx'
import { Archive, Duplicate, Publish } from './product-actions.tsx'

/** The tabs of a product. A tab with a kind is shown for products of that kind only. */
const TABS: readonly (readonly [path: string, label: string, kind?: Product['product_kind']])[] = [
  ['', productTabs.basics],
  ['/contents', bundles.contents, 'bundle'],
  ['/billing', billing.title, 'subscription'],
  ['/variants', productTabs.variants],
  ['/stock', productTabs.stock],
  ['/media', productTabs.media],
  ['/delivery', productTabs.delivery],
  ['/payment-methods', productTabs.methods],
  ['/seo', productTabs.seo],
  ['/questions', productTabs.questions],
]

interface TabProps {
  sections: ProductSections
  isAllowed: boolean
}

/** A tab of a product, below the head that all its tabs share. */
export function ProductTab({ children }: { children: (props: TabProps) => ReactNode }) {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const isAllowed = useMayWrite('products')
  const [{ copy_of }] = useSearch()
  const read = useRead(['products', id], ({ api }) => api.products.get(id))
  return (
    <Loaded read={read}>
      {(sections) => (
        <Frame
          title={sections.product.name}
          parent={{ to: '/products', label: products.title }}
          lead={
            <>
              <State state={sections.product.status} /> <Copy text={sections.product.id} />
            </>
          }
          actions={
            isAllowed ? <ProductActions sections={sections} /> : <NotAllowed area="products" />
          }
        >
          <Tabs
            label={sections.product.name}
            tabs={TABS.filter(
              ([, , kind]) => kind === undefined || kind === sections.product.product_kind,
            ).map(([path, label]) => ({ to: `/products/${id}${path}`, label }))}
          />
          {copy_of !== undefined && <NewCopyNotice id={copy_of} />}
          {children({ sections, isAllowed })}
        </Frame>
      )}
    </Loaded>
  )
}

/** Lists what a new copy lacks. The address has the id of the copied product until the page is left. */
const NewCopyNotice = ({ id }: { id: string }) => (
  <p className="notice" role="status">
    {products.notCopied} <Link to={`/products/${id}`}>{products.openOriginal}</Link>
  </p>
)

function ProductActions({ sections }: { sections: ProductSections }) {
  const { product, variants } = sections
  const { id, name, status } = product
  const openAfter = useOpenAfter()
  return (
    <>
      {status !== 'active' && <Publish sections={sections} />}
      <Duplicate product={product} />
      {status !== 'archived' && <Archive product={product} />}
      <Action
        label={common.delete}
        title={productTabs.remove}
        isDanger
        confirmName={name}
        lead={
          <>
            <p>
              {fill(productTabs.removeLead, {
                name,
                variants: formatNumber(variants.length),
                sold: formatNumber(product.sales_count),
              })}
            </p>
            {product.product_kind === 'subscription' && (
              <EndedSubscriptions owner={{ product_id: id }} text={subscriptions.endedByDeletion} />
            )}
          </>
        }
        submit={productTabs.remove}
        request={() => openAfter(storeRequest('products', 'delete', id), '/products')}
      />
    </>
  )
}
