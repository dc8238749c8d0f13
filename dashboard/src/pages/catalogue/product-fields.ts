import type {
  DetailsPatch,
  Product,
  ProductDetails,
  ProductPatch,
  Variant,
  VariantPatch,
} from '../../api/store.ts'
import { clearedAsNull } from '../../kit/edit-action.tsx'
import type { Field, FormValues } from '../../kit/fields.tsx'
import { humanizedOptions, type Option } from '../../kit/options.ts'
import { NAME_MAX } from '../../kit/text-limits.ts'
import { common } from '../../text/common.ts'
import { productTabs } from '../../text/product-tabs.ts'
import { products } from '../../text/products.ts'
import { highlightText } from './preview.rules.ts'
import { richTextControl } from './rich-text.tsx'

/** The limits of the API. */
const UNITS_MAX = 1_000_000_000
const QUANTITY_MAX = 1_000_000
const VISIBILITIES = ['public', 'unlisted', 'private', 'on_hold']
export const PRODUCT_KINDS = ['single', 'subscription', 'bundle'] as const
export const DELIVERY_TYPES = [
  'serial',
  'file',
  'service',
  'dynamic',
  'physical',
  'license',
] as const
const STOCK_MODES = ['calculated', 'manual', 'unlimited']

export const basicFields = (product: Product, categories: readonly Option[]): readonly Field[] => [
  { name: 'name', label: common.name, required: true, maxLength: NAME_MAX, value: product.name },
  {
    name: 'price_cents',
    label: products.price,
    type: 'money',
    currency: product.currency,
    required: true,
    min: 0,
    value: product.price_cents,
    help: products.priceHelp,
  },
  {
    name: 'discount_percent',
    label: productTabs.discount,
    type: 'number',
    isDecimal: true,
    required: true,
    min: 0,
    max: 100,
    value: product.discount_percent,
  },
  {
    name: 'type',
    label: products.type,
    type: 'select',
    required: true,
    value: product.type,
    options: humanizedOptions(DELIVERY_TYPES),
  },
  {
    name: 'product_kind',
    label: products.kind,
    type: 'select',
    required: true,
    value: product.product_kind,
    help: products.kindHelp,
    options: humanizedOptions(PRODUCT_KINDS),
  },
  {
    name: 'visibility',
    label: productTabs.visibility,
    type: 'select',
    required: true,
    value: product.visibility,
    options: humanizedOptions(VISIBILITIES),
  },
  { name: 'active', label: productTabs.isActive, type: 'checkbox', value: product.active },
  { name: 'slug', label: 'Slug', required: true, value: product.slug },
  { name: 'sku', label: 'SKU', value: product.sku },
  ...limitFields(product),
  ...(categories.length > 0
    ? [
        {
          name: 'category_ids',
          label: productTabs.categories,
          type: 'checkboxes' as const,
          options: categories,
          value: product.categories.map(({ id }) => String(id)),
        },
      ]
    : []),
]

const limitFields = (product: Product): readonly Field[] => [
  {
    name: 'min_qty',
    label: productTabs.minQty,
    type: 'number',
    required: true,
    min: 1,
    max: QUANTITY_MAX,
    value: product.min_qty,
  },
  {
    name: 'max_qty',
    label: productTabs.maxQty,
    type: 'number',
    min: 1,
    max: QUANTITY_MAX,
    help: productTabs.noLimit,
    value: product.max_qty,
  },
  {
    name: 'sell_limit',
    label: productTabs.sellLimit,
    type: 'number',
    min: 1,
    max: QUANTITY_MAX,
    help: productTabs.noLimit,
    value: product.sell_limit,
  },
  {
    name: 'accepts_coupons',
    label: productTabs.coupons,
    type: 'checkbox',
    value: product.accepts_coupons,
  },
  {
    name: 'best_seller',
    label: productTabs.bestSeller,
    type: 'checkbox',
    value: product.best_seller,
  },
]

