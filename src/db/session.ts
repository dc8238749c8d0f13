import type { PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { MINUTE_MS } from '../kernel/time.ts'
import { arrayText } from './arrays.ts'

/** Settings of each connection at its start; behind a pooler, of each transaction. */
const LIMITS = [
  "statement_timeout = '5s'",
  "lock_timeout = '3s'",
  "idle_in_transaction_session_timeout = '10s'",
]
const BEGIN = 'begin'
const BEGIN_WITH_LIMITS = [BEGIN, ...LIMITS.map((limit) => `set local ${limit}`)].join('; ')
/** Sets the limits for the whole session; not for use behind a pooler. */
export const KEEP_LIMITS = LIMITS.map((limit) => `set ${limit}`).join('; ')

/**
 * Statements that begin with this are planned at each run, because their tables are empty first and
 * full later.
 */
const PLANNED_ANEW = '-- planned anew'

/** Raises the statement timeout of a transaction; the client waits equally long. */
export const AT_LEISURE = "select set_config('statement_timeout', '10min', true)"
const LEISURE_MS = 10 * MINUTE_MS

/** How often a statement must run before it is prepared, and how many are prepared. */
const USES_BEFORE_NAME = 3
const NAMES_MAX = 300
const TEXTS_MAX = 2_000

let sessions = 0

/**
 * One connection, as Kysely uses it. Frequent statements are prepared if the server session is not
 * shared. Behind a pooler, the next transaction may run in another session: limits are set in each
 * transaction, and nothing is prepared (decision 67).
 */
export class Session implements PostgresPoolClient {
  /** Called when the connection is released. */
  onRelease: (outcome: 'served' | 'failed') => void = () => {}
  /** Called after a commit that changed rows. */
  onWrite: () => void = () => {}
  #spoiled = false
  #inTransaction = false
  #wrote = false
  #inBackground = false
  readonly #client: pg.PoolClient
  readonly #names: StatementNames | undefined
  /** The embedded engine has one session for all connections, so statement names must be unique. */
  readonly #prefix = `tp${sessions++}_`

  constructor(client: pg.PoolClient, names: StatementNames | undefined) {
    this.#client = client
    this.#names = names
  }

  /** Returns the connection to the pool, or removes it. */
  release() {
    this.#client.release(this.#spoiled)
    this.onRelease(this.#spoiled ? 'failed' : 'served')
  }

  // Kysely declares more overloads of this method than it calls; its cursors are not used.
  query = ((text: string, values: unknown[] = []) => this.#send(text, values)) as never

  async #send(text: string, values: unknown[]) {
    if (text === AT_LEISURE) this.#inBackground = true
    if (text === BEGIN) this.#inBackground = false
    const timeout = this.#inBackground && { query_timeout: LEISURE_MS }
    try {
      const result = await this.#client.query({ ...this.#prepare(text, values), ...timeout })
      this.#noteWrite(text, result)
      return result
    } catch (error) {
      this.#spoiled ||= isSpoiled(error as Error & { code?: string })
      // The `rollback` that follows would wait for the hanging statement.
      if (this.#spoiled) socketOf(this.#client).destroy()
      throw error
    }
  }

  #noteWrite(text: string, result: pg.QueryResult): void {
    if (text === BEGIN) this.#inTransaction = true
    this.#wrote ||= isWrite(text, result)
    const ended = text === 'commit' || text === 'rollback'
    if (this.#inTransaction && !ended) return
    const written = this.#wrote && text !== 'rollback'
    this.#inTransaction = false
    this.#wrote = false
    if (written) this.onWrite()
  }

  #prepare(text: string, parameters: unknown[]): pg.QueryConfig {
    const values = parameters.map(withText)
    if (!this.#names) return { text: text === BEGIN ? BEGIN_WITH_LIMITS : text, values }
    const number = values.length > 0 ? this.#names.numberOf(text) : undefined
    return number === undefined ? { text, values } : { text, values, name: this.#prefix + number }
  }
}

/** A statement whose main part reads may write in its CTEs. */
const isWrite = (text: string, { command, rowCount }: pg.QueryResult): boolean =>
  command === 'SELECT'
    ? /^\s*(--.*\n\s*)?with\s/.test(text) && /\s(insert into|update|delete from)\s/.test(text)
    : /^(INSERT|UPDATE|DELETE|MERGE)$/.test(command) && (rowCount ?? 0) > 0

const withText = (value: unknown): unknown =>
  Array.isArray(value) ? (arrayText(value) ?? value) : value

/**
 * Checks whether a new connection leads to a server or a pooler, and opens the matching session.
 */
export async function openServerSession(
  client: pg.PoolClient,
  names: StatementNames,
): Promise<Session> {
  if (!(await isDirect(client))) return new Session(client, undefined)
  await client.query(KEEP_LIMITS)
  return new Session(client, names)
}

/** A pooler reports a process number of its own, because it must forward cancel requests. */
async function isDirect(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid === (client as unknown as { processID: number }).processID
}

/**
 * Numbers the frequent statements. Their count is limited, because lists with filters have many
 * texts, and a server stores each plan in each of its processes.
 */
export class StatementNames {
  readonly #numbers = new Map<string, number>()
  #uses = new Map<string, number>()

  numberOf(text: string): number | undefined {
    const number = this.#numbers.get(text)
    if (number !== undefined || this.#numbers.size >= NAMES_MAX) return number
    if (text.startsWith(PLANNED_ANEW)) return undefined
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
 * A query that timed out leaves its connection in an unknown state, perhaps inside a transaction,
 * and Kysely would return it to the pool. A prepared statement that does not match its migrated
 * table would fail forever. So would a connection to a server that became a read-only standby; a
 * new connection leads to its successor.
 */
const isSpoiled = ({ message, code }: Error & { code?: string }) =>
  message === 'Query read timeout' ||
  code === '25006' ||
  (code === '0A000' && message.startsWith('cached plan'))

const socketOf = (client: pg.PoolClient) =>
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream
