import { alreadyTaken, invalid } from '../../../kernel/errors.ts'
import { slugOf } from '../../../kernel/slug.ts'
import type { NewProduct } from './schema.ts'
import { type NewVariant, VARIANTS_MAX, type Variant, type VariantPatch } from './variant-schema.ts'

export type VariantRow = Omit<Variant, 'id' | 'object' | 'product_id' | 'created_at' | 'updated_at'>

/** The stock mode of a new variant if the request has none (decision 37). */
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
 * Plans the variants of a new product: those sent, or one called "Default". Exactly one of them is
 * the default. A variant without a price gets the product's price (decisions 26 and 27).
 */
export function planVariants(product: NewProduct, type: Variant['delivery_type']): VariantPlan {
  const body = product.variants ?? [{ name: 'Default' }]
  const defaultAt = onlyDefault(body)
  const price = priceOf(product, body, defaultAt)
  refuseDoubles(body, 'slug')
  refuseDoubles(body, 'sku')
  const slugs = new Set(body.flatMap(({ slug }) => slug ?? []))
  const variants = body.map((variant, at): VariantRow => {
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

/** Plans one more variant of a product that has these already. */
export function planVariant(
  product: { type: string; price_cents: number },
  siblings: readonly VariantRow[],
  body: NewVariant,
): VariantRow {
  if (siblings.length >= VARIANTS_MAX) {
    throw invalid('name', `A product has at most ${VARIANTS_MAX} variants; delete one first.`)
  }
  const after = Math.max(-1, ...siblings.map((item) => item.sort_order)) + 1
  const type = product.type as Variant['delivery_type']
  const row = withDefaults(body, after, type, product.price_cents)
  checkVariant(row, body, '')
  const usedSlugs = new Set(siblings.map((item) => item.slug))
  return { ...row, slug: body.slug ?? freeSlug(row.slug, usedSlugs) }
}

export interface VariantChange {
  fields: Omit<VariantPatch, 'stock_quantity'>
  /** The number of units that can be sold from now on, if the patch sets it. */
  stock_quantity: number | undefined
  /** True if stock is counted by keys from now on. */
  countsKeys: boolean
}

/**
 * Returns the change that a patch makes. Refuses a patch that contradicts the fields that it
 * leaves.
 */
export function planChange(before: VariantRow, patch: VariantPatch): VariantChange {
  if (before.is_default && patch.is_default === false) {
    throw invalid('is_default', 'Make another variant the default one instead.')
  }
  const after = { ...before, ...patch }
  checkVariant(after, patch, '')
  const { stock_quantity, ...fields } = patch
  const countsKeys = after.stock_mode === 'calculated' && before.stock_mode !== 'calculated'
  return { fields, stock_quantity, countsKeys }
}

/** The default variant's price and the product's price are one value (decision 27). */
function priceOf({ price_cents, variants }: NewProduct, body: readonly NewVariant[], at: number) {
  const own = body[at]?.price_cents
  if (own !== undefined && price_cents !== undefined && own !== price_cents) {
    const why = `variants[${at}] is the default one and costs ${own}; write ${own} here too, or leave this out.`
    throw invalid('price_cents', why)
  }
  const price = own ?? price_cents
  if (price !== undefined) return price
  const field = variants ? `variants[${at}].price_cents` : 'price_cents'
  throw invalid(field, 'This field is required.')
}

function onlyDefault(body: readonly NewVariant[]): number {
  const [first = 0, second] = body.flatMap((variant, at) => (variant.is_default ? [at] : []))
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

function checkVariant(row: VariantRow, body: VariantPatch, field: string) {
  if (row.stock_mode === 'calculated' && row.delivery_type !== 'serial') {
    throw invalid(
      `${field}stock_mode`,
      'Only a serial variant counts keys; use manual or unlimited.',
    )
  }
  if (body.stock_quantity !== undefined && row.stock_mode !== 'manual') {
    throw invalid(
      `${field}stock_quantity`,
      `Send stock_mode manual with it: ${row.stock_mode} takes no quantity.`,
    )
  }
}

/** Refuses a unique value that occurs twice in one call. */
function refuseDoubles(body: readonly NewVariant[], name: 'slug' | 'sku') {
  const seen = new Set<string>()
  for (const [at, { [name]: value }] of body.entries()) {
    if (value == null) continue
    if (seen.has(value))
      throw alreadyTaken(`variants[${at}].${name}`, `Another variant has this ${name}.`)
    seen.add(value)
  }
}

/** Adds a number to a slug that is made from a name, if a sibling has that slug. */
function freeSlug(slug: string, used: Set<string>): string {
  let free = slug
  for (let n = 2; used.has(free); n++) free = `${slug.slice(0, 120)}-${n}`
  used.add(free)
  return free
}
