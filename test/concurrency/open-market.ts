import { randomBytes } from 'node:crypto'
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
import { migratedDatabase, type RealPostgres } from '../process/real-postgres.ts'
import { createInstallation } from '../process/spawn-server.ts'

/** A database of its own on a real server, served by this process and perhaps by others. */
export interface StoreFixture {
  app: App
  /** A new store there, with a key that may call without limit. */
  openStoreFixture(): Promise<RealServer>
  close(): Promise<void>
}

export interface RealServer {
  app: App
  storeId: number
  /** One door for each process, this one's first. */
  targets: readonly [Target, ...Target[]]
}

export interface StoreFixtureOptions {
  /** The number of further processes that serve. */
  beside?: number
  onConnect?: DatabaseOptions['onConnect']
  env?: Record<string, string>
}

export async function openRaceStore(
  server: RealPostgres,
  { beside = 0, onConnect, env: settings }: StoreFixtureOptions = {},
): Promise<StoreFixture> {
  const database = await migratedDatabase(server)
  const env = {
    DATABASE_URL: database.url,
    TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64'),
    ...settings,
  }
  const checked = readConfig(env)
  if ('faults' in checked) throw new Error(checked.faults.join('\n'))
  const log = pino({ level: 'silent' })
  const { app, close } = await openApp(checked.config, { log, onConnect })
  // A process seeds a demo only if there is no store.
  await createStore(app, { name: 'First', currency: 'EUR', plan: 'self_hosted' })
  const here = await serveHere(app)
  const elsewhere = await serveElsewhere(env, beside)

  return {
    app,
    async openStoreFixture() {
      const { live } = await createStore(app, {
        name: 'Rush',
        currency: 'EUR',
        plan: 'self_hosted',
      })
      const { id: storeId, account_id, livemode, hash: store } = live
      const { key } = await createKey(app, { account_id, livemode, rate_limit: 0 })
      const origins = [...here.origins, ...elsewhere.origins]
      const targets = origins.map((origin) => ({ origin, store, key }))
      return { app, storeId, targets: targets as unknown as RealServer['targets'] }
    },
    async close() {
      await here.close()
      await elsewhere.close()
      await close()
      await database.drop()
    },
  }
}

interface Served {
  origins: string[]
  close(): Promise<void>
}

async function serveHere(app: App): Promise<Served> {
  const server = await openSurfaces(app, openAuthentication(app), {
    version: 'test',
    storeApiUrl: 'http://127.0.0.1/v1',
    leaving: () => false,
  })
  return {
    origins: [await server.listen({ port: 0, host: '127.0.0.1' })],
    close: () => server.close(),
  }
}

async function serveElsewhere(env: Record<string, string>, processes: number): Promise<Served> {
  const installations = await Promise.all(
    Array.from({ length: processes }, () => createInstallation(env)),
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
