import type { PostgresPoolClient } from 'kysely'
import type pg from 'pg'

/** What a connection is told before it works, and again in each transaction behind a pooler. */
const LIMITS = [
  "statement_timeout = '5s'",
  "lock_timeout = '3s'",
  "idle_in_transaction_session_timeout = '10s'",
]
const BEGIN = 'begin'
const BEGIN_WITH_LIMITS = [BEGIN, ...LIMITS.map((limit) => `set local ${limit}`)].join('; ')
const KEEP_LIMITS = LIMITS.map((limit) => `set ${limit}`).join('; ')

/** A statement that begins so is planned at each run: for tables that are empty now and full later. */
const PLANNED_ANEW = '-- planned anew'

/** How often a text must come before the server keeps its plan, and how many plans it keeps. */
const USES_BEFORE_NAME = 3
const NAMES_MAX = 300
const TEXTS_MAX = 2_000

/**
 * One connection, as Kysely uses it. If it leads straight to a server, the session is ours alone: the
 * limits are set once and frequent statements are prepared. Behind a pooler the next transaction may
 * run in another session, so there limits come with each transaction and nothing is prepared
 * (decision 67).
 */
export class Session implements PostgresPoolClient {
  #spoiled = false
  readonly #client: pg.PoolClient
  readonly #names: StatementNames | undefined

  constructor(client: pg.PoolClient, names: StatementNames | undefined) {
    this.#client = client
    this.#names = names
  }

  /** Back to the pool, or out of it. */
  release() {
    this.#client.release(this.#spoiled)
  }

  // Kysely asks for more shapes of this method than it calls; its cursors are not used here.
  query = ((text: string, values: unknown[] = []) => this.#send(text, values)) as never

  async #send(text: string, values: unknown[]) {
    try {
      return await this.#client.query(this.#prepare(text, values))
    } catch (error) {
      this.#spoiled ||= isSpoiled(error as Error & { code?: string })
      // The `rollback` that follows would wait behind the statement that hangs.
      if (this.#spoiled) socketOf(this.#client).destroy()
      throw error
    }
  }

  #prepare(text: string, values: unknown[]): pg.QueryConfig {
    if (!this.#names) return { text: text === BEGIN ? BEGIN_WITH_LIMITS : text, values }
    const name = values.length > 0 ? this.#names.nameOf(text) : undefined
    return name ? { text, values, name } : { text, values }
  }
}

/** Looks whom a new connection leads to, and makes the session that fits. */
export async function openSession(client: pg.PoolClient, names: StatementNames): Promise<Session> {
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
 * Names for texts that come often. There is an end to them: lists with filters have many texts, and a
 * server keeps each plan in each of its processes.
 */
export class StatementNames {
  readonly #names = new Map<string, string>()
  #uses = new Map<string, number>()

  nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known || this.#names.size >= NAMES_MAX || text.startsWith(PLANNED_ANEW)) return known
    const uses = (this.#uses.get(text) ?? 0) + 1
    if (this.#uses.size >= TEXTS_MAX) this.#uses = new Map()
    this.#uses.set(text, uses)
    if (uses < USES_BEFORE_NAME) return undefined
    const name = `tp_${this.#names.size}`
    this.#names.set(text, name)
    this.#uses.delete(text)
    return name
  }
}

/**
 * A query that timed out leaves its connection in an unknown state, perhaps inside a transaction, and
 * Kysely would give it back to the pool as it is. One whose prepared statement no longer fits a table
 * that was migrated meanwhile would fail for ever.
 */
const isSpoiled = ({ message, code }: Error & { code?: string }) =>
  message === 'Query read timeout' || (code === '0A000' && message.startsWith('cached plan'))

const socketOf = (client: pg.PoolClient) =>
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream
