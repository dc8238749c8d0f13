import { changesOf } from '../../../audit/changes.rules.ts'
import { afterCommit, inTransaction, type Tx } from '../../../db/database.ts'
import { found, invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  isZoneOfDatabase,
  lockSettings,
  selectSettings,
  updateStoreSettings,
} from '../../installation/index.ts'
import type { Settings, SettingsPatch } from './settings-schema.ts'

/** Reads the row, because the cached store may be some seconds old. */
export const showSettings = async ({ db, store }: StoreContext): Promise<Settings> =>
  found(await selectSettings(db, store.id), 'Store')

/**
 * Changes the settings of one side of a store. This process uses them from the next call on; others
 * cache the store for up to 5 s, a test side 1 s (decision 144).
 */
export function updateSettings(context: StoreContext, patch: SettingsPatch): Promise<Settings> {
  const { store, audit, caches } = context
  return inTransaction(context.db, async (tx) => {
    const before = found(await lockSettings(tx, store.id), 'Store')
    if (patch.time_zone !== undefined) await checkZone(tx, patch.time_zone)
    const changes = changesOf({ ...before }, patch)
    const act = {
      action: 'account.update_settings',
      object: 'store',
      object_id: store.hash,
      changes,
    }
    await audit.record(tx, [act])
    const after = await updateStoreSettings(tx, store.id, { ...before, ...patch })
    afterCommit(tx, () => caches.clear())
    return after
  })
}

/** The database may have older time zones than Node. */
async function checkZone(tx: Tx, zone: string): Promise<void> {
  if (await isZoneOfDatabase(tx, zone)) return
  throw invalid('time_zone', 'The database does not know this time zone; use an older name of it.')
}
