import type { ApiKey } from './queries.ts'

/** Returns true if a key opens a store: same account, same side, and among its named stores. */
export const opens = (
  key: Pick<ApiKey, 'account_id' | 'livemode' | 'store_ids'>,
  store: { id: number; account_id: number; livemode: boolean },
): boolean =>
  key.account_id === store.account_id &&
  key.livemode === store.livemode &&
  (key.store_ids === null || key.store_ids.includes(store.id))
