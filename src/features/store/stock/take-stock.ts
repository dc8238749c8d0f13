import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import { tooFewForLine } from './out-of-stock.rules.ts'
import * as q from './queries/index.ts'
import { countersOf, outOfStockEvents } from './reserve.ts'
import {
  countsKeys,
  type ExpectedStock,
  missingUnits,
  type OrderedLine,
  type PaidLine,
  planReservation,
  planServing,
  type Reservation,
  type SeenCounters,
  type StockCounters,
  unitsFor,
  withReserved,
} from './stock.rules.ts'

export interface TakenLine {
  /** True if there was enough stock for the line. */
  served: boolean
  /** The units that the line waits for from now on; 0 if it was served. */
  owed: number
  /** The ids of its stock keys, in the order in which they were added. Empty without keys. */
  keyIds: number[]
}

interface TakenStock {
  lines: TakenLine[]
  /** The `product.out_of_stock` events to emit. */
  events: NewEvent[]
}

type PaidOrderLine = PaidLine & { order_id: string }

interface StockOptions {
  /** Counters of the lines that were read without a lock, in the same transaction. A variant may have none. */
  seen?: readonly SeenCounters[]
  bundleSales?: q.BundleSales
}

/**
 * Takes stock for paid orders: subtracts from the counters, and claims stock keys, the oldest first.
 * A line that cannot be served completely takes nothing, keeps the units that it reserves, and waits for the others. Counts the bundles
 * of these orders as sold.
 */
export async function takeStock(
  tx: Tx,
  context: StoreContext,
  lines: readonly PaidOrderLine[],
  { seen, bundleSales }: StockOptions = {},
): Promise<TakenStock> {
  const stock = await countersOf(tx, context.store.id, lines, seen)
  return serve(tx, context, { ...stock, lines, bundleSales })
}

interface NewOrderStock extends TakenStock {
  /** The units that each line reserves, in the sequence of the lines: those of a line that was not served. */
  reserved: number[]
}

/**
 * Takes stock for a new order that is paid at once, or throws OUT_OF_STOCK. The result is that of `reserve` followed by
 * `takeStock`, with one change of the counters.
 */
export async function takeForNewOrder(
  tx: Tx,
  context: StoreContext,
  lines: readonly (OrderedLine & Omit<PaidOrderLine, 'reserved' | 'owed'>)[],
  { seen, bundleSales }: StockOptions,
): Promise<NewOrderStock> {
  const seenOrLocked = await countersOf(tx, context.store.id, lines, seen)
  const reservation = planReservation(seenOrLocked.counters, lines)
  const reservedLines = lines.map((line, index) => ({
    ...line,
    reserved: reservation.reserved[index] ?? 0,
    owed: 0,
  }))
  const stock = { ...seenOrLocked, lines: reservedLines, bundleSales, reservation }
  const taken = await serve(tx, context, stock)
  const reserved = reservedLines.map((line, index) =>
    taken.lines[index]?.served ? 0 : line.reserved,
  )
  return { ...taken, reserved }
}

interface StockToServe {
  counters: readonly StockCounters[]
  expected?: ExpectedStock
  lines: readonly PaidOrderLine[]
  bundleSales?: q.BundleSales
  /** The units that the lines reserve from now on, which the counters do not contain yet. */
  reservation?: Reservation
}

async function serve(
  tx: Tx,
  { store, now }: StoreContext,
  { counters, expected, lines, bundleSales, reservation }: StockToServe,
): Promise<TakenStock> {
  const keyedIds = new Set(lines.filter((line) => line.needsKeys).map((line) => line.variant_id))
  // The stock on hand of the other variants with keys is the number of their keys.
  const idsToCount = counters
    .filter((item) => keyedIds.has(item.variant_id) && !countsKeys(item))
    .map((item) => item.variant_id)
  const keyCounts = await q.countAvailable(tx, store.id, idsToCount)
  const reservedUnits = reservation?.changes ?? new Map<number, number>()
  const plan = planServing(withReserved(counters, reservedUnits), lines, keyCounts)
  const changes = new Map(
    [...plan.changes].map(([id, change]) => {
      const reserved = change.reserved - (reservedUnits.get(id) ?? 0)
      return [id, { ...change, reserved }]
    }),
  )
  await q.subtractUnits(tx, store.id, changes, { bundleSales, expected })
  const requests = lines.filter(({ needsKeys }, index) => needsKeys && plan.served[index])
  const claimedIds = groupIds(await q.claimKeys(tx, store.id, { now, requests }))
  const emptiedIds = [...(reservation?.emptiedProductIds ?? []), ...plan.emptiedProductIds]
  return {
    lines: lines.map((line, index) => takenLine(line, plan.served[index] ?? false, claimedIds)),
    events: await outOfStockEvents(tx, store.id, new Set(emptiedIds)),
  }
}

