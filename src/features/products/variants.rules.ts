import { invalid, taken } from '../../kernel/errors.ts'
import { slugOf } from '../../kernel/slug.ts'
import type { NewProduct } from './schema.ts'
import type { NewVariant, Variant } from './variant-schema.ts'

export type VariantRow = Omit<Variant, 'id' | 'object' | 'product_id' | 'created_at' | 'updated_at'>

/** How stock is counted where the seller does not say (decision 37). */
const STOCK_MODES = {
  serial: 'calculated',
  file: 'unlimited',
  service: 'unlimited',
  dynamic: 'unlimited',
  license: 'unlimited',
  physical: 'manual',
} as const satisfies Record<Variant['delivery_type'], Variant['stock_mode']>

export interface VariantPlan {
  variants: VariantRow[]
  /** The default variant's price, which is the product's too. */
  price_cents: number
}

/**
 * The variants that a new product gets: those sent, or one called "Default"; exactly one of them the
 * default, each with the product's price where it brings none (decisions 26 and 27).
 */
export function planVariants(product: NewProduct, type: Variant['delivery_type']): VariantPlan {
  const sent = product.variants ?? [{ name: 'Default' }]
  const defaultAt = onlyDefault(sent)
  const price = sent[defaultAt]?.price_cents ?? product.price_cents
  if (price === undefined) {
    const field = product.variants ? `variants[${defaultAt}].price_cents` : 'price_cents'
    throw invalid(field, 'This field is required.')
  }
  refuseDoubles(sent, 'slug')
  refuseDoubles(sent, 'sku')
  const slugs = new Set(sent.flatMap(({ slug }) => slug ?? []))
  const variants = sent.map((variant, at): VariantRow => {
    const field = product.variants ? `variants[${at}].` : ''
    const row = withDefaults(variant, at, type, price)
    checkVariant(row, variant, field)
    return {
      ...row,
      slug: variant.slug ?? freeSlug(row.slug, slugs),
      is_default: at === defaultAt,
    }
  })
  return { variants, price_cents: variants[defaultAt]?.price_cents ?? price }
}

function onlyDefault(sent: readonly NewVariant[]): number {
  const [first = 0, second] = sent.flatMap((variant, at) => (variant.is_default ? [at] : []))
  if (second === undefined) return first
  throw invalid(`variants[${second}].is_default`, 'Only one variant can be the default.')
}

function withDefaults(
  variant: NewVariant,
  at: number,
  type: Variant['delivery_type'],
  price_cents: number,
): VariantRow {
  const delivery_type = variant.delivery_type ?? type
  return {
    slug: slugOf(variant.name) || 'variant',
    price_cents,
    discount_percent: 0,
    compare_at_cents: null,
    is_default: false,
    active: true,
    sort_order: at,
    image_url: null,
    stock_mode: STOCK_MODES[delivery_type],
    stock_quantity: 0,
    sku: null,
    barcode: null,
    weight_grams: null,
    track_inventory: true,
    allow_backorder: false,
    low_stock_threshold: null,
    option_values: [],
    ...variant,
    delivery_type,
  }
}

function checkVariant(row: VariantRow, sent: NewVariant, field: string) {
  if (row.stock_mode === 'calculated' && row.delivery_type !== 'serial') {
    throw invalid(
      `${field}stock_mode`,
      'Only a serial variant counts keys; use manual or unlimited.',
    )
  }
  if (sent.stock_quantity !== undefined && row.stock_mode !== 'manual') {
    throw invalid(`${field}stock_quantity`, 'Only stock_mode manual takes a quantity.')
  }
}

/** What has to be unique may not stand twice in one call either. */
function refuseDoubles(sent: readonly NewVariant[], name: 'slug' | 'sku') {
  const seen = new Set<string>()
  for (const [at, { [name]: value }] of sent.entries()) {
    if (value == null) continue
    if (seen.has(value)) throw taken(`variants[${at}].${name}`, `Another variant has this ${name}.`)
    seen.add(value)
  }
}

/** A slug that is made from a name gets a number where a sibling has it. */
function freeSlug(slug: string, used: Set<string>): string {
  let free = slug
  for (let n = 2; used.has(free); n++) free = `${slug.slice(0, 120)}-${n}`
  used.add(free)
  return free
}
