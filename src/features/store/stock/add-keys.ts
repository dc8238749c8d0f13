import { inTransaction, type Tx } from '../../../db/database.ts'
import { alreadyTaken, invalid, requireRecord } from '../../../kernel/errors.ts'
import { mapInSlices } from '../../../kernel/slices.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import { type KeyReport, type NewStockKeys, problemOfKey } from './schema.ts'
import { stockKeySealContext } from './sealed.ts'
import { reportKeyLines } from './stock.rules.ts'
import { emitRestocked } from './watch-stock.ts'

/**
 * Adds keys to the stock of a variant. Keys that the variant has or had are skipped. Without
 * `skip_duplicates`, the whole call is refused if it contains such a key.
 */
export async function addKeys(
  context: StoreContext,
  productRef: string,
  variantId: number,
  { keys, skip_duplicates, dry_run, import_id }: NewStockKeys,
): Promise<{ added: number; skipped: number; report?: KeyReport }> {
  const { store, now } = context
  if (dry_run) {
    context.audit.skipEvent()
    return checkKeys(context, productRef, variantId, keys)
  }
  const sealedKeys = await sealKeys(context, keys)
  return inTransaction(context.db, async (tx) => {
    await q.lockCounters(tx, store.id, [variantId])
    const variant = await findSerialVariant(context, tx, productRef, variantId)
    if (!skip_duplicates) await refuseStoredKeys(context, tx, variantId, sealedKeys)
    const keysByText = new Map(
      keys.map((text, index) => [text, sealedKeys[index] as q.SealedStockKey]),
    )
    const newKeyRows = { now, importId: import_id ?? null, keys: [...keysByText.values()] }
    const added = await q.insertKeys(tx, store.id, variantId, newKeyRows)
    if (added === 0) context.audit.skipEvent()
    // In the other modes the keys of a variant are not its stock.
    else if (variant.stock_mode === 'calculated') {
      await q.addOnHand(tx, store.id, variantId, added)
      const ids = { product_id: variant.product_id, variant_id: variantId }
      await emitRestocked(tx, context, ids, added)
    }
    return { added, skipped: keys.length - added }
  })
}

/** Reports for each line what adding the keys would do. Adds no key. */
async function checkKeys(
  context: StoreContext,
  productRef: string,
  variantId: number,
  keys: readonly string[],
): Promise<{ added: number; skipped: number; report: KeyReport }> {
  const { db, store } = context
  await findSerialVariant(context, db, productRef, variantId)
  const hmacs = await mapInSlices(keys, (key) => stockKeyHash(context, key))
  const statuses = await q.selectKeyStatuses(db, store.id, variantId, hmacs)
  const report = reportKeyLines(
    keys.map((key, index) => ({
      problem: problemOfKey(key),
      hash: hmacs[index]?.toString('base64') ?? '',
    })),
    statuses,
  )
  return { added: report.new, skipped: keys.length - report.new, report }
}

/** Returns the variant. Refuses a variant that is not serial. */
async function findSerialVariant(
  { store }: StoreContext,
  db: StoreContext['db'],
  productRef: string,
  variantId: number,
) {
  const variant = requireRecord(
    await q.selectVariant(db, store.id, productRef, variantId),
    'Variant',
  )
  if (variant.delivery_type === 'serial') return variant
  throw invalid(
    'variant_id',
    `Only a serial variant has stock keys, and this one is ${variant.delivery_type}. Set delivery_type to serial first.`,
  )
}

export const stockKeyHash = ({ vault }: StoreContext, value: string): Buffer =>
  vault.hmac('stock_key', value)

/** Seals keys. This precedes the transaction, whose locks would last too long with thousands of keys. */
const sealKeys = (context: StoreContext, keys: readonly string[]): Promise<q.SealedStockKey[]> =>
  mapInSlices(keys, (value) => {
    const value_hmac = stockKeyHash(context, value)
    return {
      value_hmac,
      value_enc: context.vault.seal(stockKeySealContext(context.store.id, value_hmac), value),
    }
  })

/** Refuses all keys if one is stored already or occurs twice in the call. Names the first such key. */
async function refuseStoredKeys(
  { store }: StoreContext,
  tx: Tx,
  variantId: number,
  keys: q.SealedStockKey[],
) {
  const hmacs = keys.map((key) => key.value_hmac)
  const usedHashes = new Set((await q.selectKeyStatuses(tx, store.id, variantId, hmacs)).keys())
  const index = hmacs.findIndex((hmac) => {
    const hash = hmac.toString('base64')
    if (usedHashes.has(hash)) return true
    usedHashes.add(hash)
    return false
  })
  if (index >= 0)
    throw alreadyTaken(`keys[${index}]`, 'This variant has, or had, this key already.')
}
