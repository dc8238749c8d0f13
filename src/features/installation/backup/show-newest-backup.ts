import type { StoreContext } from '../../../store-context.ts'
import { checkOwner } from '../users/index.ts'
import { type BackupRow, selectNewestBackup } from './queries.ts'

/** Returns the newest backup to an owner, or null if none was made. */
export async function showNewestBackup(context: StoreContext): Promise<BackupRow | null> {
  await checkOwner(context)
  return (await selectNewestBackup(context.db)) ?? null
}
