import { inTransaction } from '../../db/database.ts'
import { found, invalid, taken } from '../../kernel/errors.ts'
import type { Shop } from '../../shop.ts'
import { keyPlace } from './key-place.ts'
import * as counters from './queries/counters.ts'
import * as q from './queries/keys.ts'
import { type KeyReport, type NewKeys, whyNoKey } from './schema.ts'
import { reportOn } from './stock.rules.ts'
import { tellRestocked } from './watch-stock.ts'

/** Adds keys to a variant's stock. A key that it has or had is skipped, or refuses the whole call. */
export async function addKeys(
  shop: Shop,
  productRef: string,
  variantId: number,
  { keys, skip_duplicates, dry_run }: NewKeys,
): Promise<{ added: number; skipped: number; report?: KeyReport }> {
  const { store, now } = shop
  if (dry_run) return tryKeys(shop, productRef, variantId, keys)
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
      await tellRestocked(
        tx,
        shop,
        { product_id: variant.product_id, variant_id: variantId },
        added,
      )
    }
    return { added, skipped: keys.length - added }
  })
}

/** Says what adding the keys would do, line by line, and adds none. */
async function tryKeys(
  shop: Shop,
  productRef: string,
  variantId: number,
  keys: readonly string[],
): Promise<{ added: number; skipped: number; report: KeyReport }> {
  const { db, store } = shop
  await findSerial(shop, db, productRef, variantId)
  const hmacs = keys.map((key) => hmacOf(shop, key))
  const known = await q.selectKnown(db, store.id, variantId, hmacs)
  const report = reportOn(
    keys.map((key, at) => ({ why: whyNoKey(key), name: hmacs[at]?.toString('base64') ?? '' })),
    known,
  )
  return { added: report.new, skipped: keys.length - report.new, report }
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

export const hmacOf = ({ vault }: Shop, value: string): Buffer => vault.hmac('stock_key', value)

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
