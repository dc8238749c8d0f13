import { afterAll, beforeAll, beforeEach, expect, type TestContext } from 'vitest'
import { openRaceStore, type RealServer, type StoreFixture } from '../concurrency/open-market.ts'
import { ask } from '../database.ts'
import type { Json } from '../harness.ts'
import { call } from '../process/client.ts'
import {
  closePostgres,
  openPostgres,
  postgresOrSkip,
  type RealPostgres,
} from '../process/real-postgres.ts'
import { listenInto, type Plan, plansOf, type Statement } from './plans.ts'
import type { Unavailable } from './server.ts'

/** A shop with long lists on a real PostgreSQL, for the tests of a file. */
export interface BigStore {
  /** The answer to a list of the Store API, and the plans of its statements. */
  look(path: string): Promise<{ json: Json; plans: Plan[] }>
  /**
   * The same of any call, or of those of its statements that match. It is made once before, so that
   * connection and key are warm.
   */
  watch(work: () => Promise<Json>, about?: RegExp): Promise<{ json: Json; plans: Plan[] }>
  /** Another shop in the same database, with nothing in it. */
  openNext(): Promise<RealServer>
}

const FILL_MS = 300_000
/** Statements of the request log, which is written within a second of a call, by the process. */
const BACKGROUND = /\b(?:insert into|delete from) (?:api_call|api_key_use)\b/
/**
 * Not those that open and close a transaction, nor those of authentication: on a slow machine its caches expire,
 * and its counts are saved, during the call.
 */
const OF_THE_LIST =
  /^(?!begin|commit|select set_config|[\s\S]*\b(?:from api_key|update api_key|update store)\b)/

const VACUUMS_MAX = 20

/**
 * Repeats a vacuum until every page is marked as visible to all. A transaction that runs meanwhile keeps it
 * from marking pages, and the planner then prefers other plans.
 */
async function vacuumWhole(url: string, statement: string) {
  for (let tries = 1; tries < VACUUMS_MAX; tries++) {
    const marked = await ask(
      url,
      `select 1 from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
          and reltuples > 1000 and relallvisible < relpages limit 1`,
    )
    if (marked.length === 0) return
    await ask(url, statement)
  }
}

/** `fill` may call the shop, and gives statements that make its lists long. */
export function bigStore(
  fill: (tradepost: RealServer) => Promise<readonly string[]>,
  env: Record<string, string> = {},
): BigStore {
  const statements: Statement[] = []
  let server: RealPostgres | Unavailable
  let raceStore: StoreFixture | undefined
  let tradepost: RealServer | undefined

  beforeAll(async () => {
    server = await openPostgres()
    if ('unavailable' in server) return
    raceStore = await openRaceStore(server, { onConnect: listenInto(statements), env })
    tradepost = await raceStore.openStoreFixture()
    const url = raceStore.app.config.databaseUrl ?? ''
    for (const statement of await fill(tradepost)) {
      await ask(url, statement)
      if (statement.startsWith('vacuum')) await vacuumWhole(url, statement)
    }
  }, FILL_MS)
  afterAll(async () => {
    await raceStore?.close()
    await closePostgres(server)
  })
  beforeEach((context) => {
    postgresOrSkip(context as TestContext, server)
  })

  async function watch(work: () => Promise<Json>, about = /./) {
    await work()
    statements.length = 0
    const json = await work()
    const matching = statements.filter(({ text }) => about.test(text) && !BACKGROUND.test(text))
    return { json, plans: await plansOf(raceStore?.app.config.databaseUrl ?? '', matching) }
  }

  return {
    watch,
    look: (path) =>
      watch(async () => {
        if (!tradepost) throw new Error('The shop did not open.')
        const { status, json } = await call(tradepost.targets[0], 'GET', path)
        expect(status, JSON.stringify(json)).toBe(200)
        return json
      }, OF_THE_LIST),
    async openNext() {
      if (!raceStore) throw new Error('The market did not open.')
      return raceStore.openStoreFixture()
    },
  }
}
