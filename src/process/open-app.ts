import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { App } from '../app.ts'
import { allowedHosts, type Config } from '../config/config.ts'
import { type DatabaseOptions, openDatabase } from '../db/database.ts'
import type { EngineDeath, Opening } from '../db/embedded/engine.ts'
import { isUnavailable } from '../db/failure.ts'
import { type Migrated, migrate } from '../db/migrate.ts'
import { createWrites } from '../db/writes.ts'
import { openLedger } from '../events/ledger.ts'
import { createCaches } from '../kernel/caches.ts'
import { SECOND_MS, steadyClock, systemClock } from '../kernel/time.ts'
import { openStorage } from '../storage/open-storage.ts'
import { asRefusal, hostOf } from './database-refusal.ts'
import { INVARIANTS } from './invariants.ts'
import { CLOCK_FOLLOWERS, JOBS } from './jobs.ts'
import { refuseLostDatabase } from './lost-database.ts'
import { needFolderIfThere } from './need-folder.ts'
import { openPatiently } from './open-patiently.ts'
import { openVault } from './open-secrets.ts'
import { holdsDemo } from './queries.ts'
import { SEALED_COLUMNS } from './sealed-columns.ts'
import { StartError } from './start-error.ts'

export interface Opened {
  app: App
  migrated: Migrated
  /** Closes the database last, because running work may need it. */
  close(): Promise<void>
}

export interface OpenOptions {
  log: Logger
  /** If omitted, the value is read from the database. */
  demo?: boolean
  onConnect?: DatabaseOptions['onConnect']
  /**
   * For commands: a connection may take as long as the start allows, because no other caller waits
   * behind it.
   */
  patient?: boolean
  /** A secrets key without its database is no loss, because a backup is being restored. */
  restores?: boolean
}

const PATIENCE_MS = 30 * SECOND_MS

/** Opens the database, migrates it, and creates the parts of the process that use it. */
export const openApp = (config: Config, options: OpenOptions): Promise<Opened> =>
  openPatiently(config, (opening) => openNow(config, options, opening))

async function openNow(
  config: Config,
  { log, demo, onConnect, patient, restores }: OpenOptions,
  opening?: Opening,
): Promise<Opened> {
  const onDeath = (death: EngineDeath) => {
    log.error({ err: death }, 'The embedded database died and is restarted')
    if (death.fatal) process.exit(1)
  }
  if (!restores && !config.databaseUrl) await refuseLostDatabase(config.dataDir)
  const opened = await openCluster(config, onDeath, opening)
  try {
    opening?.onStep('Bringing the schema of the embedded database up to date')
    const migrated = await migratePatiently(config, opened.options, log)
    const connectionWait_ms = patient && opening ? config.startTimeout_ms : undefined
    const writes = createWrites()
    const db = openDatabase({
      ...opened.options,
      poolSize: config.dbPool,
      onConnect,
      connectionWait_ms,
      onWrite: writes.record,
    })
    const vault = await openVault(db, config)
    const clock = systemClock
    if (!config.s3) await needFolderIfThere('DATA_DIR', join(config.dataDir, 'files'))
    const storage = await openStorage(config)
    const isDemo = demo ?? (await holdsDemo(db))
    const app: App = {
      config: { ...config, webhookAllowedHosts: allowedHosts(config, isDemo) },
      db,
      vault,
      ledger: openLedger(vault),
      clock,
      caches: createCaches(steadyClock),
      log,
      storage,
      jobs: JOBS,
      clockFollowers: CLOCK_FOLLOWERS,
      invariants: INVARIANTS,
      sealedColumns: SEALED_COLUMNS,
      writes,
    }
    return {
      app,
      migrated,
      async close() {
        await storage.close()
        await db.destroy()
        await opened.close()
      },
    }
  } catch (error) {
    await opened.close()
    throw asRefusal(config, error)
  }
}

export interface Cluster {
  options: Pick<DatabaseOptions, 'url' | 'stream' | 'firstConnection_ms'>
  close(): Promise<void>
}

/** A server, or the embedded engine, whose code is large and loaded only if used. */
export async function openCluster(
  config: Config,
  onDeath: (death: EngineDeath) => void,
  opening?: Opening,
): Promise<Cluster> {
  const { databaseUrl, dataDir, startTimeout_ms } = config
  if (databaseUrl) return { options: { url: databaseUrl }, close: async () => {} }
  const { openEngine } = await import('../db/embedded/engine.ts')
  try {
    const engine = await openEngine({ dataDir: join(dataDir, 'pg'), onDeath, opening })
    const options = { stream: engine.connect, firstConnection_ms: startTimeout_ms }
    return { options, close: () => engine.close() }
  } catch (error) {
    throw asRefusal(config, error)
  }
}

/** Waits up to 30 s for a server that is not reachable yet. */
async function migratePatiently(
  config: Config,
  options: Cluster['options'],
  log: Logger,
): Promise<Migrated> {
  const until = steadyClock.now() + PATIENCE_MS
  for (let wait_ms = 250; ; wait_ms = Math.min(wait_ms * 2, 4 * SECOND_MS)) {
    // Uses its own connection, because building an index may exceed the timeout of a request.
    const db = openDatabase({ ...options, poolSize: 1, queryTimeout_ms: 0 })
    try {
      return await migrate(db, {
        onWait: (wait) => log.warn(wait, 'A migration waits for a lock'),
      })
    } catch (error) {
      const refusal = asRefusal(config, error)
      const hopeless = refusal instanceof StartError || !isUnavailable(error)
      if (hopeless || !config.databaseUrl) throw refusal
      const [database, reason] = [hostOf(config), reasonOf(error)]
      if (steadyClock.now() + wait_ms > until) {
        throw new StartError(
          `The database at ${database} could not be reached for 30 s: ${reason}.`,
          1,
        )
      }
      log.warn({ database, reason }, 'The database cannot be reached yet')
    } finally {
      await db.destroy()
    }
    await pause(wait_ms)
  }
}

/** The code of a system error is enough; PostgreSQL's codes are numbers, so its message is used. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message: string }
  return code === undefined || /^[0-9A-Z]{5}$/.test(code) ? message : code
}
