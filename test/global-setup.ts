import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { type Db, openDatabase } from '../src/db/database.ts'
import { openEngine } from '../src/db/embedded/engine.ts'
import { migrate } from '../src/db/migrate.ts'
import { adminUrl, ask, TEMPLATE } from './database.ts'
import { startPgBouncer } from './postgres/pgbouncer.ts'
import { startPostgres, testDatabaseUrl, type Unavailable } from './postgres/server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A migrated embedded database as a file: loading it takes 0.6 s, migrating a new one 2.5 s. */
    template: string
    /** A file that says where the PostgreSQL server of the run is, as soon as it has started. */
    server: string
    /** True if that server flushes to the disk; tests that kill a program need it. */
    durable?: boolean
  }
}

/** Migrates one database for the whole suite; every test file begins with a copy of it. */
// biome-ignore lint/style/noDefaultExport: vitest calls the default export.
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'tradepost-tests-'))
  const template = join(folder, 'template')
  const engine = await openEngine()
  const db = openDatabase({ stream: engine.connect })
  await migrate(db)
  await shrink(db)
  await writeFile(template, await engine.dump())
  await db.destroy()
  await engine.close()
  project.provide('template', template)

  const server = await openServer()
  if (testDatabaseUrl()) await makeTemplate(adminUrl())
  const announced = join(folder, 'server')
  project.provide('server', announced)
  const durable = project.config.provide.durable ?? false
  const shared = testDatabaseUrl() ? undefined : startShared(announced, durable)
  return async () => {
    await server.close()
    await (await shared)?.close()
    await rm(folder, { recursive: true })
  }
}

/** One server for all files that need a real PostgreSQL. Only those files wait for it. */
async function startShared(
  announced: string,
  durable: boolean,
): Promise<{ close(): Promise<void> } | undefined> {
  const server = await startPostgres({ durable }).catch((error: Error) => ({
    unavailable: error.message,
  }))
  const isThere = !('unavailable' in server)
  if (isThere) await makeTemplate(server.url)
  await writeFile(`${announced}.new`, JSON.stringify(isThere ? { url: server.url } : server))
  await rename(`${announced}.new`, announced)
  return isThere ? server : undefined
}

/** Without the databases that new ones are copied from it is read in three quarters of the time. */
async function shrink(db: Db) {
  await sql`update pg_database set datistemplate = false`.execute(db)
  await sql`drop database template0`.execute(db)
  await sql`drop database template1`.execute(db)
  await sql`checkpoint`.execute(db)
}

/**
 * `TEST_DATABASE=server` runs the suite on the PostgreSQL that comes as a package, `pgbouncer` on the
 * same through PgBouncer in transaction mode. Without it each file has an embedded database.
 */
async function openServer(): Promise<{ close(): Promise<void> }> {
  const wanted = process.env.TEST_DATABASE
  if (!wanted || testDatabaseUrl()) return { close: async () => {} }
  const postgres = orThrow(await startPostgres({ durable: false }))
  process.env.TEST_DATABASE_URL = postgres.url
  if (wanted !== 'pgbouncer') return postgres
  const bouncer = orThrow(await startPgBouncer(postgres.url))
  process.env.TEST_ADMIN_DATABASE_URL = postgres.url
  process.env.TEST_DATABASE_URL = bouncer.url
  return {
    async close() {
      await bouncer.close()
      await postgres.close()
    },
  }
}

function orThrow<T extends object>(started: T | Unavailable): T {
  if ('unavailable' in started) throw new Error(started.unavailable)
  return started
}

async function makeTemplate(server: string) {
  await ask(server, `drop database if exists ${TEMPLATE} with (force)`)
  await ask(server, `create database ${TEMPLATE}`)
  const db = openDatabase({ url: new URL(TEMPLATE, server).href })
  await migrate(db)
  await db.destroy()
}
