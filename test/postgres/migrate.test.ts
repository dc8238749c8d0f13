import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, type TestContext, test } from 'vitest'
import { type Db, openDatabase } from '../../src/db/database.ts'
import { type MigrateOptions, migrate } from '../../src/db/migrate.ts'
import type { LockWait } from '../../src/db/migration-locks.ts'
import { ask } from '../database.ts'
import { freshDatabase, openPostgres, postgresOrSkip } from '../process/real-postgres.ts'
import { until } from '../until.ts'
import { startPgBouncer } from './pgbouncer.ts'

const TABLE = 'create table thing (id bigint primary key, name text not null);'
const COLUMN = 'alter table thing add column note text;'
const FUNCTION = 'create or replace function one() returns int language sql as $$ select 1 $$;'
const INDEX = `-- outside a transaction
-- Finds things by name.
create unique index concurrently if not exists thing_name on thing (name);
`

interface Setup {
  db: Db
  url: string
  /** Migrates with these files in addition to the earlier ones. */
  run(
    files: Record<string, string>,
    options?: MigrateOptions & { db?: Db },
  ): ReturnType<typeof migrate>
  /** Opens a session whose transaction has a lock on `thing`, until the session is ended. */
  lockThing(statement?: string): Promise<pg.Client>
}

test('a migration waits for a lock in short attempts, and is applied once the lock is free (decision 232)', async (context) => {
  await withSetup(context, async ({ url, run, lockThing }) => {
    await run({ '0001-table.sql': TABLE })
    const holder = await lockThing()
    const waits: LockWait[] = []
    const migrating = run(
      { '0002-column.sql': COLUMN },
      { onWait: (wait) => void waits.push(wait) },
    )
    await until(() => waits.length >= 2)
    // Other statements run between two attempts to lock the table.
    for (let n = 0; n < 3; n++) await ask(url, 'select count(*) from thing')
    await holder.end()

    expect((await migrating).applied).toEqual(['0002-column.sql'])
    expect(waits[0]).toEqual({
      migration: '0002-column.sql',
      holders: [expect.stringMatching(/^process \d+ \(idle in transaction for \d+ s: thing\)$/)],
    })
    expect(await ask(url, 'select note from thing')).toEqual([])
  })
})

