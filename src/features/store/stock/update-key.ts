import { inTransaction, type Tx } from '../../../db/database.ts'
import { uniqueViolation } from '../../../db/failure.ts'
import { alreadyTaken, invalidState, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { stockKeyHash } from './add-keys.ts'
import type { KeyPath } from './delete-keys.ts'
import { showKey } from './list-keys.ts'
import * as q from './queries/index.ts'
import type { StockKey, StockKeyPatch } from './schema.ts'
import { stockKeySealContext } from './sealed.ts'
import { unreservedUnits } from './stock.rules.ts'
import { emitRestocked, type VariantIds, watchStock } from './watch-stock.ts'

/**
 * Changes an available key, or a `reserved` key, which the seller keeps from sale. An available key
 * cannot be changed to another status if unpaid orders reserve all available keys.
 */
export async function updateKey(
  context: StoreContext,
  { product, variantId, id }: KeyPath & { id: number },
  patch: StockKeyPatch,
): Promise<{ key: StockKey }> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const variant = requireRecord(
      await q.selectVariant(tx, store.id, product, variantId),
      'Variant',
    )
    const ids = { product_id: variant.product_id, variant_id: variantId }
    await watchStock(tx, context, variant.product_id, async () => {
      // The stock mode may have changed before the counters were locked.
      const lockedVariant = requireRecord(
        await q.selectVariant(tx, store.id, product, variantId),
        'Variant',
      )
      const { status, value_hmac } = requireRecord(
        await q.lockKey(tx, store.id, variantId, id),
        'Stock key',
      )
      if (status !== 'available' && status !== 'reserved') {
        throw invalidState(status, 'Only a key that is available or reserved can be changed.')
      }
      const change = changeOf(context, patch)
      // The audit trail masks the field `value`, of which it compares the hashes.
      context.audit.reportChange(
        { status, value: value_hmac.toString('base64') },
        { status: patch.status, value: change.value_hmac?.toString('base64') },
      )
      await q.updateKey(tx, store.id, id, change).catch(refuseDuplicateKey)
      const units = unitsOf(patch.status ?? status) - unitsOf(status)
      if (lockedVariant.stock_mode === 'calculated') await addUnits(tx, context, ids, units)
    })
    const key = requireRecord(await q.lockKey(tx, store.id, variantId, id), 'Stock key')
    return { key: showKey(context, key as q.StoredKey, 'masked') }
  })
}

const unitsOf = (status: string): number => (status === 'available' ? 1 : 0)

function changeOf(context: StoreContext, { value, status }: StockKeyPatch): q.KeyChange {
  if (value === undefined) return status ? { status } : {}
  const value_hmac = stockKeyHash(context, value)
  const value_enc = context.vault.seal(stockKeySealContext(context.store.id, value_hmac), value)
  return { value_hmac, value_enc, ...(status && { status }) }
}

function refuseDuplicateKey(error: unknown): never {
  if (uniqueViolation(error)?.index !== 'stock_key_once') throw error
  throw alreadyTaken('value', 'This variant has, or had, this key already.')
}

async function addUnits(
  tx: Tx,
  context: StoreContext,
  ids: VariantIds,
  units: number,
): Promise<void> {
  if (units === 0) return
  const [stock] = await q.lockCounters(tx, context.store.id, [ids.variant_id])
  if (units < 0 && stock && unreservedUnits(stock) === 0) {
    throw invalidState(
      'available',
      'Unpaid orders reserve every remaining key. Cancel one of them, or add keys first.',
    )
  }
  await q.addOnHand(tx, context.store.id, ids.variant_id, units)
  await emitRestocked(tx, context, ids, units)
}
