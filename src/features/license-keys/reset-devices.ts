import type { Shop } from '../../shop.ts'
import { deleteDevices } from '../devices/index.ts'
import type { Reset } from './action-schema.ts'
import type { Work } from './change-keys.ts'
import { checkReset } from './license.rules.ts'
import { countResets } from './queries/keys.ts'

/** Frees all devices of keys and ends what runs on them, within their cooldown and count unless forced. */
export const resetDevices =
  ({ store, now }: Shop, { force }: Reset): Work =>
  async (tx, keys) => {
    if (!force) for (const key of keys) checkReset(key, now)
    const keyIds = keys.map((key) => key.id)
    await deleteDevices(tx, store.id, { keyIds, now })
    await countResets(tx, store.id, keyIds, now)
  }
