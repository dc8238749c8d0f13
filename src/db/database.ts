import { setTimeout as pause } from 'node:timers/promises'
import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  sql,
  type Transaction,
} from 'kysely'
import pg from 'pg'
import { ConnectionQueue } from './connection-queue.ts'
import { parsers } from './parsers.ts'
import { QUEUE_LIMITS } from './queue.rules.ts'
import { AT_LEISURE, openServerSession, Session, StatementNames } from './session.ts'
import type { Tables } from './tables.gen.ts'

/** Reads, and writes that stand alone. */
export type Db = Kysely<Tables>
/** Writes that belong together. Only `inTransaction` makes one, so holding it is the proof. */
export type Tx = Transaction<Tables>

/** What `pg` takes for a socket; the embedded engine gives one. */
type Socket = NonNullable<pg.ClientConfig['stream']>

export interface DatabaseOptions {
  /** A server. */
  url?: string
  /** Or the embedded engine: where its connections come from. */
  stream?: Socket
  poolSize?: number
  /** Sees each connection once it is ready, so that tests and metrics may count its statements. */
  onConnect?: (client: pg.PoolClient) => void
  /** Migrations may take longer than a request. */
  queryTimeout_ms?: number
  /** How long a caller waits for a free connection, whatever the load; else 2 to 10 s (decision 132). */
  connectionWait_ms?: number
  /** How long the first connection may take, where that is longer: a process that starts has patience. */
  firstConnection_ms?: number
}

/** How long opening a connection may take. */
const OPENING_MS = 5_000
/** A single statement's limit. PgBouncer refuses the server's own limit as a startup parameter. */
const QUERY_TIMEOUT_MS = 10_000

/** `pg` drives the server and the embedded engine alike, so types and error codes are the same. */
export function openDatabase(options: DatabaseOptions): Db {
  const { url, stream, poolSize = 10, onConnect } = options
  const { queryTimeout_ms = QUERY_TIMEOUT_MS, connectionWait_ms: fixed_ms } = options
  const clients = new pg.Pool({
    // The queue admits no more callers than the pool has connections, so this is for opening alone.
    connectionTimeoutMillis: options.firstConnection_ms ?? fixed_ms ?? OPENING_MS,
    query_timeout: queryTimeout_ms,
    types: parsers(),
    ...(url
      ? { connectionString: url, max: poolSize }
      : // It serves one transaction at a time, and forgets no statement that was prepared.
        { stream, ssl: false, max: 1, idleTimeoutMillis: 0 }),
  })
  // A broken connection fails its next query, and that is enough: unheard, it would end the process.
  clients.on('error', () => {})
  clients.on('connect', (client) => {
    client.on('error', () => {})
  })

  clients.once('connect', () => {
    clients.options.connectionTimeoutMillis = fixed_ms ?? OPENING_MS
  })

  const limits = fixed_ms === undefined ? QUEUE_LIMITS : { min_ms: fixed_ms, max_ms: fixed_ms }
  const queue = new ConnectionQueue(clients.options.max, limits)
  const sessions = sessionsOf(clients, { onServer: url !== undefined, onConnect })
  const pool: PostgresPool = {
    async connect() {
      const free = await queue.enter()
      try {
        const session = await sessions()
        session.onRelease = free
        return session
      } catch (error) {
        free('failed')
        throw error
      }
    },
    end: () => clients.end(),
  }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

/** The session of each connection; Kysely knows one by its identity. */
function sessionsOf(
  clients: pg.Pool,
  { onServer, onConnect }: { onServer: boolean; onConnect: DatabaseOptions['onConnect'] },
): () => Promise<Session> {
  const sessions = new WeakMap<pg.PoolClient, Session>()
  const names = new StatementNames()
  return async () => {
    const client = await clients.connect()
    const known = sessions.get(client)
    if (known) return known
    try {
      const session = onServer ? await openServerSession(client, names) : new Session(client, names)
      sessions.set(client, session)
      onConnect?.(client)
      return session
    } catch (error) {
      client.release(true)
      throw error
    }
  }
}

const ATTEMPTS_MAX = 5
/** A serialization failure and a deadlock: nothing was written, and the next try may win. */
const LOST_A_RACE = ['40001', '40P01']

/** Joins the caller's transaction if `db` is one, else makes its own, anew where it lost a race. */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db as Tx)

  for (let attempt = 1; ; attempt++) {
    let hooks: Hooks = []
    try {
      const result = await db.transaction().execute((tx) => {
        hooks = []
        hooksOf.set(tx, hooks)
        return work(tx)
      })
      for (const hook of hooks) hook()
      return result
    } catch (error) {
      const lostARace = LOST_A_RACE.includes((error as { code?: string }).code ?? '')
      if (!lostARace || attempt === ATTEMPTS_MAX) {
        await runAfterRollback(db, error)
        throw error
      }
      await pause(Math.random() * 20 * attempt)
    }
  }
}

/** A transaction that reads whole tables, and that nobody waits for at a counter: 10 minutes a statement. */
export const atLeisure = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  inTransaction(db, async (tx) => {
    await sql.raw(AT_LEISURE).execute(tx)
    return work(tx)
  })

type Hooks = (() => void)[]
const hooksOf = new WeakMap<Tx, Hooks>()

/**
 * Runs something once the transaction is committed, and not at all if it is not. For hints only: a
 * crash in between forgets it.
 */
export function afterCommit(tx: Tx, hook: () => void): void {
  hooksOf.get(tx)?.push(hook)
}

type Aftermath = (db: Db) => Promise<void>
const aftermathOf = new WeakMap<object, Aftermath>()

/** Records something about a failure that outlives it: runs once what the work wrote is undone. */
export function afterRollback(error: object, record: Aftermath): void {
  aftermathOf.set(error, record)
}

/** For those who undo the work themselves, to a savepoint. */
export async function runAfterRollback(db: Db, error: unknown): Promise<void> {
  if (typeof error === 'object' && error !== null) await aftermathOf.get(error)?.(db)
}

/** Throws where the database does not answer. */
export async function ping(db: Db): Promise<void> {
  await db.executeQuery(CompiledQuery.raw('select 1'))
}
