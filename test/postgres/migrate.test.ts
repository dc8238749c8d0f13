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
import {
  closePostgres,
  freshDatabase,
  openPostgres,
  postgresOrSkip,
} from '../process/real-postgres.ts'
import { startPgBouncer } from './pgbouncer.ts'

const TABLE = 'create table thing (id bigint primary key, name text not null);'
const COLUMN = 'alter table thing add column note text;'
const INDEX = `-- outside a transaction
-- Finds things by name.
create unique index concurrently if not exists thing_name on thing (name);
`

interface Scene {
  db: Db
  url: string
  /** Migrates with these files in addition to the earlier ones. */
  run(
    files: Record<string, string>,
    options?: MigrateOptions & { db?: Db },
  ): ReturnType<typeof migrate>
  /** A session that holds a lock on `thing` until it is ended. */
  hold(statement?: string): Promise<pg.Client>
}

test('a migration waits for a lock in short turns, and is applied once it is free (decision 232)', async (context) => {
  await withScene(context, async ({ url, run, hold }) => {
    await run({ '0001-table.sql': TABLE })
    const holder = await hold()
    const waits: LockWait[] = []
    let resolveWait = () => {}
    const twice = new Promise<void>((resolve) => (resolveWait = resolve))
    const migrating = run(
      { '0002-column.sql': COLUMN },
      { onWait: (wait) => void (waits.push(wait) === 2 && resolveWait()) },
    )
    await twice
    // Other calls are let through between two turns, though the lock is still wanted.
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

test('a lock that is never granted is given up, and the message names its holder (decision 232)', async (context) => {
  await withScene(context, async ({ run, hold }) => {
    await run({ '0001-table.sql': TABLE })
    const holder = await hold()
    const refused = run({ '0002-column.sql': COLUMN }, { patience_ms: 1 })
    await expect(refused).rejects.toThrow(
      /0002-column\.sql could not lock what it changes.*\n.*process \d+ \(idle in transaction/,
    )
    await holder.end()
    expect(await run({ '0002-column.sql': COLUMN })).toMatchObject({ from: 1, to: 2 })
  })
})

test('a failed migration leaves those before it applied (decision 232)', async (context) => {
  await withScene(context, async ({ run }) => {
    const files = { '0001-table.sql': TABLE, '0002-column.sql': 'alter table no_such add x int;' }
    await expect(run(files)).rejects.toThrow('no_such')
    expect(await run({ '0002-column.sql': COLUMN })).toMatchObject({ from: 1, to: 2 })
  })
})

test('processes that start at once apply each migration once (decision 232)', async (context) => {
  await withScene(context, async ({ url, run }) => {
    const files = { '0001-table.sql': TABLE, '0002-column.sql': COLUMN, '0003-index.sql': INDEX }
    const others = [0, 1].map(() => openDatabase({ url, poolSize: 1, queryTimeout_ms: 0 }))
    try {
      await run(files)
      await ask(url, 'drop table thing, migration')
      const runs = await Promise.all(others.map((db) => run({}, { db })))
      expect(runs.map(({ to }) => to)).toEqual([3, 3])
      expect(await indexes(url)).toEqual([{ valid: true }])
    } finally {
      await Promise.all(others.map((db) => db.destroy()))
    }
  })
})

test('an index that an interrupted build left invalid is built anew by the next run (decision 232)', async (context) => {
  await withScene(context, async ({ url, run }) => {
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
  await withScene(context, async ({ url, run, hold }) => {
    await run({ '0001-table.sql': TABLE })
    const writer = await hold(`insert into thing values (1, 'a')`)
    const building = run({ '0002-index.sql': INDEX })
    const phase = `select 1 from pg_stat_progress_create_index`
    while ((await ask(url, phase)).length === 0) await new Promise((again) => setTimeout(again, 20))
    await ask(url, `insert into thing values (2, 'b')`)
    await writer.query('commit')
    await writer.end()
    expect((await building).applied).toEqual(['0002-index.sql'])
    expect(await indexes(url)).toEqual([{ valid: true }])
  })
})

test('limits of the session are as before once an index was built (decision 232)', async (context) => {
  await withScene(context, async ({ db, run }) => {
    await run({ '0001-table.sql': TABLE, '0002-index.sql': INDEX })
    const limits = sql`select current_setting('statement_timeout') as s, current_setting('lock_timeout') as l`
    expect((await limits.execute(db)).rows).toEqual([{ s: '5s', l: '3s' }])
  })
})

test('an index is built through PgBouncer too (decision 232)', async (context) => {
  await withScene(context, async ({ url, run }) => {
    const bouncer = await startPgBouncer(url)
    if ('unavailable' in bouncer) {
      if (process.env.CI) throw new Error(bouncer.unavailable)
      return context.skip(bouncer.unavailable)
    }
    const through = new URL(bouncer.url)
    through.pathname = new URL(url).pathname
    const db = openDatabase({ url: through.href, poolSize: 1, queryTimeout_ms: 0 })
    try {
      await run({ '0001-table.sql': TABLE, '0002-index.sql': INDEX }, { db })
      expect(await indexes(url)).toEqual([{ valid: true }])
    } finally {
      await db.destroy()
      await bouncer.close()
    }
  })
})

test('outside a transaction a migration may only build indexes (decision 232)', async (context) => {
  await withScene(context, async ({ run }) => {
    const text = `-- outside a transaction\nalter table thing add x int;`
    await expect(run({ '0001-table.sql': text })).rejects.toThrow(
      '0001-table.sql: outside a transaction write only "create index concurrently',
    )
  })
})

const indexes = (url: string) =>
  ask(url, `select indisvalid as valid from pg_index where indexrelid = to_regclass('thing_name')`)

async function withScene(context: TestContext, work: (scene: Scene) => Promise<void>) {
  const server = await openPostgres()
  try {
    const database = await freshDatabase(postgresOrSkip(context, server))
    const path = await mkdtemp(join(tmpdir(), 'tradepost-migrations-'))
    const folder = pathToFileURL(`${path}/`)
    const own = openDatabase({ url: database.url, poolSize: 1, queryTimeout_ms: 0 })
    try {
      await work({
        db: own,
        url: database.url,
        async run(files, { db = own, ...options }: MigrateOptions & { db?: Db } = {}) {
          for (const [name, text] of Object.entries(files)) {
            await writeFile(new URL(name, folder), text)
          }
          return migrate(db, { folder, ...options })
        },
        async hold(statement = 'select * from thing') {
          const client = new pg.Client(database.url)
          client.on('error', () => {})
          await client.connect()
          await client.query('begin')
          await client.query(statement)
          return client
        },
      })
    } finally {
      await own.destroy()
      await rm(path, { recursive: true })
      await database.drop()
    }
  } finally {
    await closePostgres(server)
  }
}
