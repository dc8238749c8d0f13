import type {
  DetailsPatch,
  Product,
  ProductDetails,
  ProductPatch,
  Variant,
  VariantPatch,
} from '../../api/store.ts'
import type { Field, Typed } from '../../kit/fields.tsx'
import { humanize } from '../../kit/format.ts'
import { common } from '../../text/common.ts'
import { productTabs } from '../../text/product-tabs.ts'
import { products } from '../../text/products.ts'

const VISIBILITIES = ['public', 'unlisted', 'private', 'on_hold']
export const DELIVERY_TYPES = ['serial', 'file', 'service', 'dynamic', 'physical', 'license']
const STOCK_MODES = ['calculated', 'manual', 'unlimited']
const optionsOf = (values: readonly string[]) =>
  values.map((value) => ({ value, label: humanize(value) }))

/** An empty field clears its value. */
const cleared = (changed: Typed): Typed =>
  Object.fromEntries(Object.entries(changed).map(([name, value]) => [name, value ?? null]))

type Options = readonly { value: string; label: string }[]

export const basicFields = (product: Product, categories: Options): readonly Field[] => [
  { name: 'name', label: common.name, required: true, value: product.name },
  {
    name: 'price_cents',
    label: products.price,
    type: 'money',
    currency: product.currency,
    required: true,
    value: product.price_cents,
    help: products.priceHelp,
  },
  {
    name: 'discount_percent',
    label: productTabs.discount,
    type: 'number',
    required: true,
    value: product.discount_percent,
  },
  {
    name: 'type',
    label: products.type,
    type: 'select',
    required: true,
    value: product.type,
    options: optionsOf(DELIVERY_TYPES),
  },
  {
    name: 'visibility',
    label: productTabs.visibility,
    type: 'select',
    required: true,
    value: product.visibility,
    options: optionsOf(VISIBILITIES),
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
    value: product.min_qty,
  },
  {
    name: 'max_qty',
    label: productTabs.maxQty,
    type: 'number',
    help: productTabs.noLimit,
    value: product.max_qty,
  },
  {
    name: 'sell_limit',
    label: productTabs.sellLimit,
    type: 'number',
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

export const productPatchOf = (changed: Typed): ProductPatch => ({
  ...(cleared(changed) as ProductPatch),
  ...(changed.category_ids !== undefined && {
    category_ids: (changed.category_ids as string[]).map(Number),
  }),
})

export const detailFields = (details: ProductDetails): readonly Field[] => [
  { name: 'short_description', label: productTabs.short, value: details.short_description },
  {
    name: 'description_html',
    label: productTabs.description,
    type: 'textarea',
    help: productTabs.descriptionHelp,
    value: details.description_html,
  },
  {
    name: 'highlights',
    label: productTabs.highlights,
    type: 'textarea',
    help: productTabs.highlightsHelp,
    value: Object.entries(details.highlights)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
  },
  { name: 'youtube_url', label: productTabs.youtube, type: 'url', value: details.youtube_url },
]

export const detailsPatchOf = (changed: Typed): DetailsPatch => ({
  ...(cleared(changed) as DetailsPatch),
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

/** The fields of a variant; those of a new one have the values that the API would give it. */
export const variantFields = (currency: string, of?: Variant): readonly Field[] => [
  { name: 'name', label: common.name, required: true, value: of?.name },
  {
    name: 'price_cents',
    label: products.price,
    type: 'money',
    currency,
    required: true,
    value: of?.price_cents,
  },
  {
    name: 'compare_at_cents',
    label: productTabs.compareAt,
    type: 'money',
    currency,
    value: of?.compare_at_cents,
  },
  { name: 'sku', label: 'SKU', value: of?.sku },
  {
    name: 'option_values',
    label: productTabs.options,
    help: productTabs.optionsHelp,
    value: of?.option_values.join(', '),
  },
  {
    name: 'stock_mode',
    label: products.mode,
    type: 'select',
    required: true,
    value: of?.stock_mode ?? 'manual',
    options: optionsOf(STOCK_MODES),
    // The stock of a new serial variant is the number of its keys.
    when: ({ delivery_type }) => delivery_type !== 'serial',
  },
  ...(of
    ? []
    : [
        {
          name: 'stock_quantity',
          label: products.stock,
          type: 'number' as const,
          when: ({ delivery_type, stock_mode }: Typed) =>
            delivery_type !== 'serial' && stock_mode === 'manual',
        },
      ]),
  {
    name: 'low_stock_threshold',
    label: productTabs.lowStock,
    type: 'number',
    value: of?.low_stock_threshold,
  },
  {
    name: 'allow_backorder',
    label: productTabs.backorder,
    type: 'checkbox',
    value: of?.allow_backorder ?? false,
  },
  { name: 'barcode', label: productTabs.barcode, value: of?.barcode },
  { name: 'weight_grams', label: productTabs.weight, type: 'number', value: of?.weight_grams },
  { name: 'active', label: productTabs.isActive, type: 'checkbox', value: of?.active ?? true },
  // The default variant stays it until another one becomes it.
  ...(of?.is_default
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

export const variantPatchOf = (changed: Typed): VariantPatch => ({
  ...(cleared(changed) as VariantPatch),
  ...('option_values' in changed && {
    option_values: String(changed.option_values ?? '')
      .split(',')
      .map((value) => value.trim())
      .filter((value) => value !== ''),
  }),
})
