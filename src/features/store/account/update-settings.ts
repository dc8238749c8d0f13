import { changesOf } from '../../../audit/changes.rules.ts'
import { afterCommit, inTransaction, type Tx } from '../../../db/database.ts'
import { isEmptyChange } from '../../../kernel/empty-change.ts'
import { invalid, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  isTimeZoneOfDatabase,
  lockSettings,
  selectSettings,
  updateStoreSettings,
} from '../../installation/index.ts'
import type { Settings, SettingsPatch } from './settings-schema.ts'

/** Reads the row, because the cached store may be some seconds old. */
export const showSettings = async ({ db, store }: StoreContext): Promise<Settings> =>
  requireRecord(await selectSettings(db, store.id), 'Store')

/**
 * Changes the settings of one side of a store. This process uses them from the next call on; others
 * cache the store for up to 5 s, a test side 1 s (decision 144).
 */
export function updateSettings(context: StoreContext, patch: SettingsPatch): Promise<Settings> {
  const { store, audit, caches } = context
  return inTransaction(context.db, async (tx) => {
    const before = requireRecord(await lockSettings(tx, store.id), 'Store')
    if (isEmptyChange(patch)) return before
    if (patch.time_zone !== undefined) await checkZone(tx, patch.time_zone)
    const changes = changesOf({ ...before }, patch)
    if (Object.keys(changes).length === 0) return before
    const auditEvent = {
      action: 'account.update_settings',
      object: 'store',
      object_id: store.hash,
      changes,
    }
    await audit.record(tx, [auditEvent])
    const after = await updateStoreSettings(tx, store.id, { ...before, ...patch })
    afterCommit(tx, () => caches.clear())
    return after
  })
}

/** The database may have older time zones than Node. */
async function checkZone(tx: Tx, zone: string): Promise<void> {
  if (await isTimeZoneOfDatabase(tx, zone)) return
  throw invalid(
    'time_zone',
    'The database has no time zone of this name. Use an older name of the same zone.',
  )
}
