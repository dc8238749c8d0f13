import type { PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { MINUTE_MS } from '../kernel/time.ts'
import { arrayText } from './arrays.ts'
import { isStalePlan } from './failure.ts'
import { type Answer, sendTogether, socketOf } from './send-together.ts'
import type { Writes } from './writes.ts'

/** The settings of each connection; behind a pooler, of each transaction. */
const LIMITS = [
  "statement_timeout = '5s'",
  "lock_timeout = '3s'",
  "idle_in_transaction_session_timeout = '10s'",
]
const BEGIN = 'begin'
const COMMIT = 'commit'
const ROLLBACK = 'rollback'
const BEGIN_WITH_LIMITS = [BEGIN, ...LIMITS.map((limit) => `set local ${limit}`)].join('; ')
/** Sets the limits for the whole session. It must not be used behind a pooler. */
export const SET_SESSION_LIMITS = LIMITS.map((limit) => `set ${limit}`).join('; ')

/**
 * A prepared statement is planned once, and not for the values of each run. PostgreSQL decides this itself by default, but
 * compares the present costs with the average of all earlier runs, so a store that grows would pay for planning thousands
 * of times (decision 67). All other statements are planned for their values.
 */
export const PLAN_ONCE = "set plan_cache_mode = 'force_generic_plan'"
export const PLAN_FOR_VALUES = "set plan_cache_mode = 'auto'"

/** The first line of statements that are never prepared. Statements get it from `REPLANNED` in rows.ts. */
export const REPLAN_COMMENT = '-- replanned at each run\n'

/**
 * The last parameter of a statement that is sent together with the next one of its transaction. `send` in rows.ts adds
 * it, and the session removes it.
 */
export class SentStatement {
  /** The number of rows that the statement has changed, after the answer to the next one. */
  changedCount = 0
}

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

/** The answer of a statement that is sent later. */
const NO_ANSWER: Answer = { command: '', rowCount: null, rows: [] }

interface Held {
  query: pg.QueryConfig
  sent?: SentStatement | undefined
  /** True for a statement of the session itself, whose answer nobody reads. */
  isSetting?: boolean
}

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
  /** True if the `begin` of the transaction was sent. */
  #hasBegun = false
  /** The statements that are sent with the next one: `begin`, and those whose result is not needed at once. */
  #held: Held[] = []
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

  async #send(text: string, values: unknown[]): Promise<Answer> {
    if (text === BEGIN) return this.#begin()
    if (text === COMMIT || text === ROLLBACK) return this.#end(text)
    if (text === LONG_TIMEOUT) this.#hasLongTimeout = true
    const last = values.at(-1)
    const sent = last instanceof SentStatement ? last : undefined
    this.#hold({ query: this.#prepare(text, sent ? values.slice(0, -1) : values), sent })
    return sent ? NO_ANSWER : this.#sendHeld()
  }

  #hold(statement: Held): void {
    const { name, values = [] } = statement.query
    const hasPlanOfValues = this.#names !== undefined && name === undefined && values.length > 0
    if (!hasPlanOfValues) return void this.#held.push(statement)
    const setting = (text: string): Held => ({ query: { text }, isSetting: true })
    // Rolled back with the transaction if the statement fails in one.
    this.#held.push(setting(PLAN_FOR_VALUES), statement, setting(PLAN_ONCE))
  }

  async #begin(): Promise<Answer> {
    this.#hasLongTimeout = false
    this.#isInTransaction = true
    this.#hasBegun = false
    this.#held = [{ query: this.#prepare(BEGIN, []) }]
    return NO_ANSWER
  }

  /** Ends the transaction. The server does not know one of which it got nothing, not even the `begin`. */
  async #end(text: typeof COMMIT | typeof ROLLBACK): Promise<Answer> {
    this.#isInTransaction = false
    // The server rolls back what a closed connection began. An error here would hide the one that closed it.
    if (text === ROLLBACK && this.#isBroken) return NO_ANSWER
    if (text === ROLLBACK || (!this.#hasBegun && this.#held.length === 1)) this.#held = []
    if (!this.#hasBegun && this.#held.length === 0) return NO_ANSWER
    this.#held.push({ query: this.#prepare(text, []) })
    return this.#sendHeld()
  }

  #sendHeld(): Promise<Answer> {
    const statements = this.#held
    this.#held = []
    this.#hasBegun = true
    return this.#sendTogether(statements)
  }

  /** Returns the answer of the last statement. After an error, the server refuses the rest of the transaction. */
  async #sendTogether(statements: readonly Held[]): Promise<Answer> {
    try {
      const queries = statements.map(({ query }) => query)
      const answers = await sendTogether(this.#client, queries)
      this.#recordAnswers(statements, answers)
      return answers[statements.findLastIndex(({ isSetting }) => !isSetting)] ?? NO_ANSWER
    } catch (error) {
      if ((error as { code?: string }).code === DISK_FULL) this.writes?.recordFullDisk()
      this.#isBroken ||= breaksConnection(error as Error & { code?: string })
      // Otherwise the `rollback` that follows would wait for the running statement.
      if (this.#isBroken) socketOf(this.#client).destroy()
      throw error
    }
  }

  #recordAnswers(statements: readonly Held[], answers: readonly Answer[]): void {
    for (const [index, { query, sent }] of statements.entries()) {
      const answer = answers[index] ?? NO_ANSWER
      this.#hasWritten ||= isWrite(query.text, answer)
      if (sent) sent.changedCount = answer.rowCount ?? 0
    }
    if (this.#isInTransaction) return
    const hasCommitted = this.#hasWritten && statements.at(-1)?.query.text !== ROLLBACK
    this.#hasWritten = false
    if (hasCommitted) this.writes?.record()
  }

  #prepare(text: string, parameters: unknown[]): pg.QueryConfig {
    const values = parameters.map(formatValue)
    const timeout = this.#hasLongTimeout && { query_timeout: LONG_TIMEOUT_MS }
    if (!this.#names) return { text: text === BEGIN ? BEGIN_WITH_LIMITS : text, values, ...timeout }
    const number = canPrepare(text, values) ? this.#names.numberOf(text) : undefined
    return {
      text,
      values,
      ...timeout,
      ...(number !== undefined && { name: this.#prefix + number }),
    }
  }
}

/** Returns true if a statement changed rows. A statement that reads may write in its CTEs. */
const isWrite = (text: string, { command, rowCount }: Answer): boolean =>
  command === 'SELECT'
    ? /^\s*(--.*\n\s*)?with\s/.test(text) && /\s(insert into|update|delete from)\s/.test(text)
    : /^(INSERT|UPDATE|DELETE|MERGE)$/.test(command) && (rowCount ?? 0) > 0

/** Several statements in one text, such as the limits of a session, have no parameters and cannot be prepared. */
const canPrepare = (text: string, values: readonly unknown[]): boolean =>
  values.length > 0 || (/^\s*(select|with)\s/.test(text) && !text.includes(';'))

/**
 * Formats lists faster than `pg`, and objects before it does: one that has no JSON throws here, and not while its
 * statement is sent together with the commit.
 */
function formatValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value))
    return arrayText(value) ?? value.map((item) => (Array.isArray(item) ? item : formatValue(item)))
  return ArrayBuffer.isView(value) || value instanceof Date ? value : JSON.stringify(value)
}

/** Opens the session of a new connection, which leads to a server or to a pooler. */
export async function openServerSession(
  client: pg.PoolClient,
  names: StatementNames,
): Promise<Session> {
  if (!(await isDirect(client))) return new Session(client, undefined)
  await client.query(`${SET_SESSION_LIMITS}; ${PLAN_ONCE}`)
  return new Session(client, names)
}

/** Opens the session of a connection to the embedded engine, which has no limits. */
export async function openEmbeddedSession(
  client: pg.PoolClient,
  names: StatementNames,
): Promise<Session> {
  await client.query(PLAN_ONCE)
  return new Session(client, names)
}

/** Returns false behind a pooler: it reports another process number, because it forwards cancel requests. */
async function isDirect(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid === (client as unknown as { processID: number }).processID
}

/**
 * Returns true for a statement that is never prepared: one that begins with `REPLANNED`, and one whose limit is a parameter.
 * Without its value, the planner would expect a tenth of all rows, and read a whole table for a page of it.
 */
export const isPlannedForValues = (text: string): boolean =>
  text.startsWith(REPLAN_COMMENT) || /\blimit \$\d/.test(text)

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
    if (isPlannedForValues(text)) return undefined
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
 * state. A server that became a read-only standby has a successor, to which a new connection leads.
 */
const breaksConnection = (error: Error & { code?: string }) =>
  error.message === 'Query read timeout' || error.code === '25006' || isStalePlan(error)
