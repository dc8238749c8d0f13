import type { Product, ProductSections, Variant } from '../../api/store.ts'

/**
 * The price of one unit after the discount of the variant, or of the product if it has none; half a
 * cent is rounded up (decision 27).
 */
export function priceOf({ discount_percent }: Product, variant: Variant): number {
  const percent = variant.discount_percent || discount_percent
  // In hundredths of a percent, so that the arithmetic uses integers only.
  const payableShare = 10_000 - Math.round(percent * 100)
  return Math.floor((variant.price_cents * payableShare + 5_000) / 10_000)
}

export const isSoldOut = (variant: Variant): boolean =>
  variant.stock_mode !== 'unlimited' &&
  variant.track_inventory &&
  !variant.allow_backorder &&
  variant.stock_quantity === 0

type Obstacle = 'draft' | 'archived' | 'off' | 'onHold' | 'noVariant' | 'soldOut'

/** The reason why the product cannot be bought now; undefined if it can be. */
export function obstacleOf({ product, variants }: ProductSections): Obstacle | undefined {
  if (product.status !== 'active') return product.status
  if (!product.active) return 'off'
  if (product.visibility === 'on_hold') return 'onHold'
  const offeredVariants = variants.filter(({ active }) => active)
  if (offeredVariants.length === 0) return 'noVariant'
  return offeredVariants.every(isSoldOut) ? 'soldOut' : undefined
}

/** A highlight as its line: `Pages: 120`, or only its name. */
export const highlightText = ([name, value]: [name: string, value: string]): string =>
  value === '' ? name : `${name}: ${value}`
