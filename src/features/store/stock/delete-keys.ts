import { inTransaction, type Tx } from '../../../db/database.ts'
import { invalidState, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import { outOfStockEvents } from './reserve.ts'
import { availableUnits, countsKeys, unreservedUnits } from './stock.rules.ts'

export interface KeyPath {
  product: string
  variantId: number
}

/** Deletes an available key. Refuses if unpaid orders reserve all available keys. */
export async function deleteKey(
  context: StoreContext,
  { product, variantId }: KeyPath,
  id: number,
) {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const [stock] = await q.lockCounters(tx, store.id, [variantId])
    const variant = requireRecord(
      await q.selectVariant(tx, store.id, product, variantId),
      'Variant',
    )
    const { status } = requireRecord(await q.lockKey(tx, store.id, variantId, id), 'Stock key')
    if (status !== 'available')
      throw invalidState(status, `This key is ${status}. Only an available key can be deleted.`)
    const hasCountedKeys = countsKeys(variant)
    if (hasCountedKeys && stock && unreservedUnits(stock) === 0) {
      throw invalidState(
        'available',
        'Unpaid orders reserve every remaining key. Cancel one of them, or add keys first.',
      )
    }
    await q.deleteKey(tx, store.id, id)
    if (hasCountedKeys) await q.addOnHand(tx, store.id, variantId, -1)
    const isLast = hasCountedKeys && variant.active && stock && availableUnits(stock) === 1
    if (isLast) {
      const events = await outOfStockEvents(tx, store.id, new Set([variant.product_id]))
      await context.emit(tx, events)
    }
    return { deleted: true as const, id }
  })
}

/** Deletes all available keys except those that orders reserve or wait for. */
export async function deleteAllKeys(context: StoreContext, path: KeyPath) {
  return inTransaction(context.db, (tx) =>
    deleteFromStock(tx, context, path, ({ id }, { available }) =>
      q.deleteAvailableKeys(tx, context.store.id, id, available),
    ),
  )
}

interface DeletableKeys {
  /** The keys that no unpaid order reserves. */
  unreserved: number
  /** Those of them that no paid order waits for either. */
  available: number
}

/**
 * Deletes keys with `remove`, under the lock of the variant's counters, and subtracts them from stock
 * on hand. `remove` receives the numbers of keys that may be deleted, and returns the number of keys that it deleted.
 */
export async function deleteFromStock(
  tx: Tx,
  context: StoreContext,
  { product, variantId }: KeyPath,
  remove: (variant: q.KeyedVariant, limits: DeletableKeys) => Promise<number>,
) {
  const { store } = context
  const [stock] = await q.lockCounters(tx, store.id, [variantId])
  const variant = requireRecord(await q.selectVariant(tx, store.id, product, variantId), 'Variant')
  const hasCountedKeys = countsKeys(variant)
  const limits =
    hasCountedKeys && stock
      ? { unreserved: unreservedUnits(stock), available: availableUnits(stock) }
      : { unreserved: Number.MAX_SAFE_INTEGER, available: Number.MAX_SAFE_INTEGER }
  const count = await remove(variant, limits)
  if (hasCountedKeys) await q.addOnHand(tx, store.id, variantId, -count)
  const mayBeEmpty =
    hasCountedKeys && variant.active && count > 0 && stock && availableUnits(stock) > 0
  if (mayBeEmpty) {
    const events = await outOfStockEvents(tx, store.id, new Set([variant.product_id]))
    await context.emit(tx, events)
  }
  if (count > 0) context.audit.reportChange(null, { deleted: count })
  else context.audit.skipEvent()
  return { deleted: true as const, count }
}
