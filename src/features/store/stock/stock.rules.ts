import { counted } from '../../../kernel/counted.ts'
import { invalid } from '../../../kernel/errors.ts'
import { outOfStock } from './out-of-stock.rules.ts'

/** The stock counters of a variant, and the settings that decide how they are used. */
export interface StockCounters {
  variant_id: number
  product_id: number
  stock_mode: string
  track_inventory: boolean
  allow_backorder: boolean
  on_hand: number
  reserved: number
  /** The units that paid orders wait for. They are not reserved, because stock was too low when the orders were paid. */
  owed: number
}

/** A number of units of one variant. */
export interface VariantUnits {
  variant_id: number
  quantity: number
}

/** An ordered variant, with the names for error messages. */
export interface OrderedLine extends VariantUnits {
  product_hash: string
  /** The names of the product and of the variant. */
  name: string
  variant_name: string
}

/** Returns true if the variant is counted. A variant that is not counted never runs out. */
export const isCounted = ({ stock_mode, track_inventory }: StockCounters): boolean =>
  stock_mode !== 'unlimited' && track_inventory

/** Returns the units that no order reserves. A paid order that waits may take them, and the seller may remove them. */
export const unreservedUnits = ({
  on_hand,
  reserved,
}: Pick<StockCounters, 'on_hand' | 'reserved'>): number => Math.max(0, on_hand - reserved)

/** Returns the units that can be sold: those that no order reserves or waits for. */
export const availableUnits = ({
  on_hand,
  reserved,
  owed,
}: Pick<StockCounters, 'on_hand' | 'reserved' | 'owed'>): number =>
  Math.max(0, on_hand - reserved - owed)

export interface Reservation {
  /** The units that each line reserves, in the sequence of the lines. */
  reserved: number[]
  /** The units to add to the counter `reserved`, by variant. */
  changes: Map<number, number>
  /** The ids of products with a counted variant that ran out. Other variants may still have stock. */
  emptiedProductIds: Set<number>
}

/**
 * Decides which units an order reserves. Throws OUT_OF_STOCK if a line asks for more units than are
 * available, unless its variant allows backorders; then the line reserves the available units
 * (decision 37).
 */
export function planReservation(
  counters: readonly StockCounters[],
  lines: readonly OrderedLine[],
): Reservation {
  const byVariant = new Map(counters.map((item) => [item.variant_id, item]))
  const plan: Reservation = { reserved: [], changes: new Map(), emptiedProductIds: new Set() }
  for (const line of lines) {
    const { variant_id, quantity } = line
    const stock = byVariant.get(variant_id)
    if (!stock || !isCounted(stock)) {
      plan.reserved.push(0)
      continue
    }
    const earlierUnits = plan.changes.get(variant_id) ?? 0
    const available = Math.max(0, availableUnits(stock) - earlierUnits)
    if (available < quantity && !stock.allow_backorder)
      throw outOfStock(line, availableUnits(stock))
    const units = Math.min(available, quantity)
    plan.reserved.push(units)
    plan.changes.set(variant_id, earlierUnits + units)
    if (units > 0 && available === units) plan.emptiedProductIds.add(stock.product_id)
  }
  return plan
}

/** Counters that were read without a lock, so they may be outdated. */
export interface SeenCounters extends StockCounters {
  /** How often the settings of the variant's stock were changed. */
  mode_changes: number
}

/** The state of stock that a change of its counters relies on. */
export interface ExpectedStock {
  mode_changes: number
  /** The units that no order reserves, at least. Null if the variant is not counted. */
  available: number | null
}

/** So many units must stay available after an order. Others may take units after the counters were read. */
const PLENTY = 50

/**
 * Returns the stock on which an order of one variant may rely, so that it neither locks nor reads its counters before it
 * changes them. Returns undefined if they must be locked first: for several variants, because their rows are locked in the
 * order of their ids; for the last units, because events report them; and for keys that are not the counted units.
 */
export function expectPlenty(
  seen: readonly SeenCounters[],
  lines: readonly (VariantUnits & Partial<PaidLine>)[],
): ExpectedStock | undefined {
  const stock = seen.find(({ variant_id }) => variant_id === lines[0]?.variant_id)
  if (!stock || lines.some(({ variant_id }) => variant_id !== stock.variant_id)) return undefined
  if (!countsKeys(stock) && lines.some(({ needsKeys }) => needsKeys)) return undefined
  const { mode_changes } = stock
  if (!isCounted(stock) && !countsKeys(stock)) return { mode_changes, available: null }
  const units = lines.reduce((sum, { quantity, reserved = 0 }) => sum + quantity - reserved, 0)
  if (availableUnits(stock) - units < PLENTY) return undefined
  return { mode_changes, available: units + 1 }
}

/** Returns the counters with these units reserved in addition, by variant. */
export const withReserved = (
  counters: readonly StockCounters[],
  units: ReadonlyMap<number, number>,
): StockCounters[] =>
  counters.map((item) => ({
    ...item,
    reserved: item.reserved + (units.get(item.variant_id) ?? 0),
  }))

