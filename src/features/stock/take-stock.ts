import type { Tx } from '../../db/database.ts'
import type { NewEvent } from '../../events/ledger.ts'
import type { Shop } from '../../shop.ts'
import * as counters from './queries/counters.ts'
import * as keys from './queries/keys.ts'
import { ranOut } from './reserve.ts'
import { countsKeys, type PaidLine, planWithdrawal } from './stock.rules.ts'

export interface TakenLine {
  /** Whether there was enough for the line. */
  served: boolean
  /** Its stock keys in the order they were added; empty for what has none. */
  keyIds: number[]
}

export interface Taken {
  lines: TakenLine[]
  /** What is to be told: products that just ran out. */
  events: NewEvent[]
}

/**
 * Takes what a paid order bought: counters go down, and stock keys are claimed, the oldest first, each
 * once. A line that cannot be served whole takes nothing and keeps what it holds.
 */
export async function takeStock(
  tx: Tx,
  { store, now }: Shop,
  orderId: string,
  lines: readonly PaidLine[],
): Promise<Taken> {
  const ids = [...new Set(lines.map((line) => line.variant_id))]
  const locked = await counters.lockCounters(tx, store.id, ids)
  const uncounted = locked.filter((one) => !countsKeys(one)).map((one) => one.variant_id)
  const serial = new Set(lines.filter((line) => line.serial).map((line) => line.variant_id))
  const inStock = await keys.countAvailable(
    tx,
    store.id,
    uncounted.filter((id) => serial.has(id)),
  )
  const plan = planWithdrawal(locked, lines, inStock)
  await counters.withdraw(tx, store.id, plan.changes)
  const wanted = keysWanted(lines, plan.served)
  const claimed = await keys.claimKeys(tx, store.id, { orderId, now, wanted })
  return {
    lines: lines.map((line, at) => takeLine(line, plan.served[at] ?? false, claimed)),
    events: await ranOut(tx, store.id, plan.emptied),
  }
}

function keysWanted(lines: readonly PaidLine[], served: readonly boolean[]): Map<number, number> {
  const wanted = new Map<number, number>()
  for (const [at, { serial, variant_id, quantity }] of lines.entries()) {
    if (serial && served[at]) wanted.set(variant_id, (wanted.get(variant_id) ?? 0) + quantity)
  }
  return wanted
}

function takeLine(line: PaidLine, served: boolean, claimed: keys.ClaimedKey[]): TakenLine {
  const { serial, variant_id, quantity } = line
  if (!serial || !served) return { served, keyIds: [] }
  const own = takeFirst(claimed, quantity, (key) => key.variant_id === variant_id)
  if (own.length < quantity) throw new Error(`Variant ${variant_id} counts keys it does not have.`)
  return { served, keyIds: own.map((key) => key.id) }
}

/** Removes and returns the first few that match. */
function takeFirst<T>(list: T[], count: number, matches: (one: T) => boolean): T[] {
  const taken: T[] = []
  for (let at = 0; at < list.length && taken.length < count; ) {
    const one = list[at]
    if (one !== undefined && matches(one)) taken.push(...list.splice(at, 1))
    else at++
  }
  return taken
}
