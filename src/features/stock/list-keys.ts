import { found } from '../../kernel/errors.ts'
import { type Pagination, pagination } from '../../kernel/page.ts'
import type { Shop } from '../../shop.ts'
import { keyPlace } from './key-place.ts'
import { type StoredKey, selectKeys, selectVariant } from './queries/keys.ts'
import type { KeyQuery, StockKey } from './schema.ts'
import { mask } from './stock.rules.ts'

/** A page of a variant's keys, newest first; masked unless the caller asks to see them. */
export async function listKeys(
  { db, vault, store }: Shop,
  productRef: string,
  variantId: number,
  query: KeyQuery,
): Promise<{ keys: StockKey[]; pagination: Pagination }> {
  found(await selectVariant(db, store.id, productRef, variantId), 'Variant')
  const { keys, total } = await selectKeys(db, store.id, variantId, query)
  const show = ({ value_enc, value_hmac, ...key }: StoredKey): StockKey => {
    const value = vault.open(keyPlace(store.id, value_hmac), value_enc).toString()
    return { ...key, object: 'stock_key', value: query.reveal ? value : mask(value) }
  }
  return { keys: keys.map(show), pagination: pagination(query, total) }
}
