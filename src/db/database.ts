import { setTimeout as pause } from 'node:timers/promises'
import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type RawBuilder,
  sql,
  type Transaction,
} from 'kysely'
import pg from 'pg'
import { ConnectionQueue } from './connection-queue.ts'
import { parsers } from './parsers.ts'
import { QUEUE_LIMITS } from './queue.rules.ts'
import { AT_LEISURE, openServerSession, Session, StatementNames } from './session.ts'
import type { Tables } from './tables.gen.ts'

/** For reads, and for single writes. */
export type Db = Kysely<Tables>
/**
 * For writes in one transaction. Only `inTransaction` creates one, so the type proves the
 * transaction.
 */
export type Tx = Transaction<Tables>
/** A piece of SQL that is put into a larger statement. */
export type Expression = RawBuilder<unknown>

/** The socket that `pg` uses; the embedded engine provides one. */
type Socket = NonNullable<pg.ClientConfig['stream']>

export interface DatabaseOptions {
  /** The URL of a server. */
  url?: string
  /** Or the source of connections to the embedded engine. */
  stream?: Socket
  poolSize?: number
  /** Called for each new connection, so that tests and metrics can count its statements. */
  onConnect?: (client: pg.PoolClient) => void
  /** Called after each commit that changed rows. */
  onWrite?: () => void
  /** Migrations may take longer than a request. */
  queryTimeout_ms?: number
  /**
   * How long a caller waits for a connection, regardless of load; by default 2 to 10 s (decision
   * 132).
   */
  connectionWait_ms?: number
  /** The timeout of the first connection, if longer: a starting process waits longer. */
  firstConnection_ms?: number
}

/** The timeout for opening a connection. */
const OPENING_MS = 5_000
/**
 * The timeout of a statement. PgBouncer refuses the server's own timeout as a startup parameter.
 */
const QUERY_TIMEOUT_MS = 10_000

/** `pg` is used for the server and the embedded engine, so types and error codes are the same. */
export function openDatabase(options: DatabaseOptions): Db {
  const { url, stream, poolSize = 10, onConnect, onWrite } = options
  const { queryTimeout_ms = QUERY_TIMEOUT_MS, connectionWait_ms: fixed_ms } = options
  const clients = new pg.Pool({
    // The queue admits no more callers than the pool has connections, so this covers opening only.
    connectionTimeoutMillis: options.firstConnection_ms ?? fixed_ms ?? OPENING_MS,
    query_timeout: queryTimeout_ms,
    types: parsers(),
    ...(url
      ? { connectionString: url, max: poolSize }
      : // It serves one transaction at a time, and forgets no statement that was prepared.
        { stream, ssl: false, max: 1, idleTimeoutMillis: 0 }),
  })
  // A broken connection fails its next query; without a listener, the event would end the process.
  clients.on('error', () => {})
  clients.on('connect', (client) => {
    client.on('error', () => {})
  })

  clients.once('connect', () => {
    clients.options.connectionTimeoutMillis = fixed_ms ?? OPENING_MS
  })

  const limits = fixed_ms === undefined ? QUEUE_LIMITS : { min_ms: fixed_ms, max_ms: fixed_ms }
  const queue = new ConnectionQueue(clients.options.max, limits)
  const sessions = sessionsOf(clients, { onServer: url !== undefined, onConnect, onWrite })
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

/** The session of each connection. Kysely compares sessions by identity. */
function sessionsOf(
  clients: pg.Pool,
  {
    onServer,
    onConnect,
    onWrite,
  }: { onServer: boolean } & Pick<DatabaseOptions, 'onConnect' | 'onWrite'>,
): () => Promise<Session> {
  const sessions = new WeakMap<pg.PoolClient, Session>()
  const names = new StatementNames()
  return async () => {
    const client = await clients.connect()
    const existing = sessions.get(client)
    if (existing) return existing
    try {
      const session = onServer ? await openServerSession(client, names) : new Session(client, names)
      if (onWrite) session.onWrite = onWrite
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
/** Serialization failure and deadlock: nothing was written, and a retry may succeed. */
const LOST_A_RACE = ['40001', '40P01']

/**
 * Joins the caller's transaction if `db` is one; otherwise opens one, and retries it after a
 * serialization failure or deadlock.
 */
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

/** For background transactions that read whole tables: 10 minutes a statement. */
export const inBackground = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  inTransaction(db, async (tx) => {
    await sql.raw(AT_LEISURE).execute(tx)
    return work(tx)
  })

/** For reading many tables as they are at one moment: 10 minutes a statement, and nothing is written. */
export const inSnapshot = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  inTransaction(db, async (tx) => {
    // Must be the first statement of the transaction.
    await sql`set transaction isolation level repeatable read, read only`.execute(tx)
    await sql.raw(AT_LEISURE).execute(tx)
    return work(tx)
  })

type Hooks = (() => void)[]
const hooksOf = new WeakMap<Tx, Hooks>()

/**
 * Runs a hook after the commit, never after a rollback. For hints only, because a crash in between
 * loses it.
 */
export function afterCommit(tx: Tx, hook: () => void): void {
  hooksOf.get(tx)?.push(hook)
}

type Aftermath = (db: Db) => Promise<void>
const aftermathOf = new WeakMap<object, Aftermath>()

/** Runs once after a rollback, to record something about the failure that outlives it. */
export function afterRollback(error: object, record: Aftermath): void {
  aftermathOf.set(error, record)
}

/** For callers that roll back to a savepoint themselves. */
export async function runAfterRollback(db: Db, error: unknown): Promise<void> {
  if (typeof error === 'object' && error !== null) await aftermathOf.get(error)?.(db)
}

/** Throws if the database does not answer. */
export async function ping(db: Db): Promise<void> {
  await db.executeQuery(CompiledQuery.raw('select 1'))
}
