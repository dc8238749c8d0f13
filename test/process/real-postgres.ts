import { randomBytes } from 'node:crypto'
import { beforeAll, type TestContext, vi } from 'vitest'
import { randomText } from '../../src/kernel/ids.ts'
import { ask, findServer, TEMPLATE } from '../database.ts'
import {
  type PostgresServer,
  startPostgres,
  testDatabaseUrl,
  type Unavailable,
} from '../postgres/server.ts'

/** A PostgreSQL server with a migrated database named TEMPLATE, which tests copy. */
export interface RealPostgres {
  url: string
}

/** Returns the server that all test files share, when it has started. */
export const openPostgres: () => Promise<RealPostgres | Unavailable> = findServer

/** Returns the server. Skips the test with the reason if there is none, or fails the test if `CI` is set. */
export function postgresOrSkip<T extends RealPostgres>(
  context: TestContext,
  server: T | Unavailable,
): T {
  if (!('unavailable' in server)) return server
  if (process.env.CI && testDatabaseUrl() === undefined) throw new Error(server.unavailable)
  return context.skip(server.unavailable)
}

/** Waits for the server before the tests of a file. Returns a function that returns it, or skips the test without it. */
export function sharedPostgres(): (context: TestContext) => RealPostgres {
  let server: RealPostgres | Unavailable = { unavailable: 'The server was not opened.' }
  beforeAll(async () => {
    server = await openPostgres()
  })
  return (context) => postgresOrSkip(context, server)
}

/** Starts a server that the test may stop and start. It is never the one in TEST_DATABASE_URL. */
export async function ownPostgres(context: TestContext): Promise<PostgresServer> {
  vi.stubEnv('TEST_DATABASE_URL', '')
  try {
    return postgresOrSkip(context, await startPostgres())
  } finally {
    vi.unstubAllEnvs()
  }
}

export interface FreshDatabase {
  url: string
  drop(): Promise<void>
}

/** Creates a migrated database on a server. */
export const migratedDatabase = (server: RealPostgres): Promise<FreshDatabase> =>
  freshDatabase(server, `template ${TEMPLATE}`)

/** Creates a database on a server. `options` are those of `create database`. */
export async function freshDatabase(server: RealPostgres, options = ''): Promise<FreshDatabase> {
  const name = `tradepost_${randomText(12).toLowerCase()}`
  await ask(server.url, `create database ${name} ${options}`)
  return {
    url: new URL(name, server.url).href,
    async drop() {
      await ask(server.url, `drop database ${name} with (force)`)
    },
  }
}

/** Returns the settings of a program on a database server, with a new master key. */
export const settingsFor = (databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64'),
})
