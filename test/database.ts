import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import { type DatabaseOptions, type Db, openDatabase } from '../src/db/database.ts'
import { type Engine, openEngine } from '../src/db/embedded/engine.ts'
import { randomText } from '../src/kernel/ids.ts'
import type { Unavailable } from './postgres/server.ts'
import { until } from './until.ts'

const PGLITE = createRequire(import.meta.url).resolve('@electric-sql/pglite')

/**
 * The queue refuses a call by its expected wait, which grows on a slow machine. With these timeouts no
 * test depends on the speed of the machine; the real limits have tests of their own.
 */
const PATIENT_MS = 600_000
export const PATIENT = { connectionWait_ms: PATIENT_MS, queryTimeout_ms: PATIENT_MS }
const LIMITS = {
  wait_ms: PATIENT_MS,
  idle_in_transaction_ms: PATIENT_MS,
  statement_ms: PATIENT_MS,
}

export const TEMPLATE = 'tradepost_template'

/**
 * PostgreSQL's machine code. V8 shares it with the engine of each test file in this process while
 * the module is referenced; otherwise each engine compiles 9 MB again.
 */
const engineCode: { compiled?: Promise<object> } = {}

const compile = async () =>
  WebAssembly.compile(await readFile(join(dirname(PGLITE), 'pglite.wasm')))

// Node's types do not declare it.
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> }

interface TestDatabase {
  db: Db
  close(): Promise<void>
}

/** Opens a new migrated database: on the server of the test run, or embedded in memory. */
export async function openTestDatabase(
  onConnect?: DatabaseOptions['onConnect'],
  writes?: DatabaseOptions['writes'],
): Promise<TestDatabase> {
  if (inject('database') === 'server') return openOnServer({ onConnect, writes })
  engineCode.compiled ??= compile()
  const engine = idleEngines.pop() ?? (await openTemplateCopy())
  const db = openDatabase({ stream: engine.connect, onConnect, writes, ...PATIENT })
  let closed = false
  return {
    db,
    async close() {
      if (closed) return
      closed = true
      await db.destroy()
      if (idleEngines.length < IDLE_ENGINES_MAX && (await engine.reset())) idleEngines.push(engine)
      else await engine.close()
    },
  }
}

/** Engines of this process that no test uses, reset to the template database. */
const idleEngines: Engine[] = []
/** Few files open more engines at once, and an idle engine uses twice its memory. */
const IDLE_ENGINES_MAX = 2

async function openTemplateCopy(): Promise<Engine> {
  const engine = await openEngine({
    loadDump: await readFile(inject('template')),
    limits: LIMITS,
    // The statements of the test only report that their connection ended.
    onCrash: ({ stack }) => process.stderr.write(`${stack}\n`),
  })
  const db = openDatabase({ stream: engine.connect, ...PATIENT })
  for (const statement of LOAD_EXTENSIONS) await sql.raw(statement).execute(db)
  await db.destroy()
  engine.save()
  return engine
}

/** An engine that loads an extension after `keep()` cannot reset, so they are loaded before. */
const LOAD_EXTENSIONS = ["load 'plpgsql'", "load 'dict_snowball'"]

async function openOnServer(
  options: Pick<DatabaseOptions, 'onConnect' | 'writes'>,
): Promise<TestDatabase> {
  const server = await findServer()
  if ('unavailable' in server) throw new Error(server.unavailable)
  const { url, pooler = url } = server
  const name = `tradepost_${randomText(12).toLowerCase()}`
  // A pooler would keep connections to a dropped database, so it is not used here. Copying the files takes a
  // fifth less processor time than the default, which logs every page.
  await ask(url, `create database ${name} template ${TEMPLATE} strategy file_copy`)
  const db = openDatabase({ url: new URL(name, pooler).href, ...options, ...PATIENT })
  return {
    db,
    async close() {
      await db.destroy()
      await ask(url, `drop database ${name} with (force)`)
    },
  }
}

export interface ServerAddresses {
  url: string
  /** The address of PgBouncer in front of the server, if the databases of test files are used through it. */
  pooler?: string
}

/** The database of a busy machine starts within minutes. */
const SERVER_START_MS = 300_000

/** Returns the server that all test files share, when it has started. */
export async function findServer(): Promise<ServerAddresses | Unavailable> {
  const file = inject('server')
  await until(() => existsSync(file), SERVER_START_MS)
  return JSON.parse(await readFile(file, 'utf8'))
}

/** Runs one statement on a new connection to a server. */
export async function ask(connectionString: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
