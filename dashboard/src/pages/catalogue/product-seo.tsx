import { storeRequest } from '../../api/action.ts'
import type { ProductSeo } from '../../api/store.ts'
import { clearedAsNull, EditAction } from '../../kit/edit-action.tsx'
import type { Field } from '../../kit/fields.tsx'
import { Facts, Section } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { productTabs } from '../../text/product-tabs.ts'
import { ProductTab } from './product-frame.tsx'

const fieldsOf = (seo: ProductSeo): readonly Field[] => [
  { name: 'meta_title', label: productTabs.metaTitle, value: seo.meta_title },
  {
    name: 'meta_description',
    label: productTabs.metaDescription,
    type: 'textarea',
    value: seo.meta_description,
  },
  { name: 'og_title', label: productTabs.ogTitle, value: seo.og_title },
  {
    name: 'og_description',
    label: productTabs.ogDescription,
    type: 'textarea',
    value: seo.og_description,
  },
  { name: 'og_image_url', label: productTabs.ogImage, type: 'url', value: seo.og_image_url },
]

export const Page = () => (
  <ProductTab>
    {({ sections: { product, seo }, isAllowed }) => (
      <Section
        title={productTabs.seo}
        actions={
          isAllowed && (
            <EditAction
              label={common.edit}
              title={productTabs.seo}
              record={seo}
              read={async ({ api }) => (await api.seo.get(product.id)).seo}
              fields={fieldsOf}
              request={(changed) => ({
                ...storeRequest('seo', 'update', product.id, clearedAsNull(changed)),
                area: 'products',
              })}
            />
          )
        }
      >
        <Facts
          rows={[
            [productTabs.metaTitle, seo.meta_title],
            [productTabs.metaDescription, seo.meta_description],
            [productTabs.ogTitle, seo.og_title],
            [productTabs.ogDescription, seo.og_description],
            [productTabs.ogImage, seo.og_image_url],
          ]}
        />
      </Section>
    )}
  </ProductTab>
)
