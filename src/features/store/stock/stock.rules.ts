import { invalid, Refusal } from '../../../kernel/errors.ts'

/** The counters of a variant and its way of counting, as they were when they were locked. */
export interface Counters {
  variant_id: number
  product_id: number
  stock_mode: string
  track_inventory: boolean
  allow_backorder: boolean
  on_hand: number
  reserved: number
}

/** Units of one variant that an order asks for. */
export interface Wanted {
  variant_id: number
  quantity: number
}

/** The fields of a wanted variant that an error message names. */
export interface OrderedLine extends Wanted {
  product_hash: string
  /** The names of the product and of the variant. */
  name: string
  variant_name: string
}

/** Returns true if the variant is counted. A variant that is not counted never runs out. */
const isCounted = ({ stock_mode, track_inventory }: Counters): boolean =>
  stock_mode !== 'unlimited' && track_inventory

export const free = ({ on_hand, reserved }: Pick<Counters, 'on_hand' | 'reserved'>): number =>
  Math.max(0, on_hand - reserved)

export interface Reservation {
  /** The units that each wanted line holds, in the sequence of the lines. */
  held: number[]
  /** The units that are added to `reserved`, by variant. */
  changes: Map<number, number>
  /** Products with a counted variant that has no unit left now. They may be out of stock. */
  emptied: Set<number>
}

/**
 * Decides what an order reserves: all wanted units, or as many as there are if backorders are
 * allowed. Otherwise it throws OUT_OF_STOCK (decision 37).
 */
export function planReservation(
  counters: readonly Counters[],
  wanted: readonly OrderedLine[],
): Reservation {
  const byVariant = new Map(counters.map((item) => [item.variant_id, item]))
  const plan: Reservation = { held: [], changes: new Map(), emptied: new Set() }
  for (const line of wanted) {
    const { variant_id, quantity } = line
    const stock = byVariant.get(variant_id)
    if (!stock || !isCounted(stock)) {
      plan.held.push(0)
      continue
    }
    const before = plan.changes.get(variant_id) ?? 0
    const available = Math.max(0, free(stock) - before)
    if (available < quantity && !stock.allow_backorder) throw outOfStock(line, free(stock))
    const held = Math.min(available, quantity)
    plan.held.push(held)
    plan.changes.set(variant_id, before + held)
    if (held > 0 && available === held) plan.emptied.add(stock.product_id)
  }
  return plan
}

/** Returns the error for units that are not in stock. */
export function outOfStock(
  { product_hash, variant_id, name, variant_name }: Omit<OrderedLine, 'quantity'>,
  available: number,
): Refusal {
  const variant = `${name} (${variant_name})`
  const why =
    available > 0
      ? `Only ${available} left of ${variant}; order ${available} or fewer.`
      : `Sold out: 0 left of ${variant}.`
  return new Refusal('OUT_OF_STOCK', why, { product_id: product_hash, variant_id, available })
}

/** A paid line: the units that it wants, and those that it holds since the order was created. */
export interface PaidLine extends Wanted {
  held: number
  /** True if keys are delivered for the line. */
  serial: boolean
}

export interface Withdrawal {
  /** For each line, in sequence: true if there was enough stock. */
  served: boolean[]
  /** The units that leave the counters, by variant. */
  changes: Map<number, { on_hand: number; reserved: number; sold: number }>
  /** Products with a counted variant that has no unit left now. They may be out of stock. */
  emptied: Set<number>
}

/**
 * Returns true if stock on hand is the number of available keys, even if sales do not count them.
 */
export const countsKeys = ({ stock_mode }: Pick<Counters, 'stock_mode'>): boolean =>
  stock_mode === 'calculated'

/**
 * Decides which paid lines are served from stock. A line may take the units that it holds, and free
 * units beyond these. A line that is not served keeps the units that it holds. `keys` has the
 * number of keys of each variant whose counters do not count them.
 */
export function planWithdrawal(
  counters: readonly Counters[],
  lines: readonly PaidLine[],
  keys: ReadonlyMap<number, number> = new Map(),
): Withdrawal {
  const left = new Map(counters.map((item) => [item.variant_id, { ...item }]))
  const keysLeft = new Map(keys)
  const plan: Withdrawal = { served: [], changes: new Map(), emptied: new Set() }
  for (const line of lines) {
    const { variant_id, quantity, held, serial } = line
    const stock = left.get(variant_id)
    const change = plan.changes.get(variant_id) ?? { on_hand: 0, reserved: 0, sold: 0 }
    plan.changes.set(variant_id, change)
    const served = hasEnough(stock, line, keysLeft.get(variant_id) ?? 0)
    plan.served.push(served)
    if (!served) continue
    change.sold += quantity
    if (serial) keysLeft.set(variant_id, (keysLeft.get(variant_id) ?? 0) - quantity)
    // A line frees the units that it holds, even if its variant is counted in another way since.
    change.reserved += held
    if (!stock || !(isCounted(stock) || countsKeys(stock))) continue
    const before = free(stock)
    change.on_hand += quantity
    stock.on_hand -= quantity
    stock.reserved -= held
    if (isCounted(stock) && before > 0 && free(stock) === 0) plan.emptied.add(stock.product_id)
  }
  return plan
}

