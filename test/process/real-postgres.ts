import { type TestContext, vi } from 'vitest'
import { randomText } from '../../src/kernel/ids.ts'
import { adminUrl, ask } from '../database.ts'
import {
  type PostgresServer,
  startPostgres,
  testDatabaseUrl,
  type Unavailable,
} from '../postgres/server.ts'

/** A real PostgreSQL: the one that TEST_DATABASE_URL names, else one of our own. */
export interface RealPostgres {
  url: string
  /** Where databases are made, if not there: `url` may lead through a pooler. */
  admin?: string
  close(): Promise<void>
}

export async function openPostgres(): Promise<RealPostgres | Unavailable> {
  const url = testDatabaseUrl()
  return url ? { url, admin: adminUrl(), close: async () => {} } : startPostgres()
}

export async function closePostgres(server: RealPostgres | Unavailable): Promise<void> {
  if (!('unavailable' in server)) await server.close()
}

/** The server, or a skipped test that says why; with `CI` set a missing server is a failure. */
export function postgresOrSkip<T extends RealPostgres>(
  context: TestContext,
  server: T | Unavailable,
): T {
  if (!('unavailable' in server)) return server
  if (process.env.CI && testDatabaseUrl() === undefined) throw new Error(server.unavailable)
  return context.skip(server.unavailable)
}

/** A server of this test alone, which it may stop and start; never the one of TEST_DATABASE_URL. */
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

/** An empty database on a server, made in a way of its own if need be. */
export async function freshDatabase(server: RealPostgres, how = ''): Promise<FreshDatabase> {
  const name = `tradepost_${randomText(12).toLowerCase()}`
  const admin = server.admin ?? server.url
  await ask(admin, `create database ${name} ${how}`)
  return {
    url: new URL(name, server.url).href,
    async drop() {
      await ask(admin, `drop database ${name} with (force)`)
    },
  }
}
