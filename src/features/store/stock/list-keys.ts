import { requireRecord } from '../../../kernel/errors.ts'
import { pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import type { StockKey, StockKeyQuery } from './schema.ts'
import { stockKeySealContext } from './sealed.ts'
import { mask } from './stock.rules.ts'

/** Returns a page of a variant's keys, the newest first. They are masked unless `reveal` is true. */
export async function listKeys(
  context: StoreContext,
  productRef: string,
  variantId: number,
  query: StockKeyQuery,
) {
  const { db, store } = context
  requireRecord(await q.selectVariant(db, store.id, productRef, variantId), 'Variant')
  const { keys, total } = await q.selectKeys(db, store.id, variantId, query)
  if (query.reveal) context.audit.reportChange(null, { revealed: keys.map((key) => key.id) })
  const show = query.reveal ? 'revealed' : 'masked'
  return {
    keys: keys.map((key) => showKey(context, key, show)),
    pagination: pagination(query, total),
  }
}

/** Returns a key in the form of the API. */
export function showKey(
  { vault, store }: StoreContext,
  { value_enc, value_hmac, ...key }: q.StoredKey,
  show: 'masked' | 'revealed',
): StockKey {
  const value = vault.open(stockKeySealContext(store.id, value_hmac), value_enc).toString()
  return { ...key, object: 'stock_key', value: show === 'revealed' ? value : mask(value) }
}
