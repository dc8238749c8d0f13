import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as counters from './queries/counters.ts'
import * as keys from './queries/keys.ts'
import { ranOut } from './reserve.ts'
import {
  countsKeys,
  free,
  type OrderedLine,
  outOfStock,
  type PaidLine,
  planWithdrawal,
} from './stock.rules.ts'

export interface TakenLine {
  /** True if there was enough stock for the line. */
  served: boolean
  /** Ids of its stock keys in the order they were added. Empty if the line has no keys. */
  keyIds: number[]
}

export interface Taken {
  lines: TakenLine[]
  /** Events to emit: products that just ran out. */
  events: NewEvent[]
}

/** A paid line, and its order. */
export type TakingLine = PaidLine & { order_id: string }

/**
 * Takes stock for paid orders: subtracts from the counters, and claims stock keys, the oldest
 * first, each once. A line that cannot be served completely takes nothing, and keeps the units that
 * it holds.
 */
export async function takeStock(
  tx: Tx,
  { store, now }: StoreContext,
  lines: readonly TakingLine[],
): Promise<Taken> {
  const ids = [...new Set(lines.map((line) => line.variant_id))]
  const locked = await counters.lockCounters(tx, store.id, ids)
  const uncounted = locked.filter((item) => !countsKeys(item)).map((item) => item.variant_id)
  const serial = new Set(lines.filter((line) => line.serial).map((line) => line.variant_id))
  const inStock = await keys.countAvailable(
    tx,
    store.id,
    uncounted.filter((id) => serial.has(id)),
  )
  const plan = planWithdrawal(locked, lines, inStock)
  await counters.withdraw(tx, store.id, plan.changes)
  const wanted = keysWanted(lines, plan.served)
  const claimed = byVariant(await keys.claimKeys(tx, store.id, { now, wanted }))
  return {
    lines: lines.map((line, at) => takeLine(line, plan.served[at] ?? false, claimed)),
    events: await ranOut(tx, store.id, plan.emptied),
  }
}

/** A line whose keys are delivered automatically. */
export interface SerialLine extends OrderedLine {
  /** Units that the line holds since the order was created. */
  held: number
}

/** Takes all units that lines of a paid order wait for, or throws OUT_OF_STOCK. */
export async function takeLines(
  tx: Tx,
  context: StoreContext,
  orderId: string,
  wanted: readonly (SerialLine & PaidLine)[],
): Promise<Taken> {
  const lines = wanted.map((line) => ({ ...line, order_id: orderId }))
  const claimed = await takeStock(tx, context, lines)
  const short = wanted.find((_, at) => !claimed.lines[at]?.served)
  if (!short) return claimed
  const [stock] = await counters.lockCounters(tx, context.store.id, [short.variant_id])
  throw outOfStock(short, stock ? short.held + free(stock) : 0)
}

/** Takes the keys of one line of a paid order, or throws OUT_OF_STOCK. */
export async function takeKeys(
  tx: Tx,
  context: StoreContext,
  orderId: string,
  line: SerialLine,
): Promise<{ keyIds: number[]; events: NewEvent[] }> {
  const { lines, events } = await takeLines(tx, context, orderId, [{ ...line, serial: true }])
  return { keyIds: lines[0]?.keyIds ?? [], events }
}

/**
 * Replaces the keys of a delivery with new ones, and burns the old keys. A replacement is not a
 * sale.
 */
export async function replaceKeys(
  tx: Tx,
  context: StoreContext,
  orderId: string,
  { key_ids, ...line }: Omit<SerialLine, 'held' | 'quantity'> & { key_ids: readonly number[] },
): Promise<{ keyIds: number[]; events: NewEvent[] }> {
  const { store } = context
  const quantity = key_ids.length
  const claimed = await takeKeys(tx, context, orderId, { ...line, quantity, held: 0 })
  const change = { on_hand: 0, reserved: 0, sold: -quantity }
  await counters.withdraw(tx, store.id, new Map([[line.variant_id, change]]))
  await keys.burnKeys(tx, store.id, key_ids)
  return claimed
}

/**
 * Counts a line as sold that the seller serves from another source, and frees the units it held.
 */
export async function serveManually(
  tx: Tx,
  { store }: StoreContext,
  { variant_id, quantity, held }: Pick<SerialLine, 'variant_id' | 'quantity' | 'held'>,
): Promise<void> {
  await counters.lockCounters(tx, store.id, [variant_id])
  const change = { on_hand: 0, reserved: held, sold: quantity }
  await counters.withdraw(tx, store.id, new Map([[variant_id, change]]))
}

const keysWanted = (lines: readonly TakingLine[], served: readonly boolean[]): keys.WantedKeys[] =>
  lines.filter(({ serial }, at) => serial && served[at])

/** Ids of keys of an order and a variant, in the order they were added. */
type Claimed = ReadonlyMap<string, number[]>

const claimOf = ({ order_id, variant_id }: Pick<keys.WantedKeys, 'order_id' | 'variant_id'>) =>
  `${order_id} ${variant_id}`

function byVariant(claimed: readonly keys.ClaimedKey[]): Claimed {
  const ids = new Map<string, number[]>()
  for (const key of claimed) {
    const own = ids.get(claimOf(key))
    if (own) own.push(key.id)
    else ids.set(claimOf(key), [key.id])
  }
  return ids
}

function takeLine(line: TakingLine, served: boolean, claimed: Claimed): TakenLine {
  const { serial, variant_id, quantity } = line
  if (!serial || !served) return { served, keyIds: [] }
  const keyIds = claimed.get(claimOf(line))?.splice(0, quantity) ?? []
  if (keyIds.length < quantity) {
    throw new Error(`Variant ${variant_id} counts keys it does not have.`)
  }
  return { served, keyIds }
}
