import { invalid } from '../../../kernel/errors.ts'
import { TOTAL_MAX, unitPrice } from '../../../kernel/money.ts'
import type { Wanted } from '../products/index.ts'
import type { NewOrder } from './schema.ts'

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

/**
 * Returns the line of each item. Refuses the first item that cannot be sold, and names its field.
 */
export function planLines(wanted: readonly Wanted[]): Line[] {
  const lines = wanted.map(planLine)
  checkQuantities(wanted)
  return lines
}

function planLine(item: Wanted): Line {
  const { field } = item
  if (!isOnSale(item)) throw invalid(`${field}.product_id`, `${nameOf(item)} is not on sale.`)
  if (item.product_kind === 'subscription' && !item.has_billing) {
    const why =
      'This product is a subscription that has no billing; set it with PUT /products/{id}/billing.'
    throw invalid(`${field}.product_id`, why)
  }
  if (!item.variant_active) {
    const what = item.bundle_name === undefined ? 'This variant' : nameOf(item)
    throw invalid(`${field}.variant_id`, `${what} is not on sale.`)
  }
  const unit_price_cents = unitPrice(item)
  return {
    product_id: item.product_id,
    product_hash: item.product_hash,
    variant_id: item.variant_id,
    name: item.product_name,
    variant_name: item.variant_name,
    sku: item.variant_sku ?? item.product_sku,
    delivery_type: item.delivery_type,
    quantity: item.quantity,
    unit_price_cents,
    discount_cents: 0,
    total_cents: unit_price_cents * item.quantity,
  }
}

const isOnSale = ({ product_status, product_active, visibility }: Wanted): boolean =>
  product_status === 'active' && product_active && visibility !== 'on_hold'

const nameOf = ({ product_name, bundle_name }: Wanted): string =>
  bundle_name === undefined ? 'This product' : `${product_name}, which ${bundle_name} contains,`

/** The quantity limits of a product apply to all its lines in the order together. */
function checkQuantities(wanted: readonly Wanted[]) {
  for (const product of wanted) {
    const units = unitsOf(product, wanted)
    const field = `${product.field}.quantity`
    if (units < product.min_qty)
      throw invalid(field, `Order ${product.min_qty} or more of this product.`)
    if (product.max_qty !== null && units > product.max_qty) {
      throw invalid(field, `Order at most ${product.max_qty} of this product.`)
    }
  }
}

const unitsOf = ({ product_id }: Limited, wanted: readonly Limited[]): number =>
  wanted.reduce((sum, item) => sum + (item.product_id === product_id ? item.quantity : 0), 0)

/**
 * Refuses a method that is not connected, or that one of the products does not accept (decision
 * 125).
 */
export function checkMethod(
  wanted: readonly Wanted[],
  method: string,
  connected: readonly string[],
): void {
  const takes = ({ methods }: Wanted, name: string) =>
    methods.some((item) => item.method === name && item.enabled)
  const allowed = connected.filter((name) => wanted.every((item) => takes(item, name)))
  if (allowed.includes(method)) return
  const unwilling = wanted.find((item) => !takes(item, method))
  const problem = connected.includes(method)
    ? `${unwilling?.product_name} cannot be paid with ${method}`
    : `The payment method ${method} is not connected to this store`
  const cure =
    allowed.length > 0
      ? `use one of ${allowed.join(', ')}, or leave this out`
      : 'enable a method that all products of the order share, or leave this out'
  throw invalid('payment_method', `${problem}; ${cure}.`, { allowed })
}

/** Units of a product, and the number of units that one customer may ever buy. */
export type Limited = Pick<Wanted, 'product_id' | 'quantity' | 'sell_limit'> & { field?: string }

/** Refuses units beyond those that the customer may still buy of a product with a `sell_limit`. */
export function checkSellLimits(
  wanted: readonly Limited[],
  bought: ReadonlyMap<number, number>,
): void {
  for (const [at, product] of wanted.entries()) {
    if (product.sell_limit === null) continue
    const before = bought.get(product.product_id) ?? 0
    if (before + unitsOf(product, wanted) <= product.sell_limit) continue
    throw invalid(
      `${product.field ?? `items[${at}]`}.quantity`,
      `A customer may buy ${product.sell_limit} of this product in all.`,
    )
  }
}

/** Returns the lines, each less its share of a coupon. */
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

/** Returns the totals of an order from its lines and its shipping price. */
export function totalsOf(lines: readonly Line[], shipping_cents = 0): Totals {
  const subtotal_cents = lines.reduce((sum, line) => sum + line.unit_price_cents * line.quantity, 0)
  if (subtotal_cents + shipping_cents > TOTAL_MAX)
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
 * A physical line needs an address and a shipping rate, unless the order is marked as paid. A rate
 * needs an address (decision 46). A store with shipping switched off requires no rate, so a
 * physical line there needs only an address (decision 102).
 */
export function checkShipping(
  lines: readonly Line[],
  body: NewOrder,
  features: { shipping: boolean },
): void {
  const physical = lines.some((line) => line.delivery_type === 'physical') && !body.mark_paid
  const rated = body.shipping_rate_id !== undefined
  if (rated && !features.shipping) {
    throw invalid('shipping_rate_id', 'Shipping is switched off for this store; leave this out.')
  }
  if (!body.shipping_address && (physical || rated)) {
    const why = physical ? 'A physical product' : 'A shipping rate'
    throw invalid('shipping_address', `${why} needs an address.`)
  }
  if (physical && !rated && features.shipping) {
    throw invalid(
      'shipping_rate_id',
      'A physical product needs a rate; send the id of one that POST /shipping/quote offers.',
    )
  }
}
