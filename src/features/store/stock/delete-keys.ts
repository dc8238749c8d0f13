import { inTransaction, type Tx } from '../../../db/database.ts'
import { found, invalidState } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as counters from './queries/counters.ts'
import * as q from './queries/keys.ts'
import { ranOut } from './reserve.ts'
import { free } from './stock.rules.ts'

export interface KeyPath {
  product: string
  variantId: number
}

/** Removes an available key. What unpaid orders hold cannot be taken from under them. */
export async function deleteKey(
  context: StoreContext,
  { product, variantId }: KeyPath,
  id: number,
): Promise<{ deleted: true; id: number }> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const [stock] = await counters.lockCounters(tx, store.id, [variantId])
    const variant = found(await q.selectVariant(tx, store.id, product, variantId), 'Variant')
    const { status } = found(await q.lockKey(tx, store.id, variantId, id), 'Stock key')
    if (status !== 'available') throw invalidState(status, 'Only an available key can be deleted.')
    const counted = variant.stock_mode === 'calculated'
    if (counted && stock && free(stock) === 0) {
      throw invalidState('available', 'Every key that is left is held for an unpaid order.')
    }
    await q.deleteKey(tx, store.id, id)
    if (counted) await counters.addOnHand(tx, store.id, variantId, -1)
    const last = counted && variant.active && stock && free(stock) === 1
    await context.emit(tx, await ranOut(tx, store.id, new Set(last ? [variant.product_id] : [])))
    return { deleted: true, id }
  })
}

/** Removes all available keys but those that unpaid orders hold. */
export async function deleteAllKeys(
  context: StoreContext,
  path: KeyPath,
): Promise<{ deleted: true; count: number }> {
  return inTransaction(context.db, (tx) =>
    deleteCounted(tx, context, path, ({ id }, most) =>
      q.deleteAvailable(tx, context.store.id, id, most),
    ),
  )
}

/**
 * Deletes keys under the lock of the variant's counters, and subtracts them from the counters. `remove`
 * is given the number of keys that no unpaid order holds, and returns how many it deleted.
 */
export async function deleteCounted(
  tx: Tx,
  context: StoreContext,
  { product, variantId }: KeyPath,
  remove: (variant: q.KeyedVariant, most: number) => Promise<number>,
): Promise<{ deleted: true; count: number }> {
  const { store } = context
  const [stock] = await counters.lockCounters(tx, store.id, [variantId])
  const variant = found(await q.selectVariant(tx, store.id, product, variantId), 'Variant')
  const counted = variant.stock_mode === 'calculated'
  const most = counted && stock ? free(stock) : Number.MAX_SAFE_INTEGER
  const count = await remove(variant, most)
  if (counted) await counters.addOnHand(tx, store.id, variantId, -count)
  const emptied = counted && variant.active && count > 0
  await context.emit(tx, await ranOut(tx, store.id, new Set(emptied ? [variant.product_id] : [])))
  context.audit.changed(null, { deleted: count })
  return { deleted: true, count }
}
