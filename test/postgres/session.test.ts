import { CompiledQuery } from 'kysely'
import { expect, type TestContext, test } from 'vitest'
import { type Db, inBackground, inTransaction, openDatabase } from '../../src/db/database.ts'
import { REPLAN_COMMENT } from '../../src/db/session.ts'
import { analyzeGrownTables } from '../../src/db/statistics.ts'
import { startPgBouncer } from './pgbouncer.ts'
import { startPostgres, testDatabaseUrl } from './server.ts'

const SELECT_TIMEOUTS = `
  select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
         current_setting('idle_in_transaction_session_timeout') as idle`
const SELECT_PREPARED = `select statement from pg_prepared_statements where name like 'tp_%' order by name`
const TIMEOUTS_OF_CALLS = [{ statement: '5s', lock: '3s', idle: '10s' }]
const TIMEOUTS_OF_BACKGROUND = [{ statement: '10min', lock: '3s', idle: '10s' }]

test('a direct connection prepares frequent statements, and has the timeouts of a call after a background transaction', async (context) => {
  await withServer(context, async (url) => {
    await withDatabase(url, async (db) => {
      for (let n = 0; n < 5; n++) await run(db, 'select $1::int + 1 as sum', n)
      // The sender begins its statements with this comment, so that they are not prepared.
      for (let n = 0; n < 5; n++) await run(db, `${REPLAN_COMMENT}select $1::int + 2 as sum`, n)
      await run(db, 'select $1::int + 3 as sum', 0)
      for (let n = 0; n < 5; n++) await run(db, 'select 4 as sum')
      const prepared = ['select $1::int + 1 as sum', 'select 4 as sum']
      expect(await run(db, SELECT_PREPARED)).toEqual(prepared.map((statement) => ({ statement })))
      expect(await inBackground(db, (tx) => run(tx, SELECT_TIMEOUTS))).toEqual(
        TIMEOUTS_OF_BACKGROUND,
      )
      expect(await run(db, SELECT_TIMEOUTS)).toEqual(TIMEOUTS_OF_CALLS)
    })
  })
})

test('a background transaction runs a statement that exceeds the timeout of a call', async (context) => {
  await withServer(context, async (url) => {
    const db = openDatabase({ url, queryTimeout_ms: 1_000 })
    try {
      const slowStatement = 'select pg_sleep(1.2)::text as slept'
      await expect(run(db, slowStatement)).rejects.toThrow('Query read timeout')
      expect(await inBackground(db, (tx) => run(tx, slowStatement))).toEqual([{ slept: '' }])
      await expect(inTransaction(db, (tx) => run(tx, slowStatement))).rejects.toThrow()
    } finally {
      await db.destroy()
    }
  })
})

test('behind a pooler no statement is prepared, and each transaction sets its timeouts', async (context) => {
  await withServer(context, async (url) => {
    const bouncer = await startPgBouncer(url)
    if ('unavailable' in bouncer) return context.skip(bouncer.unavailable)
    try {
      await withDatabase(bouncer.url, async (db) => {
        for (let n = 0; n < 5; n++) await run(db, 'select $1::int + 1 as sum', n)
        expect(await run(db, SELECT_PREPARED)).toEqual([])
        expect(await run(db, SELECT_TIMEOUTS)).toEqual([{ statement: '0', lock: '0', idle: '0' }])
        expect(await inBackground(db, (tx) => run(tx, SELECT_TIMEOUTS))).toEqual(
          TIMEOUTS_OF_BACKGROUND,
        )
        expect(await inTransaction(db, (tx) => run(tx, SELECT_TIMEOUTS))).toEqual(TIMEOUTS_OF_CALLS)
      })
    } finally {
      await bouncer.close()
    }
  })
})