function hasEnough(stock: Counters | undefined, line: PaidLine, keysLeft: number): boolean {
  const { quantity, held, serial } = line
  if (!stock) return true
  const counted = isCounted(stock) || (serial && countsKeys(stock))
  if (counted && held + free(stock) < quantity) return false
  return !serial || countsKeys(stock) || keysLeft >= quantity
}

/** Returns true if units are at the threshold or below. Unlimited stock is never low. */
export const isLow = (available: number | null, threshold: number | null): boolean =>
  available !== null && threshold !== null && available <= threshold

/** Either the units to sell from now on, or the difference to the units now. */
export type Change =
  | { quantity: number; delta?: undefined }
  | { quantity?: undefined; delta: number }

export const QUANTITY_MAX = 1_000_000_000

/** Returns the units to add to stock on hand. A negative number is subtracted. */
export function planQuantity(
  stock: Pick<Counters, 'stock_mode' | 'on_hand' | 'reserved'>,
  { quantity, delta }: Change,
): number {
  const field = quantity === undefined ? 'delta' : 'quantity'
  if (stock.stock_mode !== 'manual') {
    throw invalid(field, `Set stock_mode to manual first: ${stock.stock_mode} takes no quantity.`)
  }
  const left = quantity ?? free(stock) + delta
  if (left < 0) throw invalid(field, `Only ${free(stock)} can be taken away.`)
  if (left > QUANTITY_MAX) throw invalid(field, `Stock ends at ${QUANTITY_MAX}.`)
  return left + stock.reserved - stock.on_hand
}

/** A line of a list of keys: the reason why it is invalid, and the name that identifies its key. */
export interface KeyLine {
  why: string | undefined
  name: string
}

export interface LineReport {
  new: number
  duplicate: number[]
  already_sold: number[]
  malformed: { line: number; reason: string }[]
}

/** In stock, or held back by the seller: adding the key again changes nothing. */
const IN_STOCK = ['available', 'reserved']

/**
 * Reports the outcome of each line, by line numbers from 1. `known` has the status of stored keys.
 */
export function reportOn(
  lines: readonly KeyLine[],
  known: ReadonlyMap<string, string>,
): LineReport {
  const report: LineReport = { new: 0, duplicate: [], already_sold: [], malformed: [] }
  const seen = new Set<string>()
  for (const [at, { why, name }] of lines.entries()) {
    const line = at + 1
    const status = known.get(name)
    if (why) report.malformed.push({ line, reason: why })
    else if (status && !IN_STOCK.includes(status)) report.already_sold.push(line)
    else if (status || seen.has(name)) report.duplicate.push(line)
    else report.new++
    seen.add(name)
  }
  return report
}

const placeOf = ({ product_id, variant_id }: Counters) => ({ product_id, variant_id })

/**
 * A line of a refunded order: the units that it still holds, and whether stock was taken for it.
 */
export interface ReturnedLine extends Wanted {
  held: number
  served: boolean
}

export interface Return {
  /** The units that leave the counters, by variant. A negative number is added back. */
  changes: Withdrawal['changes']
  /** Units that were added, by variant. */
  added: { product_id: number; variant_id: number; units: number }[]
}

/**
 * Decides what a refunded order returns: the units that its lines hold, and with `keys` also the
 * units that were taken for them. `keys` has the number of returned keys by variant. `sold` counts
 * all units ever sold, so it does not change.
 */
export function planReturn(
  counters: readonly Counters[],
  lines: readonly ReturnedLine[],
  keys?: ReadonlyMap<number, number>,
): Return {
  const plan: Return = { changes: new Map(), added: [] }
  for (const stock of counters) {
    const own = lines.filter((line) => line.variant_id === stock.variant_id)
    const reserved = own.reduce((sum, line) => sum + line.held, 0)
    const taken = own.reduce((sum, line) => sum + (line.served ? line.quantity : 0), 0)
    const ownKeys = keys?.get(stock.variant_id) ?? 0
    const counted = keys && isCounted(stock) ? taken : 0
    const units = countsKeys(stock) ? ownKeys : counted
    plan.changes.set(stock.variant_id, { on_hand: units === 0 ? 0 : -units, reserved, sold: 0 })
    const added = Math.max(units, ownKeys)
    if (added > 0) plan.added.push({ ...placeOf(stock), units: added })
  }
  return plan
}

/** Stands for a secret of which nothing is shown. */
export const HIDDEN = '••••'
const MASKED_FROM = 12

/**
 * Returns a key as lists show it: its last four characters, or none if it is short (decision 37).
 */
export const mask = (value: string): string =>
  value.length < MASKED_FROM ? HIDDEN : `${HIDDEN}${value.slice(-4)}`
