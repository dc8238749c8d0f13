import { alreadyTaken, invalid } from '../../../kernel/errors.ts'
import { slugOf } from '../../../kernel/slug.ts'
import type { NewProduct } from './schema.ts'
import {
  type NewVariant,
  VARIANT_DEFAULTS,
  VARIANTS_MAX,
  type Variant,
  type VariantPatch,
} from './variant-schema.ts'

export type VariantRow = Omit<Variant, 'id' | 'object' | 'product_id' | 'created_at' | 'updated_at'>

/** The stock mode of a new variant by delivery type, if the request has none (decision 37). */
const DEFAULT_STOCK_MODES = {
  serial: 'calculated',
  file: 'unlimited',
  service: 'unlimited',
  dynamic: 'unlimited',
  license: 'unlimited',
  physical: 'manual',
} as const satisfies Record<Variant['delivery_type'], Variant['stock_mode']>

interface VariantPlan {
  variants: VariantRow[]
  /** The price of the default variant, which is also the product's price. */
  price_cents: number
}

/**
 * Plans the variants of a new product. Without variants in the request there is one called "Default".
 * Exactly one variant is the default. A variant without a price gets the product's price (decisions 26
 * and 27).
 */
export function planVariants(product: NewProduct, type: Variant['delivery_type']): VariantPlan {
  const newVariants = product.variants ?? [{ name: 'Default' }]
  const defaultAt = indexOfDefault(newVariants)
  const price = priceOf(product, newVariants, defaultAt)
  refuseRepeated(newVariants, 'slug')
  refuseRepeated(newVariants, 'sku')
  const slugs = new Set(newVariants.flatMap(({ slug }) => slug ?? []))
  const variants = newVariants.map((variant, index): VariantRow => {
    const fieldPrefix = product.variants ? `variants[${index}].` : ''
    const row = withDefaults(variant, index, type, price)
    checkVariant(row, variant, fieldPrefix)
    return {
      ...row,
      slug: variant.slug ?? uniqueSlug(row.slug, slugs),
      is_default: index === defaultAt,
    }
  })
  return { variants, price_cents: variants[defaultAt]?.price_cents ?? price }
}

/** Plans a new variant of a product that has these siblings. */
export function planVariant(
  product: { type: string; price_cents: number },
  siblings: readonly VariantRow[],
  body: NewVariant,
): VariantRow {
  if (siblings.length >= VARIANTS_MAX) {
    throw invalid('name', `A product has at most ${VARIANTS_MAX} variants. Delete one first.`)
  }
  const position = Math.max(-1, ...siblings.map((item) => item.sort_order)) + 1
  const type = product.type as Variant['delivery_type']
  const row = withDefaults(body, position, type, product.price_cents)
  checkVariant(row, body, '')
  const usedSlugs = new Set(siblings.map((item) => item.slug))
  return { ...row, slug: body.slug ?? uniqueSlug(row.slug, usedSlugs) }
}

export interface VariantChange {
  fields: Omit<VariantPatch, 'stock_quantity'>
  /** The new number of units that can be sold; undefined if the patch does not set it. */
  stock_quantity: number | undefined
  /** True if the patch sets `stock_mode` to `calculated`, so that keys have to be counted. */
  recountsKeys: boolean
}

/**
 * Returns the change that a patch makes. Refuses a patch that contradicts the fields that it does not
 * change.
 */
export function planChange(before: VariantRow, patch: VariantPatch): VariantChange {
  if (before.is_default && patch.is_default === false) {
    throw invalid('is_default', 'Make another variant the default one instead.')
  }
  const after = { ...before, ...patch }
  checkVariant(after, patch, '')
  const { stock_quantity, ...fields } = patch
  const recountsKeys = after.stock_mode === 'calculated' && before.stock_mode !== 'calculated'
  return { fields, stock_quantity, recountsKeys }
}

/** Returns the price of the product, which is the price of its default variant (decision 27). */
function priceOf(
  { price_cents, variants }: NewProduct,
  newVariants: readonly NewVariant[],
  index: number,
) {
  const variantPrice = newVariants[index]?.price_cents
  if (variantPrice !== undefined && price_cents !== undefined && variantPrice !== price_cents) {
    const message = `variants[${index}] is the default one and costs ${variantPrice}; write ${variantPrice} here too, or leave this out.`
    throw invalid('price_cents', message)
  }
  const price = variantPrice ?? price_cents
  if (price !== undefined) return price
  const field = variants ? `variants[${index}].price_cents` : 'price_cents'
  throw invalid(field, 'This field is required.')
}

/** Returns the index of the default variant: the first one unless another is marked. */
function indexOfDefault(newVariants: readonly NewVariant[]): number {
  const [first = 0, second] = newVariants.flatMap((variant, index) =>
    variant.is_default ? [index] : [],
  )
  if (second === undefined) return first
  throw invalid(`variants[${second}].is_default`, 'Only one variant can be the default.')
}

function withDefaults(
  variant: NewVariant,
  index: number,
  type: Variant['delivery_type'],
  price_cents: number,
): VariantRow {
  const delivery_type = variant.delivery_type ?? type
  return {
    ...VARIANT_DEFAULTS,
    slug: slugOf(variant.name) || 'variant',
    price_cents,
    is_default: false,
    sort_order: index,
    stock_mode: DEFAULT_STOCK_MODES[delivery_type],
    ...variant,
    delivery_type,
  }
}

/** Refuses fields that contradict each other. `fieldPrefix` is the path of the variant in the request. */
function checkVariant(row: VariantRow, body: VariantPatch, fieldPrefix: string) {
  if (row.stock_mode === 'calculated' && row.delivery_type !== 'serial') {
    throw invalid(
      `${fieldPrefix}stock_mode`,
      'Only a serial variant counts keys. Use manual or unlimited.',
    )
  }
  if (body.stock_quantity !== undefined && row.stock_mode !== 'manual') {
    throw invalid(
      `${fieldPrefix}stock_quantity`,
      `Send stock_mode manual with it: ${row.stock_mode} takes no quantity.`,
    )
  }
}

/** Refuses a unique value that occurs twice in one call. */
function refuseRepeated(newVariants: readonly NewVariant[], name: 'slug' | 'sku') {
  const seenValues = new Set<string>()
  for (const [index, { [name]: value }] of newVariants.entries()) {
    if (value == null) continue
    if (seenValues.has(value))
      throw alreadyTaken(
        `variants[${index}].${name}`,
        `Another variant has this ${name}. Use another one.`,
      )
    seenValues.add(value)
  }
}

/** The length to which a slug is shortened, so that a number fits into the 128 characters of a slug. */
const NUMBERED_SLUG_MAX = 120

/** Adds a number to a slug if a sibling has that slug. */
function uniqueSlug(slug: string, usedSlugs: Set<string>): string {
  let candidate = slug
  for (let n = 2; usedSlugs.has(candidate); n++)
    candidate = `${slug.slice(0, NUMBERED_SLUG_MAX)}-${n}`
  usedSlugs.add(candidate)
  return candidate
}