test('a prepared statement is planned for all values, and any other for its own (decision 67)', async (context) => {
  await withServer(context, async (url) => {
    await withDatabase(url, async (db) => {
      const plans = `select statement, generic_plans::int as generic, custom_plans::int as custom
                       from pg_prepared_statements where name like 'tp_%'`
      const mode = "select current_setting('plan_cache_mode') as mode where $1"
      const statement = 'select $1::int as value'
      for (let n = 0; n < 8; n++) await run(db, statement, n)
      expect(await run(db, plans)).toEqual([{ statement, generic: 6, custom: 0 }])
      expect(await run(db, mode, true)).toEqual([{ mode: 'auto' }])
      expect(await run(db, `${REPLAN_COMMENT}${mode}`, true)).toEqual([{ mode: 'auto' }])
      expect(await run(db, `${mode} limit $2`, true, 1)).toEqual([{ mode: 'auto' }])
      expect(await run(db, "select current_setting('plan_cache_mode') as mode")).toEqual([
        { mode: 'force_generic_plan' },
      ])
      // Also after a statement that failed, in a transaction or not.
      const failing = `${REPLAN_COMMENT}select 1 / $1::int`
      await expect(run(db, failing, 0)).rejects.toThrow('division by zero')
      await expect(inTransaction(db, (tx) => run(tx, failing, 0))).rejects.toThrow(
        'division by zero',
      )
      expect(await run(db, "select current_setting('plan_cache_mode') as mode")).toEqual([
        { mode: 'force_generic_plan' },
      ])
    })
  })
})

test('a prepared statement whose table was migrated fails once and then succeeds', async (context) => {
  await withServer(context, async (url) => {
    await withDatabase(url, async (db) => {
      await run(db, 'create table note as select 1 as id')
      const read = () => run(db, 'select id from note where $1', true)
      for (let n = 0; n < 5; n++) expect(await read()).toEqual([{ id: 1 }])
      await run(db, 'alter table note alter column id type text')
      await expect(read()).rejects.toThrow('cached plan')
      expect(await read()).toEqual([{ id: '1' }])
    })
  })
})

test('a table is analyzed again once its rows have doubled, and not earlier', async (context) => {
  await withServer(context, async (url) => {
    await withDatabase(url, async (db) => {
      const add = (rows: number) =>
        run(
          db,
          'insert into note select n, repeat($2, 100) from generate_series(1, $1::int) n',
          rows,
          'x',
        )
      await run(db, 'create table note (id bigint, text text) with (autovacuum_enabled = off)')
      expect(await analyzeGrownTables(db)).toEqual([])
      await add(2_000)
      expect(await analyzeGrownTables(db)).toEqual(['public.note'])
      await add(1_000)
      expect(await analyzeGrownTables(db)).toEqual([])
      await add(2_000)
      expect(await analyzeGrownTables(db)).toEqual(['public.note'])
      expect(await run(db, `select reltuples from pg_class where relname = 'note'`)).toEqual([
        { reltuples: 5_000 },
      ])
    })
  })
})

test('a table is analyzed with the longer timeout of background work', async (context) => {
  await withServer(context, async (url) => {
    const db = openDatabase({ url, queryTimeout_ms: 1_000 })
    const createFunction = (body: string) => `
      create or replace function identity(n bigint) returns bigint immutable language plpgsql as
      'begin ${body} return n; end'`
    try {
      await run(db, 'create table note (id bigint, text text) with (autovacuum_enabled = off)')
      await run(db, createFunction(''))
      await run(db, 'create index on note (identity(id))')
      await run(db, `insert into note select n, repeat('x', 100) from generate_series(1, 2000) n`)
      // `analyze` calls the function of the index for every row.
      await run(db, createFunction('if n = 1 then perform pg_sleep(1.2); end if;'))
      expect(await analyzeGrownTables(db)).toEqual(['public.note'])
    } finally {
      await db.destroy()
    }
  })
})

async function run(db: Db, text: string, ...values: unknown[]): Promise<unknown[]> {
  return (await db.executeQuery(CompiledQuery.raw(text, values))).rows
}

async function withDatabase(url: string, work: (db: Db) => Promise<void>): Promise<void> {
  const db = openDatabase({ url, poolSize: 1 })
  try {
    await work(db)
  } finally {
    await db.destroy()
  }
}

async function withServer(
  context: TestContext,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const server = await startPostgres()
  if ('unavailable' in server) {
    if (process.env.CI && testDatabaseUrl() === undefined) throw new Error(server.unavailable)
    return context.skip(server.unavailable)
  }
  try {
    await work(server.url)
  } finally {
    await server.close()
  }
}
