import type { Tx } from '../../db/database.ts'
import type { Shop } from '../../shop.ts'
import { keyPlace } from './key-place.ts'
import * as counters from './queries/counters.ts'
import * as keys from './queries/keys.ts'
import { type PaidLine, planWithdrawal } from './stock.rules.ts'

export interface StockLine extends PaidLine {
  /** Whether keys are handed over for it. */
  serial: boolean
}

export interface Taken {
  /** Whether there was enough for the line. */
  served: boolean
  /** Its keys in the order they were added; empty for what has none. */
  keys: { id: number; value: string }[]
}

/**
 * Takes what a paid order bought: counters go down, and stock keys are claimed, the oldest first, each
 * once. A line that cannot be served whole takes nothing and keeps what it holds.
 */
export async function takeStock(
  tx: Tx,
  { store, vault, now }: Shop,
  orderId: string,
  lines: readonly StockLine[],
): Promise<Taken[]> {
  const ids = [...new Set(lines.map((line) => line.variant_id))]
  const plan = planWithdrawal(await counters.lockCounters(tx, store.id, ids), lines)
  const wanted = new Map<number, number>()
  for (const [at, { serial, variant_id, quantity }] of lines.entries()) {
    if (serial && plan.served[at]) wanted.set(variant_id, (wanted.get(variant_id) ?? 0) + quantity)
  }
  await counters.withdraw(tx, store.id, plan.changes)
  const claimed =
    wanted.size > 0 ? await keys.claimKeys(tx, store.id, { orderId, now, wanted }) : []

  return lines.map(({ serial, variant_id, quantity }, at) => {
    const served = plan.served[at] ?? false
    if (!serial || !served) return { served, keys: [] }
    const own = takeFirst(claimed, quantity, (key) => key.variant_id === variant_id)
    if (own.length < quantity)
      throw new Error(`Variant ${variant_id} counts keys it does not have.`)
    return {
      served,
      keys: own.map((key) => ({
        id: key.id,
        value: vault.open(keyPlace(store.id, key.value_hmac), key.value_enc).toString(),
      })),
    }
  })
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
