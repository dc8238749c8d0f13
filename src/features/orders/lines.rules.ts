import { invalid } from '../../kernel/errors.ts'
import { unitPrice } from '../../kernel/money.ts'
import type { NewItem, NewOrder } from './schema.ts'

/** A variant with its product, as an order finds it. */
export interface Sellable {
  product_id: number
  product_hash: string
  product_name: string
  product_sku: string | null
  product_status: string
  product_active: boolean
  visibility: string
  product_discount_percent: number
  min_qty: number
  max_qty: number | null
  sell_limit: number | null
  methods: { method: string; enabled: boolean }[]
  accepts_coupons: boolean
  variant_id: number | null
  variant_name: string
  variant_sku: string | null
  variant_active: boolean
  delivery_type: string
  price_cents: number
  discount_percent: number
}

export interface Line {
  product_id: number
  product_hash: string
  variant_id: number
  name: string
  variant_name: string
  sku: string | null
  delivery_type: string
  quantity: number
  unit_price_cents: number
  discount_cents: number
  total_cents: number
}

/** What each item comes to, or the first that cannot be sold, by its field. */
export function planLines(
  sent: Pick<NewOrder, 'items' | 'payment_method'>,
  sellables: readonly (Sellable | undefined)[],
): Line[] {
  const lines = sent.items.map((item, at) => planLine(item, sellables[at], `items[${at}]`))
  checkQuantities(sent.items, sellables)
  for (const sellable of sellables) checkMethod(sellable, sent.payment_method)
  return lines
}

function planLine(item: NewItem, sellable: Sellable | undefined, field: string): Line {
  if (!sellable) throw invalid(`${field}.product_id`, 'There is no product with this id.')
  const { variant_id } = sellable
  if (variant_id === null) {
    throw invalid(`${field}.variant_id`, 'This product has no variant with this id.')
  }
  if (!isOnSale(sellable)) throw invalid(`${field}.product_id`, 'This product is not on sale.')
  if (!sellable.variant_active) {
    throw invalid(`${field}.variant_id`, 'This variant is not on sale.')
  }
  const unit_price_cents = unitPrice(sellable)
  return {
    product_id: sellable.product_id,
    product_hash: sellable.product_hash,
    variant_id,
    name: sellable.product_name,
    variant_name: sellable.variant_name,
    sku: sellable.variant_sku ?? sellable.product_sku,
    delivery_type: sellable.delivery_type,
    quantity: item.quantity,
    unit_price_cents,
    discount_cents: 0,
    total_cents: unit_price_cents * item.quantity,
  }
}

const isOnSale = ({ product_status, product_active, visibility }: Sellable): boolean =>
  product_status === 'active' && product_active && visibility !== 'on_hold'

/** Limits of a product count all its lines in the order together. */
function checkQuantities(items: readonly NewItem[], sellables: readonly (Sellable | undefined)[]) {
  for (const [at, product] of sellables.entries()) {
    if (!product) continue
    const units = unitsOf(product, items, sellables)
    const field = `items[${at}].quantity`
    if (units < product.min_qty)
      throw invalid(field, `Order ${product.min_qty} or more of this product.`)
    if (product.max_qty !== null && units > product.max_qty) {
      throw invalid(field, `Order at most ${product.max_qty} of this product.`)
    }
  }
}

function unitsOf(
  product: Sellable,
  items: readonly NewItem[],
  sellables: readonly (Sellable | undefined)[],
) {
  let units = 0
  for (const [at, { quantity }] of items.entries()) {
    if (sellables[at]?.product_id === product.product_id) units += quantity
  }
  return units
}

function checkMethod(product: Sellable | undefined, method: string | undefined) {
  if (!product || method === undefined) return
  if (product.methods.some((one) => one.method === method && one.enabled)) return
  throw invalid('payment_method', `${product.product_name} cannot be paid with ${method}.`)
}

/** Units a customer may still buy of a product that limits them (`sell_limit`). */
export function checkSellLimits(
  items: readonly NewItem[],
  sellables: readonly (Sellable | undefined)[],
  bought: ReadonlyMap<number, number>,
): void {
  for (const [at, product] of sellables.entries()) {
    if (!product || product.sell_limit === null) continue
    const before = bought.get(product.product_id) ?? 0
    if (before + unitsOf(product, items, sellables) <= product.sell_limit) continue
    throw invalid(
      `items[${at}].quantity`,
      `A customer may buy ${product.sell_limit} of this product in all.`,
    )
  }
}

/** The lines, each less its share of a coupon. */
export const lessShares = (lines: readonly Line[], shares: readonly number[]): Line[] =>
  lines.map((line, at) => {
    const discount_cents = shares[at] ?? 0
    return { ...line, discount_cents, total_cents: line.total_cents - discount_cents }
  })

export interface Totals {
  subtotal_cents: number
  discount_cents: number
  shipping_cents: number
  total_cents: number
}

/** Far from where a number stops being exact (2^53). */
const TOTAL_MAX = 999_999_999_999_999

/** The sum of the lines; coupons and shipping come in beside it. */
export function totalsOf(lines: readonly Line[], shipping_cents = 0): Totals {
  const subtotal_cents = lines.reduce((sum, line) => sum + line.unit_price_cents * line.quantity, 0)
  if (subtotal_cents > TOTAL_MAX)
    throw invalid('items', `An order may come to ${TOTAL_MAX} at most.`)
  const discount_cents = lines.reduce((sum, line) => sum + line.discount_cents, 0)
  return {
    subtotal_cents,
    discount_cents,
    shipping_cents,
    total_cents: subtotal_cents - discount_cents + shipping_cents,
  }
}

/**
 * A physical line needs to know where it goes and how, unless it is paid for already, and a rate
 * needs an address (decision 46). A store that has shipping switched off asks nothing for it, so there
 * a line only says where it goes (decision 102).
 */
export function checkShipping(
  lines: readonly Line[],
  sent: NewOrder,
  features: { shipping: boolean },
): void {
  const physical = lines.some((line) => line.delivery_type === 'physical') && !sent.mark_paid
  const rated = sent.shipping_rate_id !== undefined
  if (rated && !features.shipping) {
    throw invalid('shipping_rate_id', 'Shipping is switched off for this store; leave this out.')
  }
  if (!sent.shipping_address && (physical || rated)) {
    const why = physical ? 'A physical product' : 'A shipping rate'
    throw invalid('shipping_address', `${why} needs an address.`)
  }
  if (physical && !rated && features.shipping) {
    throw invalid('shipping_rate_id', 'A physical product needs a shipping rate.')
  }
}
