import { storeRequest } from '../../api/action.ts'
import type { Product, ProductSections, Variant, VariantInput } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { EditAction } from '../../kit/edit-action.tsx'
import { formatNumber, humanize } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { type Column, Table } from '../../kit/list.tsx'
import { humanizedOptions } from '../../kit/options.ts'
import { MoveButtons, useReorder } from '../../kit/reorder.tsx'
import { Money, Section, State } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { productTabs } from '../../text/product-tabs.ts'
import { products } from '../../text/products.ts'
import { DELIVERY_TYPES, variantFields, variantPatchOf } from './product-fields.ts'
import { ProductTab } from './product-frame.tsx'

export const Page = () => (
  <ProductTab>
    {({ sections, isAllowed }) => <Variants sections={sections} isAllowed={isAllowed} />}
  </ProductTab>
)

const columnsOf = ({ currency }: Product): readonly Column<Variant>[] => [
  {
    label: common.name,
    show: ({ name, is_default, active }) => (
      <>
        {name} {is_default && <State state="closed">{productTabs.isDefault}</State>}{' '}
        {!active && <State state="draft">{productTabs.off}</State>}
      </>
    ),
  },
  { label: productTabs.options, show: ({ option_values }) => option_values.join(', ') || '–' },
  { label: products.type, show: ({ delivery_type }) => humanize(delivery_type) },
  { label: 'SKU', show: ({ sku }) => sku ?? '–' },
  {
    label: products.price,
    isRightAligned: true,
    show: ({ price_cents }) => <Money cents={price_cents} currency={currency} />,
  },
  {
    label: products.stock,
    isRightAligned: true,
    show: ({ stock_mode, stock_quantity }) =>
      stock_mode === 'unlimited' ? products.unlimited : formatNumber(stock_quantity),
  },
]

interface VariantsProps {
  sections: ProductSections
  isAllowed: boolean
  /** The number of variants after which a link leads to their own tab; all are shown if undefined. */
  shownMax?: number
}

export function Variants({ sections, isAllowed, shownMax }: VariantsProps) {
  const { product, variants } = sections
  const shownVariants = variants.slice(0, shownMax)
  const reorder = useReorder({
    ids: variants.map(({ id }) => id),
    request: (ids) => ({
      ...storeRequest('variants', 'order', product.id, { ids }),
      area: 'products',
    }),
  })
  return (
    <Section
      title={productTabs.variants}
      actions={isAllowed && <NewVariantAction product={product} />}
    >
      {isAllowed && reorder.status}
      <Table
        label={productTabs.variants}
        rows={shownVariants}
        keyOf={({ id }) => id}
        columns={columnsOf(product)}
        rowActions={(variant) => (
          <div className="actions">
            {variant.delivery_type === 'serial' && (
              <Link to={`/products/${product.id}/variants/${variant.id}/keys`}>
                {products.keys}
              </Link>
            )}
            {isAllowed && (
              <>
                {variants.length > 1 && (
                  <MoveButtons id={variant.id} name={variant.name} reorder={reorder} />
                )}
                <EditVariant product={product} variant={variant} />
                {variant.stock_mode === 'manual' && (
                  <ChangeStock product={product} variant={variant} />
                )}
                {variants.length > 1 && <DeleteVariant product={product} variant={variant} />}
              </>
            )}
          </div>
        )}
      />
      {shownVariants.length < variants.length && (
        <p>
          <Link to={`/products/${product.id}/variants`}>
            {fill(productTabs.openAllVariants, { n: formatNumber(variants.length) })}
          </Link>
        </p>
      )}
      {isAllowed && variants.length === 1 && (
        <p className="secondary-text">{productTabs.lastVariant}</p>
      )}
    </Section>
  )
}

interface VariantProps {
  product: Product
  variant: Variant
}

const NewVariantAction = ({
  product: { id, currency, type, price_cents },
}: {
  product: Product
}) => (
  <Action
    label={productTabs.newVariant}
    fields={variantFields(currency)
      .map((field) => (field.name === 'price_cents' ? { ...field, value: price_cents } : field))
      .toSpliced(1, 0, {
        name: 'delivery_type',
        label: products.type,
        type: 'select',
        required: true,
        value: type,
        options: humanizedOptions(DELIVERY_TYPES),
      })}
    submit={productTabs.newVariant}
    request={(values) => {
      const enteredValues = Object.entries(values).filter(([, value]) => value !== undefined)
      const body = variantPatchOf(Object.fromEntries(enteredValues)) as VariantInput
      return { ...storeRequest('variants', 'create', id, body), area: 'products' }
    }}
  />
)

const EditVariant = ({ product, variant }: VariantProps) => (
  <EditAction
    label={common.edit}
    title={variant.name}
    record={variant}
    read={async ({ api }) => (await api.variants.get(product.id, variant.id)).variant}
    fields={(item) => variantFields(product.currency, item)}
    request={(changed) => ({
      ...storeRequest('variants', 'update', product.id, variant.id, variantPatchOf(changed)),
      area: 'products',
    })}
  />
)

/** Adds or removes units by a difference, so that units that were sold meanwhile stay sold. */
export const ChangeStock = ({ product, variant }: VariantProps) => (
  <Action
    label={productTabs.changeStock}
    title={`${productTabs.changeStock}: ${variant.name}`}
    fields={[
      {
        name: 'delta',
        label: productTabs.delta,
        type: 'number',
        required: true,
        help: fill(productTabs.deltaHelp, { n: formatNumber(variant.stock_quantity) }),
      },
    ]}
    submit={({ delta }) => stockChangeText(Number(delta))}
    request={({ delta }) => ({
      ...storeRequest('stock', 'update', product.id, variant.id, { delta: Number(delta) }),
      area: 'products',
    })}
  />
)

function stockChangeText(delta: number): string {
  if (!Number.isFinite(delta) || delta === 0) return productTabs.changeStock
  const text = delta > 0 ? productTabs.addUnits : productTabs.removeUnits
  return fill(text, { n: formatNumber(Math.abs(delta)) })
}

const DeleteVariant = ({
  product,
  variant: { id, name, stock_mode, stock_quantity },
}: VariantProps) => (
  <Action
    label={common.delete}
    title={productTabs.deleteVariant}
    isDanger
    lead={
      <p>
        {fill(productTabs.deleteVariantLead, {
          name,
          n: stock_mode === 'unlimited' ? products.unlimited : formatNumber(stock_quantity),
        })}
      </p>
    }
    submit={productTabs.deleteVariant}
    request={() => ({ ...storeRequest('variants', 'delete', product.id, id), area: 'products' })}
  />
)
