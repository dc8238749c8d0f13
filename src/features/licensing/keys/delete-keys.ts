import type { StoreContext } from '../../../store-context.ts'
import type { Work } from './change-keys.ts'
import * as q from './queries/keys.ts'

/**
 * Removes keys with their devices and sessions. What they were called is never given to anybody else
 * (specification, "Client Security API").
 */
export const deleteKeys =
  ({ store, now }: StoreContext): Work =>
  async (tx, keys) => {
    const ids = keys.map((key) => key.id)
    await q.buryKeys(tx, store.id, ids, now)
    await q.deleteKeys(tx, store.id, ids)
  }
