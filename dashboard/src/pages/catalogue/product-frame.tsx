import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { storeRequest } from '../../api/action.ts'
import type { Product, ProductSections } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { useLeaving } from '../../kit/leave.ts'
import { useGo } from '../../kit/link.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, State } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { productTabs } from '../../text/product-tabs.ts'
import { products } from '../../text/products.ts'

const TABS = [
  ['', productTabs.basics],
  ['/variants', productTabs.variants],
  ['/media', productTabs.media],
  ['/delivery', productTabs.delivery],
  ['/payment-methods', productTabs.methods],
  ['/seo', productTabs.seo],
  ['/stock-alerts', productTabs.alerts],
] as const

interface TabProps {
  sections: ProductSections
  isAllowed: boolean
}

/** A tab of a product, below the head that all of them share. */
export function ProductTab({ children }: { children: (props: TabProps) => ReactNode }) {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const isAllowed = useMayWrite('products')
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
            isAllowed ? (
              <ProductActions sections={sections} />
            ) : (
              <span className="quiet">{common.notAllowed}</span>
            )
          }
        >
          <Tabs
            label={sections.product.name}
            tabs={TABS.map(([path, label]) => ({ to: `/products/${id}${path}`, label }))}
          />
          {children({ sections, isAllowed })}
        </Frame>
      )}
    </Loaded>
  )
}

function ProductActions({ sections: { product, variants } }: { sections: ProductSections }) {
  const { id, name, status } = product
  const go = useGo()
  const leaving = useLeaving()
  const setStatus = (next: Product['status']) =>
    storeRequest('products', 'update', id, { status: next })
  return (
    <>
      {status !== 'active' && (
        <Action
          label={products.publish}
          isPrimary
          lead={<p>{fill(products.publishLead, { name })}</p>}
          submit={products.publish}
          request={() => setStatus('active')}
        />
      )}
      <Action
        label={products.duplicate}
        lead={<p>{products.duplicateLead}</p>}
        submit={products.duplicate}
        request={() => storeRequest('products', 'duplicate', id)}
        onDone={(answer) => go(`/products/${(answer as ProductSections).product.id}`)}
      />
      {status !== 'archived' && (
        <Action
          label={products.archive}
          isDanger
          lead={<p>{fill(products.archiveLead, { name })}</p>}
          submit={products.archive}
          request={() => setStatus('archived')}
        />
      )}
      <Action
        label={common.delete}
        title={productTabs.remove}
        isDanger
        confirmName={name}
        lead={
          <p>
            {fill(productTabs.removeLead, {
              name,
              variants: formatNumber(variants.length),
              sold: formatNumber(product.sales_count),
            })}
          </p>
        }
        submit={productTabs.remove}
        request={() => leaving(storeRequest('products', 'delete', id), '/products')}
      />
    </>
  )
}