/** A line of a paid order. */
export interface PaidLine extends VariantUnits {
  /** The units that the line reserved when the order was created. */
  reserved: number
  /** The units that the line waits for since its order was paid; 0 if it is paid now. */
  owed: number
  /** True if stock keys are delivered for the line. */
  needsKeys: boolean
}

/** Units to subtract from `on_hand`, `reserved` and `owed`, and to add to `sold`. Negative numbers do the reverse. */
interface CounterChange {
  on_hand: number
  reserved: number
  owed: number
  sold: number
}

/** Changes of counters by variant. */
export type CounterChanges = Map<number, CounterChange>

interface ServingPlan {
  /** True for each line, in sequence, if there is enough stock for it. */
  served: boolean[]
  changes: CounterChanges
  /** The ids of products with a counted variant that ran out. Other variants may still have stock. */
  emptiedProductIds: Set<number>
}

/**
 * Returns true if stock on hand is the number of available keys. Without `track_inventory` the
 * variant can be sold beyond that number.
 */
export const countsKeys = ({ stock_mode }: Pick<StockCounters, 'stock_mode'>): boolean =>
  stock_mode === 'calculated'

/** Returns the units that a line of a paid order waits for if it is not served. */
export const missingUnits = ({
  quantity,
  reserved,
}: Pick<PaidLine, 'quantity' | 'reserved'>): number => quantity - reserved

/**
 * Decides which paid lines are served from stock. A line may take the units that it reserves, and
 * available units in addition. A line that is not served keeps its reserved units, and waits for the others, which are
 * not for sale from then on (decision 528). `availableKeys` is the number of available keys of each variant whose
 * `stock_mode` is not `calculated`.
 */
export function planServing(
  counters: readonly StockCounters[],
  lines: readonly PaidLine[],
  availableKeys: ReadonlyMap<number, number> = new Map(),
): ServingPlan {
  const remaining = new Map(counters.map((item) => [item.variant_id, item]))
  const remainingKeys = new Map(availableKeys)
  const plan: ServingPlan = { served: [], changes: new Map(), emptiedProductIds: new Set() }
  for (const line of lines) {
    const { variant_id, quantity, needsKeys } = line
    const stock = remaining.get(variant_id)
    const keys = remainingKeys.get(variant_id) ?? 0
    const isServed = stock === undefined || unitsFor(stock, line, keys) >= quantity
    plan.served.push(isServed)
    if (isServed && needsKeys) remainingKeys.set(variant_id, keys - quantity)
    const change = changeOf(line, stock, isServed)
    plan.changes.set(variant_id, sumOf(change, plan.changes.get(variant_id)))
    if (!stock) continue
    const after = {
      ...stock,
      on_hand: stock.on_hand - change.on_hand,
      reserved: stock.reserved - change.reserved,
      owed: stock.owed - change.owed,
    }
    remaining.set(variant_id, after)
    if (isCounted(stock) && availableUnits(stock) > 0 && availableUnits(after) === 0)
      plan.emptiedProductIds.add(stock.product_id)
  }
  return plan
}

function changeOf(
  line: PaidLine,
  stock: StockCounters | undefined,
  isServed: boolean,
): CounterChange {
  const { quantity, reserved, owed } = line
  if (!isServed) return { on_hand: 0, reserved: 0, owed: owed - missingUnits(line), sold: 0 }
  const takesUnits = stock !== undefined && (isCounted(stock) || countsKeys(stock))
  // The line releases its units even if the stock mode of its variant changed since the order.
  return { on_hand: takesUnits ? quantity : 0, reserved, owed, sold: quantity }
}

const sumOf = (change: CounterChange, earlier: CounterChange | undefined): CounterChange =>
  earlier === undefined
    ? change
    : {
        on_hand: change.on_hand + earlier.on_hand,
        reserved: change.reserved + earlier.reserved,
        owed: change.owed + earlier.owed,
        sold: change.sold + earlier.sold,
      }

/** Returns the units that a line of a paid order may take. One that waits already takes precedence over new orders. */
const takeableUnits = (
  stock: StockCounters,
  { reserved, owed }: Pick<PaidLine, 'reserved' | 'owed'>,
): number => reserved + (owed > 0 ? unreservedUnits(stock) : availableUnits(stock))

/** Returns the units in stock that a line of a paid order may take. `keyCount` is used only if stock does not count keys. */
export function unitsFor(stock: StockCounters, line: PaidLine, keyCount: number): number {
  const { needsKeys } = line
  const needsUnits = isCounted(stock) || (needsKeys && countsKeys(stock))
  const units = needsUnits ? takeableUnits(stock, line) : Number.POSITIVE_INFINITY
  return needsKeys && !countsKeys(stock) ? Math.min(units, keyCount) : units
}

