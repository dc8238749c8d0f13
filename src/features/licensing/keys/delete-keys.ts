import type { StoreContext } from '../../../store-context.ts'
import type { KeyWork } from './change-keys.ts'
import * as q from './queries/index.ts'

/**
 * Deletes keys with their devices and sessions. Their texts are never used again (specification, "Client
 * Security API").
 */
export const deleteKeys =
  ({ store, now }: StoreContext): KeyWork =>
  async (tx, keys) => {
    const ids = keys.map((key) => key.id)
    await q.insertTombstones(tx, store.id, ids, now)
    await q.deleteKeys(tx, store.id, ids)
    return true
  }
