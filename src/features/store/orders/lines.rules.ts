import { invalid } from '../../../kernel/errors.ts'
import { TOTAL_MAX, unitPrice } from '../../../kernel/money.ts'
import type { SellableItem } from '../products/index.ts'
import type { NewOrder } from './schema.ts'

export interface OrderLine {
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
  /** The bundle that the line belongs to, with its name at the sale (decision 179). All four are null without one. */
  bundle_product_id: number | null
  bundle_hash: string | null
  bundle_name: string | null
  /** The number of bundles for the first line of a bundle, and 0 for its other lines. */
  bundle_units: number | null
}

/**
 * Returns a line with the units that the buyer gets: the bought ones, less those that were refunded before they were
 * delivered.
 */
export const withDueUnits = <Line extends { quantity: number; cancelled: number }>(
  line: Line,
): Line => ({ ...line, quantity: line.quantity - line.cancelled, cancelled: 0 })

/**
 * Returns the order line of each item. Refuses the first item that cannot be sold, and names its field.
 */
export function planLines(items: readonly SellableItem[]): OrderLine[] {
  const lines = items.map(planLine)
  checkQuantities(items)
  return lines
}

function planLine(item: SellableItem): OrderLine {
  const { field } = item
  if (!isOnSale(item))
    throw invalid(`${field}.product_id`, `${nameOf(item)} is not on sale. Order without it.`)
  if (item.product_kind === 'subscription' && !item.has_billing) {
    const message =
      'This product is a subscription without billing. Set it with PUT /products/{id}/billing.'
    throw invalid(`${field}.product_id`, message)
  }
  if (!item.variant_active) {
    const subject = item.bundle === undefined ? 'This variant' : nameOf(item)
    throw invalid(`${field}.variant_id`, `${subject} is not on sale. Order without it.`)
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
    bundle_product_id: item.bundle?.product_id ?? null,
    bundle_hash: item.bundle?.product_hash ?? null,
    bundle_name: item.bundle?.name ?? null,
    bundle_units: item.bundle?.units ?? null,
  }
}

const isOnSale = ({ product_status, product_active, visibility }: SellableItem): boolean =>
  product_status === 'active' && product_active && visibility !== 'on_hold'

const nameOf = ({ product_name, bundle }: SellableItem): string =>
  bundle === undefined ? 'This product' : `${product_name}, which ${bundle.name} contains,`

/** The quantity limits of a product apply to all its lines in the order together. */
function checkQuantities(items: readonly SellableItem[]) {
  for (const item of items) {
    const units = unitsOf(item, items)
    const field = `${item.field}.quantity`
    if (units < item.min_qty) {
      throw invalid(field, `Order ${item.min_qty} or more of this product.`, {
        rule: 'at_least',
        limit: item.min_qty,
      })
    }
    if (item.max_qty !== null && units > item.max_qty) {
      throw invalid(field, `Order at most ${item.max_qty} of this product.`, {
        rule: 'at_most',
        limit: item.max_qty,
      })
    }
  }
}

/** Returns the units of a product in all items together. */
const unitsOf = ({ product_id }: LimitedItem, items: readonly LimitedItem[]): number =>
  items.reduce((sum, item) => sum + (item.product_id === product_id ? item.quantity : 0), 0)

export interface PayableItem {
  product_name: string
  methods: readonly { method: string; enabled: boolean }[]
}

/** Returns true if a product can be paid with a method while it is connected to the store. */
export const acceptsMethod = ({ methods }: PayableItem, name: string): boolean =>
  methods.find((item) => item.method === name)?.enabled ?? true

/**
 * Refuses a payment method that is not connected to the store, or that one of the products does not
 * accept (decision 125).
 */
export function checkMethod(
  items: readonly PayableItem[],
  method: string,
  connectedNames: readonly string[],
): void {
  const allowed = connectedNames.filter((name) => items.every((item) => acceptsMethod(item, name)))
  if (allowed.includes(method)) return
  const refusingItem = items.find((item) => !acceptsMethod(item, method))
  const problem = connectedNames.includes(method)
    ? `${refusingItem?.product_name} cannot be paid with ${method}`
    : `The payment method ${method} is not connected to this store`
  const remedy =
    allowed.length > 0
      ? `use one of ${allowed.join(', ')}, or leave this out`
      : 'enable a method that all products of the order share, or leave this out'
  throw invalid('payment_method', `${problem}; ${remedy}.`, { allowed })
}

/** The ordered units of a product, and the number of units that one customer may ever buy. */
export type LimitedItem = Pick<SellableItem, 'product_id' | 'quantity' | 'sell_limit'> & {
  field?: string
}

/**
 * Refuses items that exceed the `sell_limit` of a product together with the units that the customer
 * bought before.
 */
export function checkSellLimits(
  items: readonly LimitedItem[],
  boughtUnits: ReadonlyMap<number, number>,
): void {
  for (const [index, item] of items.entries()) {
    if (item.sell_limit === null) continue
    const boughtBefore = boughtUnits.get(item.product_id) ?? 0
    if (boughtBefore + unitsOf(item, items) <= item.sell_limit) continue
    throw invalid(
      `${item.field ?? `items[${index}]`}.quantity`,
      `A customer may buy at most ${item.sell_limit} of this product in total. Order fewer.`,
      { rule: 'at_most', limit: item.sell_limit },
    )
  }
}

/** Returns the lines with their shares of a coupon subtracted. */
export const subtractShares = (
  lines: readonly OrderLine[],
  shares: readonly number[],
): OrderLine[] =>
  lines.map((line, index) => {
    const discount_cents = shares[index] ?? 0
    return { ...line, discount_cents, total_cents: line.total_cents - discount_cents }
  })

export interface OrderTotals {
  subtotal_cents: number
  discount_cents: number
  shipping_cents: number
  total_cents: number
}

/** Returns the totals of an order from its lines and its shipping price. */
export function totalsOf(lines: readonly OrderLine[], shipping_cents = 0): OrderTotals {
  const subtotal_cents = lines.reduce((sum, line) => sum + line.unit_price_cents * line.quantity, 0)
  if (subtotal_cents + shipping_cents > TOTAL_MAX)
    throw invalid('items', `An order may total at most ${TOTAL_MAX} cents. Order less.`)
  const discount_cents = lines.reduce((sum, line) => sum + line.discount_cents, 0)
  return {
    subtotal_cents,
    discount_cents,
    shipping_cents,
    total_cents: subtotal_cents - discount_cents + shipping_cents,
  }
}

/**
 * Refuses an order whose address or shipping rate is missing. A physical line needs both, unless the
 * order is marked as paid, and a rate needs an address (decision 46). A store with shipping switched
 * off has no rates, so a physical line needs only an address there.
 */
export function checkShipping(
  lines: readonly OrderLine[],
  body: NewOrder,
  features: { shipping: boolean },
): void {
  const needsShipping = lines.some((line) => line.delivery_type === 'physical') && !body.mark_paid
  const hasRate = body.shipping_rate_id !== undefined
  if (hasRate && !features.shipping) {
    throw invalid('shipping_rate_id', 'Shipping is switched off for this store; leave this out.')
  }
  if (!body.shipping_address && (needsShipping || hasRate)) {
    const subject = needsShipping ? 'A physical product' : 'A shipping rate'
    throw invalid('shipping_address', `${subject} needs an address.`)
  }
  if (needsShipping && !hasRate && features.shipping) {
    throw invalid(
      'shipping_rate_id',
      'A physical product needs a rate; send the id of one that POST /shipping/quote offers.',
    )
  }
}
