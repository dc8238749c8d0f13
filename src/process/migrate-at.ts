import type { Config } from '../config/config.ts'
import { lockFolder } from '../control/folder-lock.ts'
import { openDatabase } from '../db/database.ts'
import type { Opening } from '../db/embedded/engine.ts'
import { type MigrationResult, migrate } from '../db/migrate.ts'
import type { LockWait } from '../db/migration-locks.ts'
import { asStartError } from './database-start-error.ts'
import { openCluster } from './open-app.ts'
import { openWithTimeout } from './open-with-timeout.ts'

const onWait = ({ migration, holders }: LockWait) => {
  const locks = holders.length > 0 ? ` Locks are held by ${holders.join('; ')}.` : ''
  process.stderr.write(
    `${migration ?? 'The list of applied migrations'} waits for a lock and is retried.${locks}\n`,
  )
}

/** Migrates the configured database without starting the server. */
export async function migrateAt(settings: Config, dryRun: boolean): Promise<MigrationResult> {
  try {
    const migrateNow = () =>
      openWithTimeout(settings, (opening) => migrateHere(settings, dryRun, opening))
    if (settings.databaseUrl) return await migrateNow()
    const refuseClient = () => Promise.reject(new Error('Migrating.'))
    const folderLock = await lockFolder(settings.dataDir, refuseClient)
    return await migrateNow().finally(folderLock.release)
  } catch (error) {
    throw asStartError(settings, error)
  }
}

async function migrateHere(
  settings: Config,
  dryRun: boolean,
  opening?: Opening,
): Promise<MigrationResult> {
  const cluster = await openCluster(settings, () => {}, opening)
  const db = openDatabase({ ...cluster.options, poolSize: 1, queryTimeout_ms: 0 })
  try {
    return await migrate(db, { dryRun, onWait })
  } finally {
    await db.destroy()
    await cluster.close()
  }
}
