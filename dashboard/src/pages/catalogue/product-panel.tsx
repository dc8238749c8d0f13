import type { ProductSections, Variant } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber, humanize } from '../../kit/format.ts'
import type { PanelProps } from '../../kit/record-panel.ts'
import { Facts, Money, Raw, Section, Stamp } from '../../kit/show.tsx'
import { SidePanel } from '../../kit/side-panel.tsx'
import { NotAllowed } from '../../kit/states.tsx'
import { Table } from '../../kit/table.tsx'
import { common } from '../../text/common.ts'
import { panel } from '../../text/panel.ts'
import { productTabs } from '../../text/product-tabs.ts'
import { products } from '../../text/products.ts'
import { Archive, Duplicate, Publish } from './product-actions.tsx'
import { ProductPace } from './product-pace.tsx'

/** A product next to the list of products. */
export function ProductPanel(props: PanelProps) {
  const { id } = props
  const isAllowed = useMayWrite('products')
  const read = useRead(['products', id], ({ api }) => api.products.get(id))
  return (
    <SidePanel {...props} label={panel.product} read={read} titleOf={({ product }) => product.name}>
      {(sections) => (
        <>
          <div className="actions">
            {isAllowed ? <Actions sections={sections} /> : <NotAllowed area="products" />}
          </div>
          <Summary sections={sections} />
          <Section title={productTabs.variants}>
            <Table
              label={productTabs.variants}
              rows={sections.variants}
              keyOf={(variant) => variant.id}
              columns={[
                { label: common.name, show: ({ name }) => name },
                {
                  label: products.price,
                  show: ({ price_cents }) => (
                    <Money cents={price_cents} currency={sections.product.currency} />
                  ),
                },
                { label: products.stock, show: stockOf },
              ]}
            />
          </Section>
          <ProductPace productId={id} />
          <Raw record={sections} />
        </>
      )}
    </SidePanel>
  )
}

const stockOf = ({ stock_mode, stock_quantity }: Variant): string =>
  stock_mode === 'unlimited' ? products.unlimited : formatNumber(stock_quantity)

const Actions = ({ sections }: { sections: ProductSections }) => (
  <>
    {sections.product.status !== 'active' && <Publish sections={sections} />}
    <Duplicate product={sections.product} />
    {sections.product.status !== 'archived' && <Archive product={sections.product} />}
  </>
)

const Summary = ({ sections: { product } }: { sections: ProductSections }) => (
  <Section title={common.details} actions={<Stamp state={product.status} />}>
    <Facts
      rows={[
        [
          products.price,
          <Money key="price" cents={product.price_cents} currency={product.currency} />,
        ],
        [products.type, humanize(product.type)],
        [products.sales, formatNumber(product.sales_count)],
        [
          productTabs.categories,
          product.categories.map(({ name }) => name).join(', ') || undefined,
        ],
      ]}
    />
  </Section>
)
