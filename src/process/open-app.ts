import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { App } from '../app.ts'
import { allowedHosts, type Config } from '../config/config.ts'
import { type DatabaseOptions, openDatabase } from '../db/database.ts'
import type { EngineCrash, Opening } from '../db/embedded/engine.ts'
import { isUnavailable } from '../db/failure.ts'
import { type MigrationResult, migrate } from '../db/migrate.ts'
import { createWrites } from '../db/writes.ts'
import { openLedger } from '../events/ledger.ts'
import { createCaches } from '../kernel/caches.ts'
import { NO_PROCESS_METER, type ProcessMeter } from '../kernel/process-meter.ts'
import { SECOND_MS, steadyClock, systemClock } from '../kernel/time.ts'
import { openStorage } from '../storage/open-storage.ts'
import { asStartError, hostOf } from './database-start-error.ts'
import { INSPECTIONS, PARTS } from './inspections.ts'
import { INVARIANTS } from './invariants.ts'
import { CLOCK_FOLLOWERS, JOBS } from './jobs.ts'
import { refuseLostDatabase } from './lost-database.ts'
import { openVault } from './open-secrets.ts'
import { openWithTimeout } from './open-with-timeout.ts'
import * as q from './queries.ts'
import { checkFolderIfPresent } from './require-folder.ts'
import { SEALED_COLUMNS } from './sealed-columns.ts'
import { StartError } from './start-error.ts'

interface OpenedApp {
  app: App
  migration: MigrationResult
  /** Closes the database last, because running work may need it. */
  close(): Promise<void>
}

interface OpenOptions {
  log: Logger
  /** True for a demo, whose webhooks may be sent to this machine. If omitted, true if there is a demo store. */
  demo?: boolean
  onConnect?: DatabaseOptions['onConnect']
  watchPool?: DatabaseOptions['watchPool']
  meter?: ProcessMeter
  /**
   * True for commands. They may wait for a connection up to the start timeout, because no other caller waits
   * behind them.
   */
  waitsForConnection?: boolean
  /** True while a backup is restored. DATA_DIR may then have a secrets key and no database yet. */
  restores?: boolean
}

const RETRY_TIMEOUT_MS = 30 * SECOND_MS

/** Opens the database, migrates it, and creates the parts of the process that use it. */
export const openApp = (config: Config, options: OpenOptions): Promise<OpenedApp> =>
  openWithTimeout(config, (opening) => openOnce(config, options, opening))

async function openOnce(
  config: Config,
  {
    log,
    demo,
    onConnect,
    watchPool,
    meter = NO_PROCESS_METER,
    waitsForConnection,
    restores,
  }: OpenOptions,
  opening?: Opening,
): Promise<OpenedApp> {
  const onCrash = (crash: EngineCrash) => {
    log.error({ err: crash }, 'The embedded database crashed and is restarted')
    if (crash.isFatal) process.exit(1)
  }
  if (!restores && !config.databaseUrl) await refuseLostDatabase(config.dataDir)
  const cluster = await openCluster(config, onCrash, opening)
  try {
    opening?.onStep('Bringing the schema of the embedded database up to date')
    const migration = await migrateWithRetries(config, cluster.options, log)
    const connectionWait_ms = waitsForConnection && opening ? config.startTimeout_ms : undefined
    const writes = createWrites()
    const db = openDatabase({
      ...cluster.options,
      poolSize: config.dbPool,
      onConnect,
      watchPool,
      connectionWait_ms,
      writes,
    })
    const vault = await openVault(db, config)
    const clock = systemClock
    if (!config.s3) await checkFolderIfPresent('DATA_DIR', join(config.dataDir, 'files'))
    const storage = await openStorage(config)
    const isDemo = demo ?? (await q.hasDemoStore(db))
    const app: App = {
      config: { ...config, webhookAllowedHosts: allowedHosts(config, isDemo) },
      db,
      vault,
      ledger: openLedger(vault, meter),
      clock,
      caches: createCaches(steadyClock),
      log,
      meter,
      storage,
      jobs: JOBS,
      clockFollowers: CLOCK_FOLLOWERS,
      invariants: INVARIANTS,
      inspections: INSPECTIONS,
      parts: PARTS,
      sealedColumns: SEALED_COLUMNS,
      writes,
    }
    return {
      app,
      migration,
      async close() {
        await storage.close()
        await db.destroy()
        await cluster.close()
      },
    }
  } catch (error) {
    await cluster.close()
    throw asStartError(config, error)
  }
}

interface Cluster {
  options: Pick<DatabaseOptions, 'url' | 'stream' | 'firstConnection_ms'>
  close(): Promise<void>
}

/** Opens the embedded engine, or returns the options of the server. The engine is loaded only if it is used. */
export async function openCluster(
  config: Config,
  onCrash: (crash: EngineCrash) => void,
  opening?: Opening,
): Promise<Cluster> {
  const { databaseUrl, dataDir, startTimeout_ms } = config
  if (databaseUrl) return { options: { url: databaseUrl }, close: async () => {} }
  const { openEngine } = await import('../db/embedded/engine.ts')
  try {
    const engine = await openEngine({ dataDir: join(dataDir, 'pg'), onCrash, opening })
    const options = { stream: engine.connect, firstConnection_ms: startTimeout_ms }
    return { options, close: () => engine.close() }
  } catch (error) {
    throw asStartError(config, error)
  }
}

/** Migrates the database. Waits up to 30 s for a server that cannot be reached yet. */
async function migrateWithRetries(
  config: Config,
  options: Cluster['options'],
  log: Logger,
): Promise<MigrationResult> {
  const deadline = steadyClock.now() + RETRY_TIMEOUT_MS
  for (let wait_ms = 250; ; wait_ms = Math.min(wait_ms * 2, 4 * SECOND_MS)) {
    // Uses its own connection, because building an index may exceed the timeout of a request.
    const db = openDatabase({ ...options, poolSize: 1, queryTimeout_ms: 0 })
    try {
      return await migrate(db, {
        onWait: (wait) => log.warn(wait, 'A migration waits for a lock'),
      })
    } catch (error) {
      const startError = asStartError(config, error)
      const isPermanent = startError instanceof StartError || !isUnavailable(error)
      if (isPermanent || !config.databaseUrl) throw startError
      const [database, reason] = [hostOf(config), reasonOf(error)]
      if (steadyClock.now() + wait_ms > deadline) {
        throw new StartError(
          `The database at ${database} could not be reached for 30 s: ${reason}. Check DATABASE_URL and the server.`,
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

/** Returns the code of a system error, or the message of PostgreSQL, whose codes are not readable. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message: string }
  return code === undefined || /^[0-9A-Z]{5}$/.test(code) ? message : code
}
