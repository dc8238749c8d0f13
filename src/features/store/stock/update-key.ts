import { inTransaction, type Tx } from '../../../db/database.ts'
import { uniqueViolation } from '../../../db/failure.ts'
import { alreadyTaken, found, invalidState } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { stockKeyHash } from './add-keys.ts'
import type { KeyPath } from './delete-keys.ts'
import { showKey } from './list-keys.ts'
import * as counters from './queries/counters.ts'
import * as q from './queries/keys.ts'
import type { KeyPatch, StockKey } from './schema.ts'
import { stockKeySealContext } from './sealed.ts'
import { free } from './stock.rules.ts'
import { emitRestocked, type VariantIds, watchStock } from './watch-stock.ts'

/** Changes a key that is in stock or held back. What unpaid orders hold cannot be withdrawn. */
export async function updateKey(
  context: StoreContext,
  { product, variantId, id }: KeyPath & { id: number },
  patch: KeyPatch,
): Promise<{ key: StockKey }> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const variant = found(await q.selectVariant(tx, store.id, product, variantId), 'Variant')
    const ids = { product_id: variant.product_id, variant_id: variantId }
    await watchStock(tx, context, variant.product_id, async () => {
      // How it is counted may have changed until its counters were ours.
      const locked = found(await q.selectVariant(tx, store.id, product, variantId), 'Variant')
      const { status } = found(await q.lockKey(tx, store.id, variantId, id), 'Stock key')
      if (status !== 'available' && status !== 'reserved') {
        throw invalidState(status, 'Only a key that is available or reserved can be changed.')
      }
      if (patch.status) context.audit.changed({ status }, { status: patch.status })
      await q.updateKey(tx, store.id, id, changeOf(context, patch)).catch(refuseTaken)
      const units = unitsOf(patch.status ?? status) - unitsOf(status)
      if (locked.stock_mode === 'calculated') await moveUnits(tx, context, ids, units)
    })
    const key = found(await q.lockKey(tx, store.id, variantId, id), 'Stock key')
    return { key: showKey(context, key as q.StoredKey, 'masked') }
  })
}

const unitsOf = (status: string): number => (status === 'available' ? 1 : 0)

function changeOf(context: StoreContext, { value, status }: KeyPatch) {
  if (value === undefined) return status ? { status } : {}
  const value_hmac = stockKeyHash(context, value)
  const value_enc = context.vault.seal(stockKeySealContext(context.store.id, value_hmac), value)
  return { value_hmac, value_enc, ...(status && { status }) }
}

function refuseTaken(error: unknown): never {
  if (uniqueViolation(error)?.index !== 'stock_key_once') throw error
  throw alreadyTaken('value', 'This variant has, or had, this key already.')
}

async function moveUnits(
  tx: Tx,
  context: StoreContext,
  ids: VariantIds,
  units: number,
): Promise<void> {
  if (units === 0) return
  const [stock] = await counters.lockCounters(tx, context.store.id, [ids.variant_id])
  if (units < 0 && stock && free(stock) === 0) {
    throw invalidState('available', 'Every key that is left is held for an unpaid order.')
  }
  await counters.addOnHand(tx, context.store.id, ids.variant_id, units)
  await emitRestocked(tx, context, ids, units)
}
