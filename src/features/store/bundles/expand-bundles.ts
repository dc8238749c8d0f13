import type { Db } from '../../../db/database.ts'
import { invalid } from '../../../kernel/errors.ts'
import { unitPrice } from '../../../kernel/money.ts'
import { findVariants, type Sellable, type SellableItem } from '../products/index.ts'
import { type PricedUnits, splitPrice } from './bundle.rules.ts'
import * as q from './queries.ts'

/** The maximum number of lines of an order, including the contents of bundles. */
const LINES_MAX = 200
/** The maximum number of units of one line, as for an item of a request. */
const UNITS_MAX = 10_000

/**
 * Replaces each bundle among the items by its contents, at prices that add up to the price of the
 * bundle (decision 340). The settings of the bundle for coupons and payment methods apply to its contents.
 */
export async function expandBundles(
  db: Db,
  storeId: number,
  items: readonly SellableItem[],
): Promise<readonly SellableItem[]> {
  const bundles = items.filter((item) => item.product_kind === 'bundle')
  if (bundles.length === 0) return items
  const ids = bundles.map((item) => item.product_id)
  const contents = await q.selectContents(db, storeId, ids)
  if (contents.length === 0) return items
  const variants = await findVariants(db, storeId, contents)
  const expandedItems = items.flatMap((item) => {
    if (item.product_kind !== 'bundle') return item
    const bundleContents = contents.flatMap(({ bundle_id, quantity }, index) =>
      bundle_id === item.product_id ? { variant: variants[index], quantity } : [],
    )
    return bundleContents.length === 0 ? item : expandBundle(item, bundleContents)
  })
  if (expandedItems.length > LINES_MAX) {
    throw invalid(
      'items',
      `An order has at most ${LINES_MAX} lines, including the contents of bundles. Order fewer items.`,
    )
  }
  return expandedItems
}

function expandBundle(
  bundle: SellableItem,
  contents: readonly { variant: Sellable | undefined; quantity: number }[],
): SellableItem[] {
  const { field } = bundle
  if (bundle.sell_limit !== null) {
    throw invalid(
      `${field}.product_id`,
      'This bundle has a sell_limit. Set it to null; only the products that it contains can have one.',
    )
  }
  const parts = contents.map((part) => {
    const variant = checkOnSale(part.variant, bundle)
    return { variant, quantity: part.quantity, unit_price_cents: unitPrice(variant) }
  })
  return splitPrice(unitPrice(bundle), parts).flatMap((units, index) => {
    const variant = parts[units.part_index]?.variant
    const quantity = units.quantity * bundle.quantity
    if (quantity > UNITS_MAX) {
      throw invalid(
        `${field}.quantity`,
        `A line of an order has at most ${UNITS_MAX} units. Order fewer.`,
        { rule: 'at_most', limit: UNITS_MAX },
      )
    }
    if (!variant) return []
    const bundleUnits = index === 0 ? bundle.quantity : 0
    return itemOfBundle(variant, bundle, { ...units, quantity, bundleUnits })
  })
}

/** Refuses a variant of the contents that was deleted, or whose product is a subscription or a bundle now. */
function checkOnSale(
  variant: Sellable | undefined,
  { field, product_name }: SellableItem,
): Sellable {
  if (variant?.product_kind === 'single') return variant
  const name = variant ? variant.product_name : 'A variant'
  throw invalid(
    `${field}.product_id`,
    `${name}, which ${product_name} contains, is not on sale. Order without the bundle.`,
  )
}

/** Returns a variant of the contents as an item, with its part of the bundle's price and the settings of the bundle. */
const itemOfBundle = (
  variant: Sellable,
  bundle: SellableItem,
  {
    quantity,
    unit_price_cents,
    bundleUnits,
  }: Pick<PricedUnits, 'quantity' | 'unit_price_cents'> & { bundleUnits: number },
): SellableItem => ({
  ...variant,
  quantity,
  field: bundle.field,
  bundle: {
    product_id: bundle.product_id,
    product_hash: bundle.product_hash,
    variant_id: bundle.variant_id,
    name: bundle.product_name,
    units: bundleUnits,
  },
  price_cents: unit_price_cents,
  discount_percent: 0,
  product_discount_percent: 0,
  min_qty: 1,
  max_qty: null,
  methods: bundle.methods,
  accepts_coupons: bundle.accepts_coupons,
})