/** Returns true if the available units are at the threshold or below. Unlimited stock is never low. */
export const isLow = (available: number | null, threshold: number | null): boolean =>
  available !== null && threshold !== null && available <= threshold

/** Either the new number of units for sale, or the difference to the current number. */
export type QuantityChange =
  | { quantity: number; delta?: undefined }
  | { quantity?: undefined; delta: number }

export const QUANTITY_MAX = 1_000_000_000

/** Returns the units to add to stock on hand. A negative number is subtracted. */
export function planQuantity(
  stock: Pick<StockCounters, 'stock_mode' | 'on_hand' | 'reserved' | 'owed'>,
  { quantity, delta }: QuantityChange,
): number {
  const field = quantity === undefined ? 'delta' : 'quantity'
  if (stock.stock_mode !== 'manual') {
    throw invalid(field, `Set stock_mode to manual first: ${stock.stock_mode} takes no quantity.`)
  }
  const unreserved = unreservedUnits(stock)
  const units = quantity === undefined ? unreserved + delta : quantity + stock.owed
  if (units < 0)
    throw invalid(
      field,
      unreserved === 0
        ? 'Unpaid orders reserve all units, or there are none. Send a delta above 0.'
        : `Unpaid orders do not reserve ${counted(unreserved, 'unit')} of this stock. Remove ${unreserved} or fewer.`,
    )
  if (units > QUANTITY_MAX) throw invalid(field, `Stock cannot exceed ${QUANTITY_MAX}. Add less.`)
  return units + stock.reserved - stock.on_hand
}

/** A line of a list of keys. */
interface KeyLine {
  /** The reason why the line cannot be a key; undefined if it can. */
  problem: string | undefined
  hash: string
}

interface LineReport {
  new: number
  duplicate: number[]
  already_sold: number[]
  malformed: { line: number; reason: string }[]
}

/** The statuses of a key that is in stock. */
const IN_STOCK = ['available', 'reserved']

/**
 * Reports the outcome of each line, by line numbers from 1. `statusByHash` contains the statuses of
 * the stored keys.
 */
export function reportKeyLines(
  lines: readonly KeyLine[],
  statusByHash: ReadonlyMap<string, string>,
): LineReport {
  const report: LineReport = { new: 0, duplicate: [], already_sold: [], malformed: [] }
  const seenKeys = new Set<string>()
  for (const [index, { problem, hash }] of lines.entries()) {
    const line = index + 1
    const status = statusByHash.get(hash)
    if (problem) report.malformed.push({ line, reason: problem })
    else if (status && !IN_STOCK.includes(status)) report.already_sold.push(line)
    else if (status || seenKeys.has(hash)) report.duplicate.push(line)
    else report.new++
    seenKeys.add(hash)
  }
  return report
}

/** A line of a refunded order. */
export interface ReturnedLine extends VariantUnits {
  /** The units that the line still reserves. */
  reserved: number
  /** The units that the line still waits for. */
  owed: number
  /** True if stock was taken for the line. */
  served: boolean
}

export interface StockReturn {
  changes: CounterChanges
  /** The units that were added to stock, by variant. */
  added: { product_id: number; variant_id: number; units: number }[]
}

/**
 * Decides what a refunded order returns: the units that its lines reserve or wait for, and with `returnedKeys`
 * also the units that were taken for them. `returnedKeys` is the number of keys that become available
 * again, by variant. The counter `sold` is never reduced.
 */
export function planReturn(
  counters: readonly StockCounters[],
  lines: readonly ReturnedLine[],
  returnedKeys?: ReadonlyMap<number, number>,
): StockReturn {
  const plan: StockReturn = { changes: new Map(), added: [] }
  for (const stock of counters) {
    const variantLines = lines.filter((line) => line.variant_id === stock.variant_id)
    const reserved = variantLines.reduce((sum, line) => sum + line.reserved, 0)
    const owed = variantLines.reduce((sum, line) => sum + line.owed, 0)
    const takenUnits = variantLines.reduce(
      (sum, line) => sum + (line.served ? line.quantity : 0),
      0,
    )
    const keyCount = returnedKeys?.get(stock.variant_id) ?? 0
    const countedUnits = returnedKeys && isCounted(stock) ? takenUnits : 0
    const units = countsKeys(stock) ? keyCount : countedUnits
    plan.changes.set(stock.variant_id, {
      // Without the condition the difference would be -0.
      on_hand: units === 0 ? 0 : -units,
      reserved,
      owed,
      sold: 0,
    })
    const { product_id, variant_id } = stock
    if (units > 0) plan.added.push({ product_id, variant_id, units })
  }
  return plan
}

/** The text that is shown in place of a secret. */
export const MASK_TEXT = '••••'
const MASKABLE_LENGTH = 12

/**
 * Returns a key in masked form: with its last four characters, or with none if it is short
 * (decision 37).
 */
export const mask = (value: string): string =>
  value.length < MASKABLE_LENGTH ? MASK_TEXT : `${MASK_TEXT}${value.slice(-4)}`
