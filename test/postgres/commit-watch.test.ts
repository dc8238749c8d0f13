import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, type TestContext, test } from 'vitest'
import { watchCommits } from '../../src/db/commit-watch.ts'
import { type Db, openDatabase } from '../../src/db/database.ts'
import { createWrites } from '../../src/db/writes.ts'
import { closePostgres, openPostgres, postgresOrSkip } from '../process/real-postgres.ts'

let server: Awaited<ReturnType<typeof openPostgres>>
let db: Db | undefined
let other: Db | undefined

beforeAll(async () => {
  server = await openPostgres()
})
afterAll(async () => {
  await db?.destroy()
  await other?.destroy()
  await closePostgres(server)
})
beforeEach(async (context) => {
  const { url } = postgresOrSkip(context, server)
  db ??= openDatabase({ url })
  other ??= openDatabase({ url })
  await sql`create table if not exists watched (n int not null)`.execute(db)
})

const insert = sql`insert into watched values (1)`
const read: RawBuilder<unknown> = sql`select count(*) from watched`

function open(context: TestContext) {
  if (!db || !other) return context.skip()
  return { other, watch: watchCommits({ db, writes: createWrites() }, true) }
}

/** Looks until nothing changes any more: the server's own processes commit now and then. */
async function waitForCommit(watch: () => Promise<boolean>) {
  while (await watch());
}

test('rows may have changed once, before the first look', async (context) => {
  const { watch } = open(context)
  expect(await watch()).toBe(true)
  await waitForCommit(watch)
})

test('a commit of another process is noticed once', async (context) => {
  const { watch, other } = open(context)
  await waitForCommit(watch)
  await insert.execute(other)
  expect(await watch()).toBe(true)
  await waitForCommit(watch)
})

test('a transaction that was open at one look is noticed when it commits, whatever committed before it', async (context) => {
  const { watch, other } = open(context)
  await other.transaction().execute(async (tx) => {
    await insert.execute(tx)
    await insert.execute(other)
    await waitForCommit(watch)
  })
  expect(await watch()).toBe(true)
})

test('a process that only reads changes nothing', async (context) => {
  const { watch, other } = open(context)
  await waitForCommit(watch)
  // One of several looks is undisturbed by the server's own processes.
  const looks: boolean[] = []
  for (let n = 0; n < 5; n++) {
    await read.execute(other)
    looks.push(await watch())
  }
  expect(looks).toContain(false)
})
