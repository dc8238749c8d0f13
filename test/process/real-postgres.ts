import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { inject, type TestContext, vi } from 'vitest'
import { randomText } from '../../src/kernel/ids.ts'
import { adminUrl, ask, TEMPLATE } from '../database.ts'
import {
  type PostgresServer,
  startPostgres,
  testDatabaseUrl,
  type Unavailable,
} from '../postgres/server.ts'

/** A real PostgreSQL with a migrated database to copy, named TEMPLATE. */
export interface RealPostgres {
  url: string
  /** The address for creating databases, if it differs: `url` may lead through a pooler. */
  admin?: string
  /** Missing if it is shared: it ends with the run. */
  close?(): Promise<void>
}

const LOOK_AGAIN_MS = 20

/** The server that all files of a run share, or the one that TEST_DATABASE_URL names. */
export async function openPostgres(): Promise<RealPostgres | Unavailable> {
  const url = testDatabaseUrl()
  if (url) return { url, admin: adminUrl() }
  const announced = inject('server')
  while (!existsSync(announced)) await pause(LOOK_AGAIN_MS)
  return JSON.parse(await readFile(announced, 'utf8'))
}

export async function closePostgres(server: RealPostgres | Unavailable): Promise<void> {
  if (!('unavailable' in server)) await server.close?.()
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

/** A migrated database on a server. */
export const migratedDatabase = (server: RealPostgres): Promise<FreshDatabase> =>
  freshDatabase(server, `template ${TEMPLATE}`)

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
