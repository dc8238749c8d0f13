import type { ApiKey } from './queries.ts'

/** Returns true if the key is valid for the store: same account and side, and among the key's stores. */
export const isValidForStore = (
  key: Pick<ApiKey, 'account_id' | 'livemode' | 'store_ids'>,
  store: { id: number; account_id: number; livemode: boolean },
): boolean =>
  key.account_id === store.account_id &&
  key.livemode === store.livemode &&
  (key.store_ids === null || key.store_ids.includes(store.id))
