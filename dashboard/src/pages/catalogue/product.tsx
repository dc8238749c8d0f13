import { storeRequest } from '../../api/action.ts'
import type { Product, ProductDetails, ProductSections, Variant } from '../../api/store.ts'
import { useDraft } from '../../kit/draft.ts'
import { type FormValues, fieldsToCorrect } from '../../kit/fields.tsx'
import { formatNumber, humanize } from '../../kit/format.ts'
import { Facts, Money, Raw, Section, Stamp, State, Time } from '../../kit/show.tsx'
import { yesNo } from '../../kit/values.ts'
import { common } from '../../text/common.ts'
import { productTabs } from '../../text/product-tabs.ts'
import { products } from '../../text/products.ts'
import { useCategoryOptions } from './coupon-parts.tsx'
import { DraftSection } from './draft-section.tsx'
import { highlightText } from './preview.rules.ts'
import { basicFields, detailFields, detailsPatchOf, productPatchOf } from './product-fields.ts'
import { ProductTab } from './product-frame.tsx'
import { ProductPace } from './product-pace.tsx'
import { Pictures } from './product-pictures.tsx'
import { Preview } from './product-preview.tsx'
import { ProductProceeds } from './product-proceeds.tsx'
import { Variants } from './product-variants.tsx'
import { SafeHtml } from './safe-html.tsx'

export const Page = () => <ProductTab>{(props) => <ProductBasics {...props} />}</ProductTab>

/** More of them would make the page of a phone longer than anybody scrolls. */
const SHOWN_VARIANTS_MAX = 10

interface SectionsProps {
  sections: ProductSections
  isAllowed: boolean
}

function ProductBasics({ sections, isAllowed }: SectionsProps) {
  const { id } = sections.product
  const basicsDraft = useDraft(`${id}-basics`).draft
  const textsDraft = useDraft(`${id}-texts`).draft
  return (
    <div className="split">
      <div>
        <Basics product={sections.product} isAllowed={isAllowed} />
        <Texts sections={sections} isAllowed={isAllowed} />
        <Variants sections={sections} isAllowed={isAllowed} shownMax={SHOWN_VARIANTS_MAX} />
        <Pictures sections={sections} isAllowed={isAllowed} />
        <ProductPace productId={id} />
      </div>
      <div>
        <Preview
          sections={withDrafts(sections, basicsDraft?.values, textsDraft?.values)}
          hasDraft={basicsDraft !== undefined || textsDraft !== undefined}
        />
        <ProductProceeds sections={sections} />
        <Details product={sections.product} />
        <Raw record={sections} />
      </div>
    </div>
  )
}

/** A product as it would be if its drafts were published. A value that the form refuses leaves the published one. */
function withDrafts(sections: ProductSections, basics: FormValues = {}, texts: FormValues = {}) {
  const refused = fieldsToCorrect(basicFields(sections.product, []), basics).map(({ name }) => name)
  const accepted = Object.entries(basics).filter(([name]) => !refused.includes(name))
  const { category_ids: _, ...patch } = productPatchOf(Object.fromEntries(accepted))
  const { price_cents } = patch
  const withPrice = (variant: Variant) =>
    variant.is_default && price_cents !== undefined ? { ...variant, price_cents } : variant
  return {
    ...sections,
    product: { ...sections.product, ...patch } as Product,
    details: { ...sections.details, ...detailsPatchOf(texts) } as ProductDetails,
    variants: sections.variants.map(withPrice),
  }
}

function Basics({ product, isAllowed }: { product: Product; isAllowed: boolean }) {
  const { options, failure } = useCategoryOptions()
  const { id, currency } = product
  return (
    <DraftSection
      title={productTabs.basics}
      dialogTitle={product.name}
      product={product}
      part="basics"
      record={product}
      read={async ({ api }) => (await api.products.get(id)).product}
      fields={(item) => basicFields(item, options)}
      request={(changed) => storeRequest('products', 'update', id, productPatchOf(changed))}
      isAllowed={isAllowed}
      facts={[
        [common.name, product.name, 'name'],
        [
          products.price,
          <Money key="price" cents={product.price_cents} currency={currency} />,
          'price_cents',
        ],
        [productTabs.discount, formatNumber(product.discount_percent), 'discount_percent'],
        [products.type, humanize(product.type), 'type'],
        [productTabs.visibility, humanize(product.visibility), 'visibility'],
        [productTabs.isActive, yesNo(product.active), 'active'],
        ['Slug', product.slug, 'slug'],
        ['SKU', product.sku, 'sku'],
        [
          productTabs.categories,
          product.categories.map(({ name }) => name).join(', ') || null,
          'category_ids',
        ],
        [productTabs.coupons, yesNo(product.accepts_coupons), 'accepts_coupons'],
        [productTabs.bestSeller, yesNo(product.best_seller), 'best_seller'],
        [productTabs.minQty, formatNumber(product.min_qty), 'min_qty'],
        [productTabs.maxQty, product.max_qty ?? products.unlimited, 'max_qty'],
        [productTabs.sellLimit, product.sell_limit ?? products.unlimited, 'sell_limit'],
      ]}
    >
      {failure}
    </DraftSection>
  )
}

const highlightTexts = ({ highlights }: ProductDetails) =>
  Object.entries(highlights).map(highlightText)

function Texts({ sections: { product, details }, isAllowed }: SectionsProps) {
  const { description_html: html } = details
  return (
    <DraftSection
      title={productTabs.texts}
      dialogTitle={productTabs.texts}
      product={product}
      part="texts"
      record={details}
      read={async ({ api }) => (await api.details.get(product.id)).details}
      fields={detailFields}
      request={(changed) => ({
        ...storeRequest('details', 'update', product.id, detailsPatchOf(changed)),
        area: 'products',
      })}
      isAllowed={isAllowed}
      facts={[
        [productTabs.short, details.short_description, 'short_description'],
        [productTabs.description, html && <SafeHtml html={html} />, 'description_html'],
        [productTabs.highlights, highlightTexts(details).join(' · ') || null, 'highlights'],
        [productTabs.youtube, details.youtube_url, 'youtube_url'],
      ]}
    />
  )
}

const Details = ({ product }: { product: Product }) => (
  <Section title={common.details} actions={<Stamp state={product.status} />}>
    <Facts
      rows={[
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