/** A line of a paid order, with the names for error messages. */
type NamedLine = OrderedLine & Omit<PaidLine, 'needsKeys'>

/** Takes all units of lines of a paid order, or throws OUT_OF_STOCK. */
export async function takeLines(
  tx: Tx,
  context: StoreContext,
  orderId: string,
  lines: readonly (OrderedLine & PaidLine)[],
): Promise<TakenStock> {
  const orderLines = lines.map((line) => ({ ...line, order_id: orderId }))
  const takenStock = await takeStock(tx, context, orderLines)
  const unservedLine = lines.find((_, index) => !takenStock.lines[index]?.served)
  if (!unservedLine) return takenStock
  const ids = [unservedLine.variant_id]
  const [stock] = await q.lockCounters(tx, context.store.id, ids)
  const keyCounts = await q.countAvailable(tx, context.store.id, ids)
  const keyCount = keyCounts.get(unservedLine.variant_id) ?? 0
  throw tooFewForLine(unservedLine, stock ? unitsFor(stock, unservedLine, keyCount) : 0)
}

/** Takes the keys of one line of a paid order, or throws OUT_OF_STOCK. */
export async function takeKeys(
  tx: Tx,
  context: StoreContext,
  orderId: string,
  line: NamedLine,
): Promise<{ keyIds: number[]; events: NewEvent[] }> {
  const { lines, events } = await takeLines(tx, context, orderId, [{ ...line, needsKeys: true }])
  return { keyIds: lines[0]?.keyIds ?? [], events }
}

/**
 * Takes new keys for a delivery, and burns its old keys. A replacement does not count as a sale, so
 * the counter `sold` stays the same.
 */
export async function replaceKeys(
  tx: Tx,
  context: StoreContext,
  orderId: string,
  { key_ids, ...line }: Omit<OrderedLine, 'quantity'> & { key_ids: readonly number[] },
): Promise<{ keyIds: number[]; events: NewEvent[] }> {
  const { store } = context
  const quantity = key_ids.length
  const newLine = { ...line, quantity, reserved: 0, owed: 0 }
  const newKeys = await takeKeys(tx, context, orderId, newLine)
  const change = { on_hand: 0, reserved: 0, owed: 0, sold: -quantity }
  await q.subtractUnits(tx, store.id, new Map([[line.variant_id, change]]))
  await q.burnKeys(tx, store.id, key_ids)
  return newKeys
}

/**
 * Counts the units of a line as sold without taking stock, and releases the units that the line
 * reserved or waited for. The seller delivers the line from another source.
 */
export async function serveManually(
  tx: Tx,
  { store }: StoreContext,
  { variant_id, quantity, reserved, owed }: Omit<PaidLine, 'needsKeys'>,
): Promise<void> {
  await q.lockCounters(tx, store.id, [variant_id])
  const change = { on_hand: 0, reserved, owed, sold: quantity }
  await q.subtractUnits(tx, store.id, new Map([[variant_id, change]]))
}

/** Ids of keys by `groupOf`, in the order in which they were added. */
type IdsByGroup = ReadonlyMap<string, number[]>

const groupOf = ({ order_id, variant_id }: Pick<q.KeyRequest, 'order_id' | 'variant_id'>) =>
  `${order_id} ${variant_id}`

function groupIds(claimedKeys: readonly q.ClaimedKey[]): IdsByGroup {
  const ids = new Map<string, number[]>()
  for (const key of claimedKeys) {
    const group = ids.get(groupOf(key))
    if (group) group.push(key.id)
    else ids.set(groupOf(key), [key.id])
  }
  return ids
}

function takenLine(line: PaidOrderLine, served: boolean, claimedIds: IdsByGroup): TakenLine {
  const { needsKeys, variant_id, quantity } = line
  const owed = served ? 0 : missingUnits(line)
  if (!needsKeys || !served) return { served, owed, keyIds: [] }
  const keyIds = claimedIds.get(groupOf(line))?.splice(0, quantity) ?? []
  if (keyIds.length < quantity) {
    throw new Error(`Variant ${variant_id} has fewer available keys than its stock on hand.`)
  }
  return { served, owed, keyIds }
}
