import { storeRequest } from '../../api/action.ts'
import type { Product, ProductDetails, ProductSections } from '../../api/store.ts'
import { EditAction } from '../../kit/conflict.tsx'
import { formatNumber, humanize } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Table } from '../../kit/list.tsx'
import { Facts, Money, Raw, Section, Stamp, State, Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { productTabs } from '../../text/product-tabs.ts'
import { products } from '../../text/products.ts'
import { useCategoryOptions } from './coupon-parts.tsx'
import { basicFields, detailFields, detailsPatchOf, productPatchOf } from './product-fields.ts'
import { ProductTab } from './product-frame.tsx'

export const Page = () => (
  <ProductTab>
    {({ sections, isAllowed }) => (
      <div className="split">
        <div>
          <Basics product={sections.product} isAllowed={isAllowed} />
          <Texts sections={sections} isAllowed={isAllowed} />
          <Stock sections={sections} />
        </div>
        <div>
          <Sales product={sections.product} />
          <Raw record={sections} />
        </div>
      </div>
    )}
  </ProductTab>
)

const yesNo = (value: boolean) => (value ? common.yes : common.no)

function Basics({ product, isAllowed }: { product: Product; isAllowed: boolean }) {
  const categories = useCategoryOptions()
  const { id, currency } = product
  return (
    <Section
      title={productTabs.basics}
      actions={
        isAllowed && (
          <EditAction
            label={common.edit}
            title={product.name}
            of={product}
            read={async ({ api }) => (await api.products.get(id)).product}
            fields={(item) => basicFields(item, categories)}
            request={(changed) => storeRequest('products', 'update', id, productPatchOf(changed))}
          />
        )
      }
    >
      <Facts
        of={[
          [common.name, product.name],
          [products.price, <Money key="price" cents={product.price_cents} currency={currency} />],
          [
            productTabs.discount,
            product.discount_percent > 0 ? formatNumber(product.discount_percent) : undefined,
          ],
          [products.type, humanize(product.type)],
          [productTabs.visibility, humanize(product.visibility)],
          [productTabs.isActive, yesNo(product.active)],
          ['Slug', product.slug],
          ['SKU', product.sku],
          [
            productTabs.categories,
            product.categories.map(({ name }) => name).join(', ') || undefined,
          ],
          [productTabs.coupons, yesNo(product.accepts_coupons)],
          [productTabs.bestSeller, product.best_seller ? common.yes : undefined],
          [productTabs.minQty, formatNumber(product.min_qty)],
          [productTabs.maxQty, product.max_qty ?? undefined],
          [productTabs.sellLimit, product.sell_limit ?? undefined],
        ]}
      />
    </Section>
  )
}

const Stock = ({ sections: { product, variants } }: { sections: ProductSections }) => (
  <Section
    title={products.variants}
    actions={<Link to={`/products/${product.id}/variants`}>{productTabs.variants}</Link>}
  >
    <Table
      label={products.variants}
      rows={variants}
      keyOf={({ id }) => id}
      columns={[
        { label: common.name, show: ({ name }) => name },
        {
          label: products.price,
          isNumber: true,
          show: ({ price_cents }) => <Money cents={price_cents} currency={product.currency} />,
        },
        {
          label: products.stock,
          isNumber: true,
          show: ({ stock_mode, stock_quantity }) =>
            stock_mode === 'unlimited' ? products.unlimited : formatNumber(stock_quantity),
        },
        {
          label: products.keys,
          show: ({ id, delivery_type }) =>
            delivery_type === 'serial' ? (
              <Link to={`/products/${product.id}/variants/${id}/keys`}>{products.show}</Link>
            ) : (
              '–'
            ),
        },
      ]}
    />
  </Section>
)

const highlightsText = ({ highlights }: ProductDetails) =>
  Object.entries(highlights).map(([name, value]) => `${name}: ${value}`)

function Texts({
  sections: { product, details },
  isAllowed,
}: {
  sections: ProductSections
  isAllowed: boolean
}) {
  return (
    <Section
      title={productTabs.texts}
      actions={
        isAllowed && (
          <EditAction
            label={common.edit}
            title={productTabs.texts}
            of={details}
            read={async ({ api }) => (await api.details.get(product.id)).details}
            fields={detailFields}
            request={(changed) => ({
              ...storeRequest('details', 'update', product.id, detailsPatchOf(changed)),
              area: 'products',
            })}
          />
        )
      }
    >
      <Facts
        of={[
          [productTabs.short, details.short_description],
          [productTabs.description, details.description_html],
          [productTabs.highlights, highlightsText(details).join(' · ') || null],
          [productTabs.youtube, details.youtube_url],
        ]}
      />
    </Section>
  )
}

const Sales = ({ product }: { product: Product }) => (
  <Section title={common.details} actions={<Stamp state={product.status} />}>
    <Facts
      of={[
        [products.sales, formatNumber(product.sales_count)],
        [
          productTabs.kind,
          <State key="kind" state="closed">
            {humanize(product.product_kind)}
          </State>,
        ],
        [common.created, <Time key="created" at={product.created_at} />],
        [common.updated, <Time key="updated" at={product.updated_at} />],
      ]}
    />
  </Section>
)
