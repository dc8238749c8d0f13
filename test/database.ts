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
  const engine = idle.pop() ?? (await openCopy())
  const db = openDatabase({ stream: engine.connect, onConnect, onWrite, ...PATIENT })
  let closed = false
  return {
    db,
    async close() {
      if (closed) return
      closed = true
      await db.destroy()
      if (idle.length < IDLE_MAX && (await engine.reset())) idle.push(engine)
      else await engine.close()
    },
  }
}

/** Engines of this process that no test uses, as they were when they were opened. */
const idle: Engine[] = []
/** Few files open more at once, and each holds its memory twice. */
const IDLE_MAX = 2

async function openCopy(): Promise<Engine> {
  const engine = await openEngine({ loadDump: await readFile(inject('template')), limits: LIMITS })
  const db = openDatabase({ stream: engine.connect })
  for (const statement of LINKING) await sql.raw(statement).execute(db)
  await db.destroy()
  engine.keep()
  return engine
}

/** They load PostgreSQL's libraries: an engine that loads one later cannot go back. */
const LINKING = ["load 'plpgsql'", "load 'dict_snowball'"]

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

/** Databases are created and dropped here, never through a pooler, which keeps connections to them. */
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
