import { afterAll, beforeAll, beforeEach, expect, type TestContext } from 'vitest'
import { storeContextOf } from '../../src/app.ts'
import { selectStoreById } from '../../src/features/installation/stores/index.ts'
import type { StoreContext } from '../../src/store-context.ts'
import {
  openServedDatabase,
  type ServedDatabase,
  type ServedStore,
} from '../concurrency/open-served-database.ts'
import { ask } from '../database.ts'
import type { Json } from '../harness.ts'
import { call } from '../process/client.ts'
import { openPostgres, postgresOrSkip, type RealPostgres } from '../process/real-postgres.ts'
import { type Plan, plansOf, recordStatements, statementsOfCall } from './plans.ts'
import type { Unavailable } from './server.ts'

/** A store with long lists on a PostgreSQL server, which the tests of a file share. */
interface BigStore {
  /** Reads a list of the Store API. Returns the answer and the plans of its statements. */
  explainList(path: string): Promise<{ json: Json; plans: Plan[] }>
  /**
   * Makes any call. Returns its result and the plans of its statements, or of those that match the pattern. The call
   * is made once before, so that connection and key are cached.
   */
  explain(makeCall: () => Promise<Json>, pattern?: RegExp): Promise<{ json: Json; plans: Plan[] }>
  /** Returns the context of the store at the current time. */
  contextNow(): StoreContext
  /** Runs a statement, such as `analyze`. */
  run(statement: string): Promise<unknown>
  /** Opens another empty store in the same database. */
  openNext(): Promise<ServedStore>
}

/**
 * Matches the statements of a list: all except those of a transaction and of authentication, whose caches may expire
 * between two calls.
 */
const LIST_STATEMENT =
  /^(?!begin|commit|select set_config|[\s\S]*\b(?:from|update) "?(?:api_key|store)\b)/

const VACUUMS_MAX = 20

/**
 * Repeats a vacuum until every page is marked as visible to all. A transaction that runs meanwhile prevents the marks
 * of some pages, without which the planner prefers other plans.
 */
async function vacuumCompletely(url: string, statement: string) {
  for (let vacuums = 1; vacuums < VACUUMS_MAX; vacuums++) {
    const unmarkedTables = await ask(
      url,
      `select 1 from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
          and reltuples > 1000 and relallvisible < relpages limit 1`,
    )
    if (unmarkedTables.length === 0) return
    await ask(url, statement)
  }
}

/** Opens the store before the tests of a file. `fill` may call the store, and returns statements that are run. */
export function bigStore(
  fill: (store: ServedStore) => Promise<readonly string[]>,
  env: Record<string, string> = {},
): BigStore {
  let server: RealPostgres | Unavailable
  let installation: ServedDatabase | undefined
  let store: ServedStore | undefined
  let storeRow: Awaited<ReturnType<typeof selectStoreById>>

  beforeAll(async () => {
    server = await openPostgres()
    if ('unavailable' in server) return
    installation = await openServedDatabase(server, {
      onConnect: recordStatements,
      env,
    })
    store = await installation.openStore()
    storeRow = await selectStoreById(store.app.db, store.storeId)
    const url = installation.app.config.databaseUrl ?? ''
    for (const statement of await fill(store)) {
      await ask(url, statement)
      if (statement.startsWith('vacuum')) await vacuumCompletely(url, statement)
    }
  })
  afterAll(() => installation?.close())
  beforeEach((context) => {
    postgresOrSkip(context as TestContext, server)
  })

  async function explain(makeCall: () => Promise<Json>, pattern = /./) {
    await makeCall()
    const { result: json, statements } = await statementsOfCall(makeCall)
    const matching = statements.filter(({ text }) => pattern.test(text))
    return { json, plans: await plansOf(installation?.app.config.databaseUrl ?? '', matching) }
  }

  return {
    explain,
    explainList: (path) =>
      explain(async () => {
        if (!store) throw new Error('The store was not opened.')
        const { status, json } = await call(store.targets[0], 'GET', path)
        expect(status, JSON.stringify(json)).toBe(200)
        return json
      }, LIST_STATEMENT),
    contextNow() {
      if (!installation || !storeRow) throw new Error('The store was not opened.')
      return storeContextOf(installation.app, storeRow)
    },
    run: (statement) => ask(installation?.app.config.databaseUrl ?? '', statement),
    async openNext() {
      if (!installation) throw new Error('The installation was not opened.')
      return installation.openStore()
    },
  }
}