export const productPatchOf = ({ category_ids, ...changed }: FormValues): ProductPatch => ({
  ...(clearedAsNull(changed) as ProductPatch),
  ...(Array.isArray(category_ids) && { category_ids: category_ids.map(Number) }),
})

export const detailFields = (details: ProductDetails): readonly Field[] => [
  { name: 'short_description', label: productTabs.short, value: details.short_description },
  {
    name: 'description_html',
    label: productTabs.description,
    control: richTextControl(productTabs.description),
    value: details.description_html,
  },
  {
    name: 'highlights',
    label: productTabs.highlights,
    type: 'textarea',
    help: productTabs.highlightsHelp,
    value: Object.entries(details.highlights).map(highlightText).join('\n'),
  },
  { name: 'youtube_url', label: productTabs.youtube, type: 'url', value: details.youtube_url },
]

export const detailsPatchOf = (changed: FormValues): DetailsPatch => ({
  ...(clearedAsNull(changed) as DetailsPatch),
  ...('highlights' in changed && { highlights: highlightsOf(changed.highlights) }),
})

function highlightsOf(text: unknown): Record<string, string> {
  const lines = String(text ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':')
      return [name.trim(), value.join(':').trim()]
    }),
  )
}

const stockFields = (variant?: Variant): readonly Field[] => [
  {
    name: 'stock_mode',
    label: products.mode,
    type: 'select',
    required: true,
    value: variant?.stock_mode ?? 'manual',
    options: humanizedOptions(STOCK_MODES),
    // The stock of a serial variant is the number of its keys.
    when: ({ delivery_type }) => delivery_type !== 'serial',
  },
  ...(variant
    ? []
    : [
        {
          name: 'stock_quantity',
          label: products.stock,
          type: 'number' as const,
          min: 0,
          max: UNITS_MAX,
          when: ({ delivery_type, stock_mode }: FormValues) =>
            delivery_type !== 'serial' && stock_mode === 'manual',
        },
      ]),
  {
    name: 'low_stock_threshold',
    label: productTabs.lowStock,
    type: 'number',
    min: 0,
    max: UNITS_MAX,
    value: variant?.low_stock_threshold,
  },
  {
    name: 'allow_backorder',
    label: productTabs.backorder,
    type: 'checkbox',
    value: variant?.allow_backorder ?? false,
  },
]

/** The fields of a variant. A new variant starts with the API's defaults. */
export const variantFields = (currency: string, variant?: Variant): readonly Field[] => [
  { name: 'name', label: common.name, required: true, maxLength: NAME_MAX, value: variant?.name },
  {
    name: 'price_cents',
    label: products.price,
    type: 'money',
    min: 0,
    currency,
    required: true,
    value: variant?.price_cents,
  },
  {
    name: 'compare_at_cents',
    label: productTabs.compareAt,
    type: 'money',
    min: 0,
    currency,
    value: variant?.compare_at_cents,
  },
  { name: 'sku', label: 'SKU', value: variant?.sku },
  {
    name: 'option_values',
    label: productTabs.options,
    help: productTabs.optionsHelp,
    value: variant?.option_values.join(', '),
  },
  ...stockFields(variant),
  { name: 'barcode', label: productTabs.barcode, value: variant?.barcode },
  {
    name: 'weight_grams',
    label: productTabs.weight,
    type: 'number',
    min: 0,
    max: UNITS_MAX,
    value: variant?.weight_grams,
  },
  { name: 'active', label: productTabs.isActive, type: 'checkbox', value: variant?.active ?? true },
  // A default variant cannot be unset; another variant must become the default.
  ...(variant?.is_default
    ? []
    : [
        {
          name: 'is_default',
          label: productTabs.isDefault,
          type: 'checkbox' as const,
          help: productTabs.defaultHelp,
          value: false,
        },
      ]),
]

export const variantPatchOf = (changed: FormValues): VariantPatch => ({
  ...(clearedAsNull(changed) as VariantPatch),
  ...('option_values' in changed && {
    option_values: String(changed.option_values ?? '')
      .split(',')
      .map((value) => value.trim())
      .filter((value) => value !== ''),
  }),
})
