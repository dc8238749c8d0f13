import type { Config } from '../config/config.ts'
import { holdFolder } from '../control/folder-lock.ts'
import { openDatabase } from '../db/database.ts'
import type { Opening } from '../db/embedded/engine.ts'
import { type Migrated, migrate } from '../db/migrate.ts'
import type { LockWait } from '../db/migration-locks.ts'
import { asRefusal } from './database-refusal.ts'
import { openCluster } from './open-app.ts'
import { openPatiently } from './open-patiently.ts'

const onWait = ({ migration, holders }: LockWait) => {
  const locks = holders.length > 0 ? ` Locks are held by ${holders.join('; ')}.` : ''
  process.stderr.write(`${migration} waits for a lock and is tried again.${locks}\n`)
}

/** Migrates the configured database without starting the server. */
export async function migrateAt(settings: Config, dryRun: boolean): Promise<Migrated> {
  try {
    const migrateNow = () =>
      openPatiently(settings, (opening) => migrateHere(settings, dryRun, opening))
    if (settings.databaseUrl) return await migrateNow()
    const busy = () => Promise.reject(new Error('Migrating.'))
    const held = await holdFolder(settings.dataDir, busy)
    return await migrateNow().finally(held.release)
  } catch (error) {
    throw asRefusal(settings, error)
  }
}

async function migrateHere(
  settings: Config,
  dryRun: boolean,
  opening?: Opening,
): Promise<Migrated> {
  const cluster = await openCluster(settings, () => {}, opening)
  const db = openDatabase({ ...cluster.options, poolSize: 1, queryTimeout_ms: 0 })
  try {
    return await migrate(db, { dryRun, onWait })
  } finally {
    await db.destroy()
    await cluster.close()
  }
}
