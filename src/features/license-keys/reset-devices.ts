import type { Tx } from '../../db/database.ts'
import { found } from '../../kernel/errors.ts'
import type { Shop } from '../../shop.ts'
import { deleteDevices } from '../devices/index.ts'
import type { Reset } from './action-schema.ts'
import type { Work } from './change-keys.ts'
import { checkReset } from './license.rules.ts'
import { countResets, type KeyRow, lockKeys } from './queries/keys.ts'

/** Frees all devices of keys and ends what runs on them, within their cooldown and count unless forced. */
export const resetDevices =
  ({ store, now }: Shop, { force }: Reset): Work =>
  async (tx, keys) => {
    if (!force) for (const key of keys) checkReset(key, now)
    const keyIds = keys.map((key) => key.id)
    await deleteDevices(tx, store.id, { keyIds, now })
    await countResets(tx, store.id, keyIds, now)
  }

/** Locks a key whose holder frees one of its devices. */
export async function lockKey(tx: Tx, { store }: Shop, keyId: number): Promise<KeyRow> {
  const [key] = await lockKeys(tx, store.id, [keyId])
  return found(key, 'Key')
}

/** Counts that as a reset, or refuses it. */
export async function countReset(tx: Tx, { store, now }: Shop, key: KeyRow): Promise<void> {
  checkReset(key, now)
  await countResets(tx, store.id, [key.id], now)
}
