import { storeRequest } from '../../api/action.ts'
import {
  type Product,
  type ProductPatch,
  type ProductSections,
  type SetDynamicAddress,
  type StoreContext,
  useRead,
  type Variant,
} from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { clearedAsNull, EditAction } from '../../kit/edit-action.tsx'
import type { Field, FormValues } from '../../kit/fields.tsx'
import { formatNumber, humanize } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Facts, Section } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { yesNo } from '../../kit/values.ts'
import { productTabs } from '../../text/product-tabs.ts'
import { products } from '../../text/products.ts'
import { LicensePolicyOf } from '../client/license-policy.tsx'
import { DraftSection } from './draft-section.tsx'
import { ProductTab } from './product-frame.tsx'

export const Page = () => (
  <ProductTab>
    {({ sections, isAllowed }) => (
      <>
        <DeliveryTexts sections={sections} isAllowed={isAllowed} />
        {sections.variants.map((variant) => (
          <VariantDelivery
            key={variant.id}
            product={sections.product}
            variant={variant}
            isAllowed={isAllowed}
          />
        ))}
      </>
    )}
  </ProductTab>
)

interface SectionsProps {
  sections: ProductSections
  isAllowed: boolean
}

/** The values of a product that its buyers get with the delivery. */
const deliveryOf = ({ product, details }: ProductSections) => ({
  id: product.id,
  delivered_message: details.delivered_message,
  delivery_note: product.delivery_note,
  requires_shipping: product.requires_shipping,
})

const deliveryFields = (delivery: ReturnType<typeof deliveryOf>): readonly Field[] => [
  {
    name: 'delivered_message',
    label: productTabs.message,
    type: 'textarea',
    value: delivery.delivered_message,
  },
  { name: 'delivery_note', label: productTabs.note, value: delivery.delivery_note },
  {
    name: 'requires_shipping',
    label: productTabs.shipped,
    type: 'checkbox',
    value: delivery.requires_shipping,
  },
]

function DeliveryTexts({ sections, isAllowed }: SectionsProps) {
  const { id } = sections.product
  const delivery = deliveryOf(sections)
  return (
    <DraftSection
      title={productTabs.afterPaying}
      dialogTitle={productTabs.afterPaying}
      product={sections.product}
      part="delivery"
      record={delivery}
      read={async ({ api }) => deliveryOf(await api.products.get(id))}
      fields={deliveryFields}
      request={(changed) => storeRequest('products', 'update', id, patchOf(changed))}
      isAllowed={isAllowed}
      facts={[
        [productTabs.message, delivery.delivered_message, 'delivered_message'],
        [productTabs.note, delivery.delivery_note, 'delivery_note'],
        [productTabs.shipped, yesNo(delivery.requires_shipping), 'requires_shipping'],
      ]}
    />
  )
}

/**
 * The patch of a product. The message belongs to its page texts, the other fields to the product
 * itself.
 */
function patchOf(changed: FormValues): ProductPatch {
  const { delivered_message = null, delivery_note = null, requires_shipping } = changed
  return {
    ...('delivered_message' in changed && {
      details: { delivered_message: delivered_message as string | null },
    }),
    ...('delivery_note' in changed && { delivery_note: delivery_note as string | null }),
    ...('requires_shipping' in changed && { requires_shipping: requires_shipping === true }),
  }
}

interface VariantProps {
  product: Product
  variant: Variant
  isAllowed: boolean
}

function VariantDelivery({ product, variant, isAllowed }: VariantProps) {
  const { id, name, delivery_type, weight_grams } = variant
  const keysPath = `/products/${product.id}/variants/${id}/keys`
  return (
    <Section title={name === 'Default' ? productTabs.isDefault : name}>
      <Facts
        rows={[
          [products.type, humanize(delivery_type)],
          [
            productTabs.weight,
            delivery_type === 'physical'
              ? weight_grams === null
                ? null
                : formatNumber(weight_grams)
              : undefined,
          ],
        ]}
      />
      {delivery_type === 'serial' && <Link to={keysPath}>{products.keys}</Link>}
      {delivery_type === 'file' && (
        <Link to={`/products/${product.id}/media`}>{productTabs.files}</Link>
      )}
      {delivery_type === 'license' && <LicensePolicyOf variantId={id} />}
      {delivery_type === 'physical' && <Dimensions {...{ product, variant, isAllowed }} />}
      {delivery_type === 'dynamic' && <DynamicAddress {...{ product, variant, isAllowed }} />}
    </Section>
  )
}

/** The limit of the API. */
const CENTIMETRES_MAX = 10_000

const DIMENSIONS = [
  ['length_cm', productTabs.length],
  ['width_cm', productTabs.width],
  ['height_cm', productTabs.height],
] as const

function Dimensions({ product, variant, isAllowed }: VariantProps) {
  const readDimensions = async ({ api }: StoreContext) =>
    (await api.variants.getDimensions(product.id, variant.id)).shipping_dimensions
  const read = useRead(['products', product.id, 'dimensions', variant.id], readDimensions)
  return (
    <Loaded read={read} rows={1}>
      {(dimensions) => (
        <>
          <Facts
            rows={DIMENSIONS.map(([name, label]) => {
              const size = dimensions[name]
              return [label, size === null ? null : formatNumber(size)] as const
            })}
          />
          {isAllowed && (
            <EditAction
              label={productTabs.setDimensions}
              record={dimensions}
              read={readDimensions}
              fields={(item) =>
                DIMENSIONS.map(([name, label]) => ({
                  name,
                  label,
                  type: 'number' as const,
                  isDecimal: true,
                  min: 0.01,
                  max: CENTIMETRES_MAX,
                  value: item[name],
                }))
              }
              submit={productTabs.setDimensions}
              request={(changed) => {
                const next = { ...dimensions, ...clearedAsNull(changed) }
                return {
                  ...storeRequest('variants', 'setDimensions', product.id, variant.id, next),
                  area: 'products',
                  // The API replaces all three dimensions, so the unchanged ones are read again.
                  send: async (store) =>
                    store.api.variants.setDimensions(product.id, variant.id, {
                      ...(await readDimensions(store)),
                      ...clearedAsNull(changed),
                    }),
                }
              }}
            />
          )}
        </>
      )}
    </Loaded>
  )
}

function DynamicAddress({ product, variant, isAllowed }: VariantProps) {
  const read = useRead(
    ['products', product.id, 'dynamic', variant.id],
    async ({ api }) => (await api.variants.getDynamic(product.id, variant.id)).dynamic,
  )
  return (
    <Loaded read={read} rows={1}>
      {({ url }) => (
        <>
          {url === null ? (
            <p>{productTabs.noAddress}</p>
          ) : (
            <Facts rows={[[productTabs.url, url]]} />
          )}
          {isAllowed && (
            <Action
              label={productTabs.setAddress}
              fields={[
                {
                  name: 'url',
                  label: productTabs.url,
                  type: 'url',
                  value: url,
                  help: productTabs.dynamicHelp,
                },
              ]}
              submit={productTabs.setAddress}
              secretOf={(answer) =>
                (answer as { dynamic: SetDynamicAddress }).dynamic.secret ?? undefined
              }
              request={(values) => ({
                ...storeRequest('variants', 'setDynamic', product.id, variant.id, {
                  url: (values.url as string | undefined) ?? null,
                }),
                area: 'products',
              })}
            />
          )}
        </>
      )}
    </Loaded>
  )
}
