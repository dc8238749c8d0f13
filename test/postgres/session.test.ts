import { CompiledQuery } from 'kysely'
import { expect, type TestContext, test } from 'vitest'
import { type Db, inBackground, inTransaction, openDatabase } from '../../src/db/database.ts'
import { analyzeGrown } from '../../src/db/statistics.ts'
import { startPgBouncer } from './pgbouncer.ts'
import { startPostgres, testDatabaseUrl } from './server.ts'

const LIMITS = `
  select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
         current_setting('idle_in_transaction_session_timeout') as idle`
const PREPARED = `select statement from pg_prepared_statements where name like 'tp_%'`
const LIMITED = [{ statement: '5s', lock: '3s', idle: '10s' }]
const AT_LEISURE = [{ statement: '10min', lock: '3s', idle: '10s' }]

test('a direct connection prepares frequent statements, and keeps its limits', async (context) => {
  await withServer(context, async (url) => {
    await withDatabase(url, async (db) => {
      for (let n = 0; n < 5; n++) await run(db, 'select $1::int + 1 as sum', n)
      for (let n = 0; n < 5; n++) await run(db, '-- planned anew\nselect $1::int + 2 as sum', n)
      await run(db, 'select $1::int + 3 as sum', 0)
      expect(await run(db, PREPARED)).toEqual([{ statement: 'select $1::int + 1 as sum' }])
      expect(await inBackground(db, (tx) => run(tx, LIMITS))).toEqual(AT_LEISURE)
      expect(await run(db, LIMITS)).toEqual(LIMITED)
    })
  })
})

test('a transaction at leisure is waited for longer than a call', async (context) => {
  await withServer(context, async (url) => {
    const db = openDatabase({ url, queryTimeout_ms: 200 })
    try {
      const slow = 'select pg_sleep(0.4)::text as slept'
      await expect(run(db, slow)).rejects.toThrow('Query read timeout')
      expect(await inBackground(db, (tx) => run(tx, slow))).toEqual([{ slept: '' }])
      await expect(inTransaction(db, (tx) => run(tx, slow))).rejects.toThrow()
    } finally {
      await db.destroy()
    }
  })
})

test('behind a pooler nothing is prepared, and limits come with each transaction', async (context) => {
  await withServer(context, async (url) => {
    const bouncer = await startPgBouncer(url)
    if ('unavailable' in bouncer) return context.skip(bouncer.unavailable)
    try {
      await withDatabase(bouncer.url, async (db) => {
        for (let n = 0; n < 5; n++) await run(db, 'select $1::int + 1 as sum', n)
        expect(await run(db, PREPARED)).toEqual([])
        expect(await run(db, LIMITS)).toEqual([{ statement: '0', lock: '0', idle: '0' }])
        expect(await inBackground(db, (tx) => run(tx, LIMITS))).toEqual(AT_LEISURE)
        expect(await inTransaction(db, (tx) => run(tx, LIMITS))).toEqual(LIMITED)
      })
    } finally {
      await bouncer.close()
    }
  })
})

test('a prepared statement whose table was migrated fails once, then works again', async (context) => {
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

test('a table is counted anew when it has doubled, and not before', async (context) => {
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
      expect(await analyzeGrown(db)).toEqual([])
      await add(2_000)
      expect(await analyzeGrown(db)).toEqual(['public.note'])
      await add(1_000)
      expect(await analyzeGrown(db)).toEqual([])
      await add(2_000)
      expect(await analyzeGrown(db)).toEqual(['public.note'])
      expect(await run(db, `select reltuples from pg_class where relname = 'note'`)).toEqual([
        { reltuples: 5_000 },
      ])
    })
  })
})

test('a table is counted at leisure: for longer than a call may take', async (context) => {
  await withServer(context, async (url) => {
    const db = openDatabase({ url, queryTimeout_ms: 200 })
    const same = (body: string) => `
      create or replace function same(n bigint) returns bigint immutable language plpgsql as
      'begin ${body} return n; end'`
    try {
      await run(db, 'create table note (id bigint, text text) with (autovacuum_enabled = off)')
      await run(db, same(''))
      await run(db, 'create index on note (same(id))')
      await run(db, `insert into note select n, repeat('x', 100) from generate_series(1, 2000) n`)
      // Counting looks at the index of every row.
      await run(db, same('if n = 1 then perform pg_sleep(0.4); end if;'))
      expect(await analyzeGrown(db)).toEqual(['public.note'])
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
