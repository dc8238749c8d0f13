import type { StoreContext } from '../../../store-context.ts'
import { checkOwner } from '../users/index.ts'
import * as q from './queries.ts'

/** Returns the newest backup to an owner, or null if none was made. */
export async function showNewestBackup(context: StoreContext): Promise<q.BackupRow | null> {
  await checkOwner(context)
  return (await q.selectNewestBackup(context.db)) ?? null
}
