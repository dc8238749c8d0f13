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
import { ConnectionQueue, type PoolState } from './connection-queue.ts'
import { parsers } from './parsers.ts'
import { QUEUE_LIMITS } from './queue.rules.ts'
import {
  LONG_TIMEOUT,
  openEmbeddedSession,
  openServerSession,
  type Session,
  StatementNames,
  type WriteRecorder,
} from './session.ts'
import type { Tables } from './tables.gen.ts'

/** A database or a transaction, for reads and for single writes. */
export type Db = Kysely<Tables>
/**
 * A transaction, for writes that belong together. Only `inTransaction` creates one, so an argument of
 * this type is always in a transaction.
 */
export type Tx = Transaction<Tables>
export type { PoolState }
/** A part of an SQL statement. */
export type Expression = RawBuilder<unknown>

/** The socket that `pg` uses; the embedded engine provides one. */
type Socket = NonNullable<pg.ClientConfig['stream']>

export interface DatabaseOptions {
  /** The URL of a server. */
  url?: string
  /** The source of connections to the embedded engine, instead of a URL. */
  stream?: Socket
  poolSize?: number
  /** Called for each new connection, so that tests and metrics can count its statements. */
  onConnect?: (client: pg.PoolClient) => void
  /** Called once with a function that reads the state of the pool, for metrics. */
  watchPool?: (readState: () => PoolState) => void
  /** Records commits that changed rows, and statements for which the disk was full. */
  writes?: WriteRecorder
  /** The timeout of a statement; 10 s if omitted, 0 for none. */
  queryTimeout_ms?: number
  /**
   * The longest wait of a caller for a connection. If omitted, it is 2 to 10 s, depending on the load
   * (decision 132).
   */
  connectionWait_ms?: number
  /** The longer timeout of the first connection, while the database starts. */
  firstConnection_ms?: number
}

/** The timeout for opening a connection. */
const OPENING_MS = 5_000
/**
 * The timeout of a statement. PgBouncer refuses the server's own timeout as a startup parameter.
 */
const QUERY_TIMEOUT_MS = 10_000

/** Opens a server or the embedded engine. Both use `pg`, so their types and error codes are equal. */
export function openDatabase(options: DatabaseOptions): Db {
  const { url, stream, poolSize = 10, onConnect, writes } = options
  const { queryTimeout_ms = QUERY_TIMEOUT_MS, connectionWait_ms: fixedWait_ms } = options
  const clients = new pg.Pool({
    // The queue admits no more callers than the pool has connections, so this covers opening only.
    connectionTimeoutMillis: options.firstConnection_ms ?? fixedWait_ms ?? OPENING_MS,
    query_timeout: queryTimeout_ms,
    types: parsers(),
    pipeline: true,
    ...(url
      ? { connectionString: url, max: poolSize }
      : // The engine runs one transaction at a time, and keeps prepared statements in its session.
        { stream, ssl: false, max: 1, idleTimeoutMillis: 0 }),
  })
  // A broken connection fails its next query; without a listener, the event would end the process.
  clients.on('error', () => {})
  clients.on('connect', (client) => {
    client.on('error', () => {})
  })

  clients.once('connect', () => {
    clients.options.connectionTimeoutMillis = fixedWait_ms ?? OPENING_MS
  })

  const limits =
    fixedWait_ms === undefined ? QUEUE_LIMITS : { min_ms: fixedWait_ms, max_ms: fixedWait_ms }
  const queue = new ConnectionQueue(clients.options.max, limits)
  options.watchPool?.(() => queue.state)
  const openSession = sessionOpener(clients, { isServer: url !== undefined, onConnect, writes })
  const pool: PostgresPool = {
    async connect() {
      const release = await queue.enter()
      try {
        const session = await openSession()
        session.onRelease = release
        return session
      } catch (error) {
        release('failed')
        throw error
      }
    },
    end: () => clients.end(),
  }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

/** Returns a function that opens the session of a connection. Kysely compares sessions by identity. */
function sessionOpener(
  clients: pg.Pool,
  {
    isServer,
    onConnect,
    writes,
  }: { isServer: boolean } & Pick<DatabaseOptions, 'onConnect' | 'writes'>,
): () => Promise<Session> {
  const sessions = new WeakMap<pg.PoolClient, Session>()
  const names = new StatementNames()
  const open = isServer ? openServerSession : openEmbeddedSession
  return async () => {
    const client = await clients.connect()
    const existingSession = sessions.get(client)
    if (existingSession) return existingSession
    try {
      const session = await open(client, names)
      session.writes = writes
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
/** The longest pause before the second attempt. It grows with each attempt, and is random so that two transactions part. */
const RETRY_PAUSE_MS = 20
/** The codes of a serialization failure and a deadlock. Nothing was written, and a retry may succeed. */
const RETRYABLE_CODES = ['40001', '40P01']

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
        if (attempt > 1) repeatedTransactions.add(tx)
        return work(tx)
      })
      for (const hook of hooks) hook()
      return result
    } catch (error) {
      const isRetryable = RETRYABLE_CODES.includes((error as { code?: string }).code ?? '')
      if (!isRetryable || attempt === ATTEMPTS_MAX) {
        await runAfterRollback(db, error)
        throw error
      }
      await pause(Math.random() * RETRY_PAUSE_MS * attempt)
    }
  }
}

const repeatedTransactions = new WeakSet<Tx>()

/**
 * Returns true if the transaction is repeated after a serialization failure or deadlock. It locks what it reads, where the
 * first attempt relied on values that rarely change.
 */
export const isRepeated = (tx: Tx): boolean => repeatedTransactions.has(tx)

/** Runs a background transaction that reads whole tables. Each statement may take 10 minutes. */
export const inBackground = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  inTransaction(db, async (tx) => {
    await sql.raw(LONG_TIMEOUT).execute(tx)
    return work(tx)
  })

/** Runs a read-only transaction on one snapshot of all tables. Each statement may take 10 minutes. */
export const inSnapshot = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  inTransaction(db, async (tx) => {
    // PostgreSQL accepts this only as the first statement of a transaction.
    await sql`set transaction isolation level repeatable read, read only`.execute(tx)
    await sql.raw(LONG_TIMEOUT).execute(tx)
    return work(tx)
  })

type Hooks = (() => void)[]
const hooksOf = new WeakMap<Tx, Hooks>()

/**
 * Runs a hook after the commit. It is for hints only, because a crash after the commit loses it.
 */
export function afterCommit(tx: Tx, hook: () => void): void {
  hooksOf.get(tx)?.push(hook)
}

type FailureRecorder = (db: Db) => Promise<void>
const recorderOf = new WeakMap<object, FailureRecorder>()

/** Registers a function that runs after this error has rolled back the transaction, to record the failure. */
export function afterRollback(error: object, record: FailureRecorder): void {
  recorderOf.set(error, record)
}

/** Runs the function for this error. Called by `inTransaction`, and after a rollback to a savepoint. */
export async function runAfterRollback(db: Db, error: unknown): Promise<void> {
  if (typeof error === 'object' && error !== null) await recorderOf.get(error)?.(db)
}

/** Throws if the database does not answer. */
export async function ping(db: Db): Promise<void> {
  await db.executeQuery(CompiledQuery.raw('select 1'))
}
