import type { PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { MINUTE_MS } from '../kernel/time.ts'
import { arrayText } from './arrays.ts'

/** What a connection is told before it works, and again in each transaction behind a pooler. */
const LIMITS = [
  "statement_timeout = '5s'",
  "lock_timeout = '3s'",
  "idle_in_transaction_session_timeout = '10s'",
]
const BEGIN = 'begin'
const BEGIN_WITH_LIMITS = [BEGIN, ...LIMITS.map((limit) => `set local ${limit}`)].join('; ')
/** Sets the limits for the whole session; never behind a pooler. */
export const KEEP_LIMITS = LIMITS.map((limit) => `set ${limit}`).join('; ')

/** A statement that begins so is planned at each run: for tables that are empty now and full later. */
const PLANNED_ANEW = '-- planned anew'

/** A transaction that says this may take its time: the client waits as long as the server does. */
export const AT_LEISURE = "select set_config('statement_timeout', '10min', true)"
const LEISURE_MS = 10 * MINUTE_MS

/** How often a text must come before the server keeps its plan, and how many plans it keeps. */
const USES_BEFORE_NAME = 3
const NAMES_MAX = 300
const TEXTS_MAX = 2_000

let sessions = 0

/**
 * One connection, as Kysely uses it. If nobody else has its session, frequent statements are prepared.
 * Behind a pooler the next transaction may run in another session: there limits come with each
 * transaction, and nothing is prepared (decision 67).
 */
export class Session implements PostgresPoolClient {
  /** Called once the connection is given back. */
  onRelease: (outcome: 'served' | 'failed') => void = () => {}
  #spoiled = false
  #atLeisure = false
  readonly #client: pg.PoolClient
  readonly #names: StatementNames | undefined
  /** The embedded engine has one session for all who ever connect, so no two may use a name. */
  readonly #prefix = `tp${sessions++}_`

  constructor(client: pg.PoolClient, names: StatementNames | undefined) {
    this.#client = client
    this.#names = names
  }

  /** Back to the pool, or out of it. */
  release() {
    this.#client.release(this.#spoiled)
    this.onRelease(this.#spoiled ? 'failed' : 'served')
  }

  // Kysely asks for more shapes of this method than it calls; its cursors are not used here.
  query = ((text: string, values: unknown[] = []) => this.#send(text, values)) as never

  async #send(text: string, values: unknown[]) {
    if (text === AT_LEISURE) this.#atLeisure = true
    if (text === BEGIN) this.#atLeisure = false
    const patience = this.#atLeisure && { query_timeout: LEISURE_MS }
    try {
      return await this.#client.query({ ...this.#prepare(text, values), ...patience })
    } catch (error) {
      this.#spoiled ||= isSpoiled(error as Error & { code?: string })
      // The `rollback` that follows would wait behind the statement that hangs.
      if (this.#spoiled) socketOf(this.#client).destroy()
      throw error
    }
  }

  #prepare(text: string, given: unknown[]): pg.QueryConfig {
    const values = given.map(withText)
    if (!this.#names) return { text: text === BEGIN ? BEGIN_WITH_LIMITS : text, values }
    const number = values.length > 0 ? this.#names.numberOf(text) : undefined
    return number === undefined ? { text, values } : { text, values, name: this.#prefix + number }
  }
}

const withText = (value: unknown): unknown =>
  Array.isArray(value) ? (arrayText(value) ?? value) : value

/** Looks whom a new connection to a server leads to, and makes the session that fits. */
export async function openServerSession(
  client: pg.PoolClient,
  names: StatementNames,
): Promise<Session> {
  if (!(await isDirect(client))) return new Session(client, undefined)
  await client.query(KEEP_LIMITS)
  return new Session(client, names)
}

/** A pooler gives a process number of its own, since it must pass requests to cancel on. */
async function isDirect(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid === (client as unknown as { processID: number }).processID
}

/**
 * Numbers for texts that come often. There is an end to them: lists with filters have many texts, and
 * a server keeps each plan in each of its processes.
 */
export class StatementNames {
  readonly #numbers = new Map<string, number>()
  #uses = new Map<string, number>()

  numberOf(text: string): number | undefined {
    const known = this.#numbers.get(text)
    if (known !== undefined || this.#numbers.size >= NAMES_MAX) return known
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
 * A query that timed out leaves its connection in an unknown state, perhaps inside a transaction, and
 * Kysely would give it back to the pool as it is. One whose prepared statement no longer fits a table
 * that was migrated meanwhile would fail for ever; so would one to a server that became a read-only
 * standby, while a new one is led to the server that took over.
 */
const isSpoiled = ({ message, code }: Error & { code?: string }) =>
  message === 'Query read timeout' ||
  code === '25006' ||
  (code === '0A000' && message.startsWith('cached plan'))

const socketOf = (client: pg.PoolClient) =>
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream
