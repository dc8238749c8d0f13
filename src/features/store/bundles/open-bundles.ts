import type { Db } from '../../../db/database.ts'
import { invalid } from '../../../kernel/errors.ts'
import { unitPrice } from '../../../kernel/money.ts'
import { findVariants, type Sellable, type Wanted } from '../products/index.ts'
import { type Share, splitPrice } from './bundle.rules.ts'
import * as q from './queries.ts'

/** Lines of one order after its bundles were opened. */
const LINES_MAX = 200
/** Units of one line, as for an item of an order. */
const UNITS_MAX = 10_000

/**
 * Replaces each bundle among the items by its contents, at prices that add up to the price of the
 * bundle (decision 340). The coupons and payment methods of the bundle apply to them.
 */
export async function openBundles(
  db: Db,
  storeId: number,
  wanted: readonly Wanted[],
): Promise<readonly Wanted[]> {
  const bundles = wanted.filter((item) => item.product_kind === 'bundle')
  if (bundles.length === 0) return wanted
  const ids = bundles.map((item) => item.product_id)
  const contents = await q.selectContents(db, storeId, ids)
  if (contents.length === 0) return wanted
  const variants = await findVariants(db, storeId, contents)
  const opened = wanted.flatMap((item) => {
    if (item.product_kind !== 'bundle') return item
    const own = contents.flatMap(({ bundle_id, quantity }, nth) =>
      bundle_id === item.product_id ? { variant: variants[nth], quantity } : [],
    )
    return own.length === 0 ? item : openBundle(item, own)
  })
  if (opened.length > LINES_MAX) {
    throw invalid(
      'items',
      `With the contents of its bundles an order has at most ${LINES_MAX} lines.`,
    )
  }
  return opened
}

interface Content {
  variant: Sellable | undefined
  quantity: number
}

function openBundle(bundle: Wanted, contents: readonly Content[]): Wanted[] {
  const { field } = bundle
  if (bundle.sell_limit !== null) {
    const why = 'This bundle has a sell_limit; only the products that it contains can have one.'
    throw invalid(`${field}.product_id`, why)
  }
  const parts = contents.map(({ variant, quantity }) => ({
    variant: single(variant, bundle),
    quantity,
  }))
  const priced = parts.map(({ variant, quantity }) => ({
    quantity,
    unit_price_cents: unitPrice(variant),
  }))
  return splitPrice(unitPrice(bundle), priced).flatMap((share) => {
    const variant = parts[share.part]?.variant
    const quantity = share.quantity * bundle.quantity
    if (quantity > UNITS_MAX) {
      throw invalid(`${field}.quantity`, `These are more than ${UNITS_MAX} units of one variant.`)
    }
    return variant ? asContent(variant, bundle, { ...share, quantity }) : []
  })
}

/** Refuses a content that was deleted, or that became a subscription or a bundle itself. */
function single(variant: Sellable | undefined, { field, product_name }: Wanted): Sellable {
  if (variant?.product_kind === 'single') return variant
  const what = variant ? variant.product_name : 'A variant'
  throw invalid(`${field}.product_id`, `${what}, which ${product_name} contains, is not on sale.`)
}

/** The content at its share of the price, on the terms of the bundle. */
const asContent = (
  variant: Sellable,
  bundle: Wanted,
  { quantity, unit_price_cents }: Pick<Share, 'quantity' | 'unit_price_cents'>,
): Wanted => ({
  ...variant,
  quantity,
  field: bundle.field,
  bundle_name: bundle.product_name,
  price_cents: unit_price_cents,
  discount_percent: 0,
  product_discount_percent: 0,
  min_qty: 1,
  max_qty: null,
  methods: bundle.methods,
  accepts_coupons: bundle.accepts_coupons,
})
