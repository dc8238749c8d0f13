import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import { type DatabaseOptions, type Db, openDatabase } from '../src/db/database.ts'
import { type Engine, openEngine } from '../src/db/embedded/engine.ts'
import { randomText } from '../src/kernel/ids.ts'
import { testDatabaseUrl } from './postgres/server.ts'

const PGLITE = createRequire(import.meta.url).resolve('@electric-sql/pglite')

/**
 * Tests do not depend on the machine's speed: a queue is refused for its expected wait, and a slow machine
 * expects any wait. The limits have tests of their own.
 */
const PATIENT_MS = 600_000
const PATIENT = { connectionWait_ms: PATIENT_MS, queryTimeout_ms: PATIENT_MS }
const LIMITS = {
  wait_ms: PATIENT_MS,
  idle_in_transaction_ms: PATIENT_MS,
  statement_ms: PATIENT_MS,
}

export const TEMPLATE = 'tradepost_template'

/**
 * PostgreSQL's machine code. V8 keeps it for as long as anybody holds the module, and gives it to the
 * engine of each test file of this process; else each compiles 9 MB anew.
 */
const held: { compiled?: Promise<object> } = {}

const compile = async () =>
  WebAssembly.compile(await readFile(join(dirname(PGLITE), 'pglite.wasm')))

// Only the types of browsers know it.
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> }

export interface TestDatabase {
  db: Db
  close(): Promise<void>
}

/** A migrated database of our own: embedded in memory, or on the server that TEST_DATABASE_URL names. */
export async function openTestDatabase(
  onConnect?: DatabaseOptions['onConnect'],
  onWrite?: DatabaseOptions['onWrite'],
): Promise<TestDatabase> {
  const server = testDatabaseUrl()
  if (server) return openOnServer(server, { onConnect, onWrite })
  held.compiled ??= compile()
  const { engine, uses } = idle.pop() ?? { engine: await openCopy(), uses: 1 }
  const db = openDatabase({ stream: engine.connect, onConnect, onWrite, ...PATIENT })
  return {
    db,
    async close() {
      await db.destroy()
      if (uses < USES_MAX && (await emptied(engine))) idle.push({ engine, uses: uses + 1 })
      else await engine.close()
    },
  }
}

/**
 * Engines of this process that no test uses, with the rows of a new installation: emptying one takes a
 * quarter of the time that opening one takes.
 */
const idle: { engine: Engine; uses: number }[] = []
/** An engine's memory grows and never shrinks. */
const USES_MAX = 12

const openCopy = async () =>
  openEngine({ loadDump: await readFile(inject('template')), limits: LIMITS })

/** Returns false where a test changed the schema, or where the engine cannot be emptied. */
async function emptied(engine: Engine): Promise<boolean> {
  const db = openDatabase({ stream: engine.connect, ...PATIENT })
  try {
    // The embedded session keeps the prepared statements of all connections, and their plans need memory.
    await sql`deallocate all`.execute(db)
    const { rows } = await sql<{ same: boolean }>`select pristine.restore() as same`.execute(db)
    return rows[0]?.same === true
  } catch {
    return false
  } finally {
    await db.destroy()
  }
}

async function openOnServer(
  server: string,
  options: Pick<DatabaseOptions, 'onConnect' | 'onWrite'>,
): Promise<TestDatabase> {
  const name = `tradepost_${randomText(12).toLowerCase()}`
  await ask(adminUrl(), `create database ${name} template ${TEMPLATE}`)
  const db = openDatabase({ url: new URL(name, server).href, ...options, ...PATIENT })
  return {
    db,
    async close() {
      await db.destroy()
      await ask(adminUrl(), `drop database ${name} with (force)`)
    },
  }
}

/** Where databases are made and dropped: never through a pooler, which keeps connections to them. */
export const adminUrl = (): string => process.env.TEST_ADMIN_DATABASE_URL ?? testDatabaseUrl() ?? ''

/** One statement on a server, on a connection of its own. */
export async function ask(connectionString: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
