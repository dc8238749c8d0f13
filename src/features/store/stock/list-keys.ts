import { found } from '../../../kernel/errors.ts'
import { type Pagination, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type StoredKey, selectKeys, selectVariant } from './queries/keys.ts'
import type { KeyQuery, StockKey } from './schema.ts'
import { stockKeySealContext } from './sealed.ts'
import { mask } from './stock.rules.ts'

/** A page of a variant's keys, newest first; masked unless the caller asks to see them. */
export async function listKeys(
  context: StoreContext,
  productRef: string,
  variantId: number,
  query: KeyQuery,
): Promise<{ keys: StockKey[]; pagination: Pagination }> {
  const { db, store } = context
  found(await selectVariant(db, store.id, productRef, variantId), 'Variant')
  const { keys, total } = await selectKeys(db, store.id, variantId, query)
  if (query.reveal) context.audit.changed(null, { revealed: keys.map((key) => key.id) })
  const show = query.reveal ? 'revealed' : 'masked'
  return {
    keys: keys.map((key) => showKey(context, key, show)),
    pagination: pagination(query, total),
  }
}

/** A key as the API shows it. */
export function showKey(
  { vault, store }: StoreContext,
  { value_enc, value_hmac, ...key }: StoredKey,
  show: 'masked' | 'revealed',
): StockKey {
  const value = vault.open(stockKeySealContext(store.id, value_hmac), value_enc).toString()
  return { ...key, object: 'stock_key', value: show === 'revealed' ? value : mask(value) }
}
