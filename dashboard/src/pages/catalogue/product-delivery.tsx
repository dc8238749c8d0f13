import { storeRequest } from '../../api/action.ts'
import {
  type Product,
  type ProductPatch,
  type ProductSections,
  type SetDynamicAddress,
  useRead,
  type Variant,
} from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { EditAction } from '../../kit/conflict.tsx'
import type { Typed } from '../../kit/fields.tsx'
import { formatNumber, humanize } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Facts, Section } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { common } from '../../text/common.ts'
import { productTabs } from '../../text/product-tabs.ts'
import { products } from '../../text/products.ts'
import { LicensePolicyOf } from '../client/license-policy.tsx'
import { ProductTab } from './product-frame.tsx'

export const Page = () => (
  <ProductTab>
    {({ sections, isAllowed }) => (
      <>
        <WithDelivery sections={sections} isAllowed={isAllowed} />
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

function WithDelivery({ sections, isAllowed }: SectionsProps) {
  const { product, details } = sections
  return (
    <Section
      title={productTabs.afterPaying}
      actions={
        isAllowed && (
          <EditAction
            label={common.edit}
            title={productTabs.afterPaying}
            of={sections}
            read={({ api }) => api.products.get(product.id)}
            fields={(of) => [
              {
                name: 'delivered_message',
                label: productTabs.message,
                type: 'textarea',
                value: of.details.delivered_message,
              },
              { name: 'delivery_note', label: productTabs.note, value: of.product.delivery_note },
              {
                name: 'requires_shipping',
                label: productTabs.shipped,
                type: 'checkbox',
                value: of.product.requires_shipping,
              },
            ]}
            request={(changed) => storeRequest('products', 'update', product.id, patchOf(changed))}
          />
        )
      }
    >
      <Facts
        of={[
          [productTabs.message, details.delivered_message],
          [productTabs.note, product.delivery_note],
          [productTabs.shipped, product.requires_shipping ? common.yes : common.no],
        ]}
      />
    </Section>
  )
}

/** The message is one of the texts of the page; the rest is of the product itself. */
function patchOf(changed: Typed): ProductPatch {
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
  const keys = `/products/${product.id}/variants/${id}/keys`
  return (
    <Section title={name}>
      <Facts
        of={[
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
      {delivery_type === 'serial' && <Link to={keys}>{products.show}</Link>}
      {delivery_type === 'file' && (
        <Link to={`/products/${product.id}/media`}>{productTabs.files}</Link>
      )}
      {delivery_type === 'license' && <LicensePolicyOf variantId={id} />}
      {delivery_type === 'physical' && <Dimensions {...{ product, variant, isAllowed }} />}
      {delivery_type === 'dynamic' && <DynamicAddress {...{ product, variant, isAllowed }} />}
    </Section>
  )
}

const SIDES = [
  ['length_cm', productTabs.length],
  ['width_cm', productTabs.width],
  ['height_cm', productTabs.height],
] as const

function Dimensions({ product, variant, isAllowed }: VariantProps) {
  const read = useRead(
    ['products', product.id, 'dimensions', variant.id],
    async ({ api }) =>
      (await api.variants.getDimensions(product.id, variant.id)).shipping_dimensions,
  )
  const numberOf = (value: unknown) => (value === undefined ? null : (value as number))
  return (
    <Loaded read={read} rows={1}>
      {(sides) => (
        <>
          <Facts
            of={SIDES.map(([name, label]) => {
              const side = sides[name]
              return [label, side === null ? null : formatNumber(side)] as const
            })}
          />
          {isAllowed && (
            <Action
              label={productTabs.setDimensions}
              fields={SIDES.map(([name, label]) => ({
                name,
                label,
                type: 'number' as const,
                value: sides[name],
              }))}
              submit={productTabs.setDimensions}
              request={(values) => ({
                ...storeRequest('variants', 'setDimensions', product.id, variant.id, {
                  length_cm: numberOf(values.length_cm),
                  width_cm: numberOf(values.width_cm),
                  height_cm: numberOf(values.height_cm),
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

function DynamicAddress({ product, variant, isAllowed }: VariantProps) {
  const read = useRead(
    ['products', product.id, 'dynamic', variant.id],
    async ({ api }) => (await api.variants.getDynamic(product.id, variant.id)).dynamic,
  )
  return (
    <Loaded read={read} rows={1}>
      {({ url }) => (
        <>
          {url === null ? <p>{productTabs.noAddress}</p> : <Facts of={[[productTabs.url, url]]} />}
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
