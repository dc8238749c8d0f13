import type { PoolClient } from 'pg'
import { pino } from 'pino'
import type { App } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { createKey } from '../../src/features/installation/api-keys/index.ts'
import { createStore } from '../../src/features/installation/stores/index.ts'
import { openApp } from '../../src/process/open-app.ts'
import { openSurfaces } from '../../src/surfaces/server.ts'
import { openAuthentication } from '../../src/surfaces/store-authentication.ts'
import type { Target } from '../process/client.ts'
import { migratedDatabase, type RealPostgres, settingsFor } from '../process/real-postgres.ts'
import { createInstallation } from '../process/spawn-server.ts'

/** A database on a real server, served by this process and optionally by others. */
export interface ServedDatabase {
  app: App
  /** Creates a new store in the database, and an API key without a rate limit for one of its sides. */
  openStore(side?: 'live' | 'test'): Promise<ServedStore>
  close(): Promise<void>
}

export interface ServedStore {
  app: App
  storeId: number
  /** The address of each process with the key of the store. This process is the first. */
  targets: readonly [Target, ...Target[]]
}

export interface StoreFixtureOptions {
  /** The number of processes that serve the database in addition to this one. */
  furtherProcesses?: number
  onConnect?: DatabaseOptions['onConnect']
  env?: Record<string, string>
}

export async function openServedDatabase(
  server: RealPostgres,
  { furtherProcesses = 0, onConnect, env: settings }: StoreFixtureOptions = {},
): Promise<ServedDatabase> {
  const database = await migratedDatabase(server)
  const env = {
    ...settingsFor(database.url),
    ...settings,
  }
  const configResult = readConfig(env)
  if ('faults' in configResult) throw new Error(configResult.faults.join('\n'))
  const log = pino({ level: 'silent' })
  const { app, close } = await openApp(configResult.config, {
    log,
    onConnect(client) {
      waitLongForLocks(client)
      onConnect?.(client)
    },
  })
  // A process creates a demo store only if there is no store.
  await createStore(app, { name: 'First', currency: 'EUR', plan: 'self_hosted' })
  const thisProcess = await serve(app)
  const otherProcesses = await serveInProcesses(env, furtherProcesses)

  return {
    app,
    async openStore(side = 'live') {
      const sides = await createStore(app, {
        name: 'Rush',
        currency: 'EUR',
        plan: 'self_hosted',
      })
      const { id: storeId, account_id, livemode, hash: store } = sides[side]
      const { key } = await createKey(app, { account_id, livemode, rate_limit: 0 })
      const origins = [...thisProcess.origins, ...otherProcesses.origins]
      const targets = origins.map((origin) => ({ origin, store, key }))
      return { app, storeId, targets: targets as unknown as ServedStore['targets'] }
    },
    async close() {
      await thisProcess.close()
      await otherProcesses.close()
      await close()
      await database.drop()
    },
  }
}

/**
 * On a busy machine, a hundred buyers wait longer for one row than the program allows. PostgreSQL itself finds deadlocks
 * after a second. The limit is below the timeout of a statement in the program.
 */
function waitLongForLocks(client: PoolClient): void {
  client.query("set lock_timeout = '9s'; set statement_timeout = '9s'").catch(() => {})
}

interface ServingProcesses {
  origins: string[]
  close(): Promise<void>
}

async function serve(app: App): Promise<ServingProcesses> {
  const server = await openSurfaces(app, openAuthentication(app), {
    version: 'test',
    storeApiUrl: 'http://127.0.0.1/v1',
    isStopping: () => false,
  })
  return {
    origins: [await server.listen({ port: 0, host: '127.0.0.1' })],
    close: () => server.close(),
  }
}

async function serveInProcesses(
  env: Record<string, string>,
  processCount: number,
): Promise<ServingProcesses> {
  const installations = await Promise.all(
    Array.from({ length: processCount }, () => createInstallation(env)),
  )
  const close = async () => {
    await Promise.all(installations.map((installation) => installation.close()))
  }
  try {
    const servers = await Promise.all(installations.map((installation) => installation.start()))
    return { origins: servers.map(({ origin }) => origin), close }
  } catch (error) {
    await close()
    throw error
  }
}
