import type { PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { MINUTE_MS } from '../kernel/time.ts'
import { arrayText } from './arrays.ts'
import type { Writes } from './writes.ts'

/** The settings of each connection; behind a pooler, of each transaction. */
const LIMITS = [
  "statement_timeout = '5s'",
  "lock_timeout = '3s'",
  "idle_in_transaction_session_timeout = '10s'",
]
const BEGIN = 'begin'
const BEGIN_WITH_LIMITS = [BEGIN, ...LIMITS.map((limit) => `set local ${limit}`)].join('; ')
/** Sets the limits for the whole session. It must not be used behind a pooler. */
export const SET_SESSION_LIMITS = LIMITS.map((limit) => `set ${limit}`).join('; ')

/**
 * The first line of statements that are never prepared, so that the server plans each run for the present sizes
 * of the tables and the values of the parameters.
 */
const REPLAN_COMMENT = '-- replanned at each run'

/** Raises the statement timeout of a transaction. The client then waits equally long. */
export const LONG_TIMEOUT = "select set_config('statement_timeout', '10min', true)"
const LONG_TIMEOUT_MS = 10 * MINUTE_MS

/** The number of runs of a statement before it is prepared. */
const USES_BEFORE_NAME = 3
/** The maximum number of prepared statements. */
const NAMES_MAX = 300
const TEXTS_MAX = 2_000

/** The SQLSTATE of a statement for which the disk of the database has no space. */
const DISK_FULL = '53100'

export type WriteRecorder = Pick<Writes, 'record' | 'recordFullDisk'>

let sessionCount = 0

/**
 * A connection, as Kysely uses it. Frequent statements are prepared unless the server session is shared:
 * behind a pooler, the next transaction may run in another session, so limits are set in each transaction
 * and no statement is prepared (decision 67).
 */
export class Session implements PostgresPoolClient {
  /** Called when the connection is released. */
  onRelease: (outcome: 'served' | 'failed') => void = () => {}
  /** Records commits that changed rows, and statements for which the disk was full. */
  writes: WriteRecorder | undefined
  #isBroken = false
  #isInTransaction = false
  #hasWritten = false
  #hasLongTimeout = false
  readonly #client: pg.PoolClient
  readonly #names: StatementNames | undefined
  /** The embedded engine has one session for all connections, so statement names must be unique. */
  readonly #prefix = `tp${sessionCount++}_`

  constructor(client: pg.PoolClient, names: StatementNames | undefined) {
    this.#client = client
    this.#names = names
  }

  /** Returns the connection to the pool, or removes it. */
  release() {
    this.#client.release(this.#isBroken)
    this.onRelease(this.#isBroken ? 'failed' : 'served')
  }

  // Kysely declares more overloads of this method than it calls; its cursors are not used.
  query = ((text: string, values: unknown[] = []) => this.#send(text, values)) as never

  async #send(text: string, values: unknown[]) {
    if (text === LONG_TIMEOUT) this.#hasLongTimeout = true
    if (text === BEGIN) this.#hasLongTimeout = false
    const timeout = this.#hasLongTimeout && { query_timeout: LONG_TIMEOUT_MS }
    try {
      const result = await this.#client.query({ ...this.#prepare(text, values), ...timeout })
      this.#recordWrite(text, result)
      return result
    } catch (error) {
      if ((error as { code?: string }).code === DISK_FULL) this.writes?.recordFullDisk()
      this.#isBroken ||= breaksConnection(error as Error & { code?: string })
      // Otherwise the `rollback` that follows would wait for the running statement.
      if (this.#isBroken) socketOf(this.#client).destroy()
      throw error
    }
  }

  #recordWrite(text: string, result: pg.QueryResult): void {
    if (text === BEGIN) this.#isInTransaction = true
    this.#hasWritten ||= isWrite(text, result)
    const isEnd = text === 'commit' || text === 'rollback'
    if (this.#isInTransaction && !isEnd) return
    const hasCommitted = this.#hasWritten && text !== 'rollback'
    this.#isInTransaction = false
    this.#hasWritten = false
    if (hasCommitted) this.writes?.record()
  }

  #prepare(text: string, parameters: unknown[]): pg.QueryConfig {
    const values = parameters.map(formatList)
    if (!this.#names) return { text: text === BEGIN ? BEGIN_WITH_LIMITS : text, values }
    const number = canPrepare(text, values) ? this.#names.numberOf(text) : undefined
    return number === undefined ? { text, values } : { text, values, name: this.#prefix + number }
  }
}

/** Returns true if a statement changed rows. A statement that reads may write in its CTEs. */
const isWrite = (text: string, { command, rowCount }: pg.QueryResult): boolean =>
  command === 'SELECT'
    ? /^\s*(--.*\n\s*)?with\s/.test(text) && /\s(insert into|update|delete from)\s/.test(text)
    : /^(INSERT|UPDATE|DELETE|MERGE)$/.test(command) && (rowCount ?? 0) > 0

/** Several statements in one text, such as the limits of a session, have no parameters and cannot be prepared. */
const canPrepare = (text: string, values: readonly unknown[]): boolean =>
  values.length > 0 || (/^\s*(select|with)\s/.test(text) && !text.includes(';'))

const formatList = (value: unknown): unknown =>
  Array.isArray(value) ? (arrayText(value) ?? value) : value

/** Opens the session of a new connection, which leads to a server or to a pooler. */
export async function openServerSession(
  client: pg.PoolClient,
  names: StatementNames,
): Promise<Session> {
  if (!(await isDirect(client))) return new Session(client, undefined)
  await client.query(SET_SESSION_LIMITS)
  return new Session(client, names)
}

/** Returns false behind a pooler: it reports another process number, because it forwards cancel requests. */
async function isDirect(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid === (client as unknown as { processID: number }).processID
}

/**
 * Numbers the frequent statements. The count is limited, because lists with filters have many texts and a
 * server stores each plan in each of its processes.
 */
export class StatementNames {
  readonly #numbers = new Map<string, number>()
  #uses = new Map<string, number>()

  numberOf(text: string): number | undefined {
    const number = this.#numbers.get(text)
    if (number !== undefined || this.#numbers.size >= NAMES_MAX) return number
    if (text.startsWith(REPLAN_COMMENT)) return undefined
    const uses = (this.#uses.get(text) ?? 0) + 1
    if (this.#uses.size >= TEXTS_MAX) this.#uses = new Map()
    this.#uses.set(text, uses)
    if (uses < USES_BEFORE_NAME) return undefined
    this.#uses.delete(text)
    this.#numbers.set(text, this.#numbers.size)
    return this.#numbers.get(text)
  }
}

/**
 * Returns true if the connection must not be used again. A query that timed out leaves it in an unknown
 * state. A prepared statement that does not match a migrated table would always fail. A server that
 * became a read-only standby has a successor, to which a new connection leads.
 */
const breaksConnection = ({ message, code }: Error & { code?: string }) =>
  message === 'Query read timeout' ||
  code === '25006' ||
  (code === '0A000' && message.startsWith('cached plan'))

const socketOf = (client: pg.PoolClient) =>
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream
