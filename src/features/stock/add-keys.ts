import { inTransaction } from '../../db/database.ts'
import { found, invalid, taken } from '../../kernel/errors.ts'
import type { Shop } from '../../shop.ts'
import { asRestocked } from './events.ts'
import { keyPlace } from './key-place.ts'
import * as counters from './queries/counters.ts'
import * as q from './queries/keys.ts'
import type { NewKeys } from './schema.ts'

/** Adds keys to a variant's stock. A key that it has or had is skipped, or refuses the whole call. */
export async function addKeys(
  shop: Shop,
  productRef: string,
  variantId: number,
  { keys, skip_duplicates }: NewKeys,
): Promise<{ added: number; skipped: number }> {
  const { store, now } = shop
  return inTransaction(shop.db, async (tx) => {
    const variant = await findSerial(shop, tx, productRef, variantId)
    await counters.lockCounters(tx, store.id, [variantId])
    const inserted = await q.insertKeys(tx, store.id, variantId, {
      now,
      keys: sealOnce(shop, keys),
    })
    const added = inserted.length
    if (!skip_duplicates && added < keys.length) throw duplicate(shop, keys, inserted)
    if (added > 0) {
      if (variant.stock_mode === 'calculated')
        await counters.addOnHand(tx, store.id, variantId, added)
      const [product] = await counters.selectStocked(tx, store.id, [variant.product_id])
      if (product) await shop.emit(tx, [asRestocked(product, added)])
    }
    return { added, skipped: keys.length - added }
  })
}

/** The variant, if it is one that keys are handed over for. */
export async function findSerial(
  { store }: Shop,
  db: Shop['db'],
  productRef: string,
  variantId: number,
) {
  const variant = found(await q.selectVariant(db, store.id, productRef, variantId), 'Variant')
  if (variant.delivery_type === 'serial') return variant
  throw invalid(
    'variant_id',
    `Only a serial variant has stock keys; this one is ${variant.delivery_type}.`,
  )
}

const hmacOf = ({ vault }: Shop, value: string): Buffer => vault.hmac('stock_key', value)

/** The distinct keys, sealed. */
function sealOnce(shop: Shop, keys: readonly string[]): q.SealedKey[] {
  return [...new Set(keys)].map((value) => {
    const value_hmac = hmacOf(shop, value)
    return { value_hmac, value_enc: shop.vault.seal(keyPlace(shop.store.id, value_hmac), value) }
  })
}

/** Names the first key that was not new: there before, or sent twice. */
function duplicate(shop: Shop, keys: readonly string[], inserted: readonly Buffer[]) {
  const fresh = new Set(inserted.map((hmac) => hmac.toString('base64')))
  const at = keys.findIndex((value) => !fresh.delete(hmacOf(shop, value).toString('base64')))
  return taken(`keys[${at}]`, 'This variant has, or had, this key already.')
}
