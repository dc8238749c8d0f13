import { storeRequest } from '../../api/action.ts'
import type { ProductSeo } from '../../api/store.ts'
import { clearedAsNull } from '../../kit/edit-action.tsx'
import type { Field } from '../../kit/fields.tsx'
import { productTabs } from '../../text/product-tabs.ts'
import { DraftSection } from './draft-section.tsx'
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
      <DraftSection
        title={productTabs.seo}
        dialogTitle={productTabs.seo}
        product={product}
        part="seo"
        record={seo}
        read={async ({ api }) => (await api.seo.get(product.id)).seo}
        fields={fieldsOf}
        request={(changed) => ({
          ...storeRequest('seo', 'update', product.id, clearedAsNull(changed)),
          area: 'products',
        })}
        isAllowed={isAllowed}
        facts={[
          [productTabs.metaTitle, seo.meta_title, 'meta_title'],
          [productTabs.metaDescription, seo.meta_description, 'meta_description'],
          [productTabs.ogTitle, seo.og_title, 'og_title'],
          [productTabs.ogDescription, seo.og_description, 'og_description'],
          [productTabs.ogImage, seo.og_image_url, 'og_image_url'],
        ]}
      />
    )}
  </ProductTab>
)