test('a migration whose lock is not granted in time fails, and names the process that has the lock (decision 232)', async (context) => {
  await withSetup(context, async ({ run, lockThing }) => {
    await run({ '0001-table.sql': TABLE })
    const holder = await lockThing()
    const migrating = run({ '0002-column.sql': COLUMN }, { timeout_ms: 1 })
    await expect(migrating).rejects.toThrow(
      /0002-column\.sql could not lock the tables that it changes.*\n.*process \d+ \(idle in transaction/,
    )
    await holder.end()
    expect(await run({ '0002-column.sql': COLUMN })).toMatchObject({ from: 1, to: 2 })
  })
})

test('earlier migrations of the same run stay applied if a later one fails (decision 232)', async (context) => {
  await withSetup(context, async ({ run }) => {
    await run({ '0001-table.sql': TABLE })
    const files = { '0002-column.sql': COLUMN, '0003-column.sql': 'alter table no_such add x int;' }
    await expect(run(files)).rejects.toThrow('no_such')
    const cured = await run({ '0003-column.sql': COLUMN.replace('note', 'more') })
    expect(cured).toMatchObject({ from: 2, to: 3 })
  })
})

test('a new database gets all migrations in one transaction (decision 232)', async (context) => {
  await withSetup(context, async ({ url, run }) => {
    const files = { '0001-table.sql': TABLE, '0002-index.sql': INDEX, '0003-column.sql': COLUMN }
    const broken = 'alter table no_such add x int;'
    await expect(run({ ...files, '0003-column.sql': broken })).rejects.toThrow('no_such')
    expect(await ask(url, `select from pg_class where relname in ('thing', 'migration')`)).toEqual(
      [],
    )

    expect(await run(files)).toEqual({ from: 0, to: 3, applied: Object.keys(files) })
    expect(await indexes(url)).toEqual([{ valid: true }])
    const transactions = `
      select distinct xmin::text as xid from migration
       union select xmin::text from pg_class where relname in ('thing', 'thing_name')`
    expect(await ask(url, transactions)).toHaveLength(1)
  })
})

test.for<[string, string[]]>([
  ['a new database', []],
  ['a database of an earlier version', ['0001-table.sql']],
])(
  'processes that start concurrently on %s apply each migration once (decision 232)',
  async ([, earlier], context) => {
    await withSetup(context, async ({ url, run }) => {
      const files = { '0001-table.sql': TABLE, '0002-column.sql': COLUMN, '0003-index.sql': INDEX }
      for (const name of earlier) await run({ [name]: TABLE })
      const { applied: later } = await run(files, { dryRun: true })
      const processes = [0, 1].map(() => openDatabase({ url, poolSize: 1, queryTimeout_ms: 0 }))
      try {
        const runs = await Promise.all(processes.map((db) => run({}, { db })))
        expect(runs.map(({ to }) => to)).toEqual([3, 3])
        expect(runs.flatMap(({ applied }) => applied).toSorted()).toEqual(later)
        expect(await indexes(url)).toEqual([{ valid: true }])
      } finally {
        await Promise.all(processes.map((db) => db.destroy()))
      }
    })
  },
)

test('a migration whose change of the schema conflicts with a concurrent one is applied afterwards (decision 232)', async (context) => {
  await withSetup(context, async ({ url, run, lockThing }) => {
    await run({ '0001-table.sql': TABLE + FUNCTION })
    const other = await lockThing(FUNCTION)
    const waits: LockWait[] = []
    const migrating = run(
      { '0002-function.sql': FUNCTION },
      { onWait: (wait) => void waits.push(wait) },
    )
    const waiting = `
      select from pg_locks join pg_stat_activity using (pid)
       where not granted and locktype = 'transactionid' and datname = current_database()`
    await until(async () => (await ask(url, waiting)).length > 0)
    // PostgreSQL refuses the waiting change with "tuple concurrently updated".
    await other.query('commit')
    await other.end()

    expect((await migrating).applied).toEqual(['0002-function.sql'])
    expect(waits.length).toBeGreaterThan(0)
  })
})

test('an index left invalid by an interrupted build is built again by the next run (decision 232)', async (context) => {
  await withSetup(context, async ({ url, run }) => {
    await run({ '0001-table.sql': TABLE })
    await ask(url, `insert into thing values (1, 'same'), (2, 'same')`)
    await expect(run({ '0002-index.sql': INDEX })).rejects.toThrow('thing_name')
    expect(await indexes(url)).toEqual([{ valid: false }])

    await ask(url, 'delete from thing where id = 2')
    expect((await run({})).applied).toEqual(['0002-index.sql'])
    expect(await indexes(url)).toEqual([{ valid: true }])
    expect((await run({})).applied).toEqual([])
  })
})

test('an index is built while other sessions write to the table (decision 232)', async (context) => {
  await withSetup(context, async ({ url, run, lockThing }) => {
    await run({ '0001-table.sql': TABLE })
    const writer = await lockThing(`insert into thing values (1, 'a')`)
    const building = run({ '0002-index.sql': INDEX })
    const phase = `select 1 from pg_stat_progress_create_index`
    await until(async () => (await ask(url, phase)).length > 0)
    await ask(url, `insert into thing values (2, 'b')`)
    await writer.query('commit')
    await writer.end()
    expect((await building).applied).toEqual(['0002-index.sql'])
    expect(await indexes(url)).toEqual([{ valid: true }])
  })
})

test('the settings of the session are restored after an index was built (decision 232)', async (context) => {
  await withSetup(context, async ({ db, run }) => {
    await run({ '0001-table.sql': TABLE })
    await run({ '0002-index.sql': INDEX })
    const limits = sql`select current_setting('statement_timeout') as s, current_setting('lock_timeout') as l`
    expect((await limits.execute(db)).rows).toEqual([{ s: '5s', l: '3s' }])
  })
})

test('an index is built through PgBouncer (decision 232)', async (context) => {
  await withSetup(context, async ({ url, run }) => {
    const bouncer = await startPgBouncer(url)
    if ('unavailable' in bouncer) {
      if (process.env.CI) throw new Error(bouncer.unavailable)
      return context.skip(bouncer.unavailable)
    }
    const bouncerUrl = new URL(bouncer.url)
    bouncerUrl.pathname = new URL(url).pathname
    const db = openDatabase({ url: bouncerUrl.href, poolSize: 1, queryTimeout_ms: 0 })
    try {
      await run({ '0001-table.sql': TABLE }, { db })
      await run({ '0002-index.sql': INDEX }, { db })
      expect(await indexes(url)).toEqual([{ valid: true }])
    } finally {
      await db.destroy()
      await bouncer.close()
    }
  })
})

test('a migration outside a transaction that does not only build indexes is refused (decision 232)', async (context) => {
  await withSetup(context, async ({ run }) => {
    const text = `-- outside a transaction\nalter table thing add x int;`
    await expect(run({ '0001-table.sql': text })).rejects.toThrow(
      '0001-table.sql: outside a transaction write only "create index concurrently',
    )
  })
})

const indexes = (url: string) =>
  ask(url, `select indisvalid as valid from pg_index where indexrelid = to_regclass('thing_name')`)

async function withSetup(context: TestContext, work: (setup: Setup) => Promise<void>) {
  const database = await freshDatabase(postgresOrSkip(context, await openPostgres()))
  const path = await mkdtemp(join(tmpdir(), 'tradepost-migrations-'))
  const folder = pathToFileURL(`${path}/`)
  const defaultDb = openDatabase({ url: database.url, poolSize: 1, queryTimeout_ms: 0 })
  try {
    await work({
      db: defaultDb,
      url: database.url,
      async run(files, { db = defaultDb, ...options }: MigrateOptions & { db?: Db } = {}) {
        for (const [name, text] of Object.entries(files)) {
          await writeFile(new URL(name, folder), text)
        }
        return migrate(db, { folder, ...options })
      },
      async lockThing(statement = 'select * from thing') {
        const client = new pg.Client(database.url)
        client.on('error', () => {})
        await client.connect()
        await client.query('begin')
        await client.query(statement)
        return client
      },
    })
  } finally {
    await defaultDb.destroy()
    await rm(path, { recursive: true })
    await database.drop()
  }
}
