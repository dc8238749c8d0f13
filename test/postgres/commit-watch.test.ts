import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeEach, expect, type TestContext, test } from 'vitest'
import { watchCommits } from '../../src/db/commit-watch.ts'
import { type Db, openDatabase } from '../../src/db/database.ts'
import { createWrites } from '../../src/db/writes.ts'
import { sharedPostgres } from '../process/real-postgres.ts'

const requirePostgres = sharedPostgres()
let db: Db | undefined
let otherProcess: Db | undefined

afterAll(async () => {
  await db?.destroy()
  await otherProcess?.destroy()
})
beforeEach(async (context) => {
  const { url } = requirePostgres(context)
  db ??= openDatabase({ url })
  otherProcess ??= openDatabase({ url })
  await sql`create table if not exists watched (n int not null)`.execute(db)
})

const insert = sql`insert into watched values (1)`
const read: RawBuilder<unknown> = sql`select count(*) from watched`

/** Opens a watch. `mayHaveChanged` returns true if another process may have committed since its last call. */
function openWatch(context: TestContext) {
  if (!db || !otherProcess) return context.skip()
  return { otherProcess, mayHaveChanged: watchCommits({ db, writes: createWrites() }, true) }
}

/** Calls until no change is reported. Several calls may be needed, because PostgreSQL's own processes also commit. */
async function untilUnchanged(mayHaveChanged: () => Promise<boolean>) {
  while (await mayHaveChanged());
}

test('the first check reports that rows may have changed, and a later check reports no change', async (context) => {
  const { mayHaveChanged } = openWatch(context)
  expect(await mayHaveChanged()).toBe(true)
  await untilUnchanged(mayHaveChanged)
})

test('a commit of another process is reported, and a later check reports no change', async (context) => {
  const { mayHaveChanged, otherProcess } = openWatch(context)
  await untilUnchanged(mayHaveChanged)
  await insert.execute(otherProcess)
  expect(await mayHaveChanged()).toBe(true)
  await untilUnchanged(mayHaveChanged)
})

test('a transaction that was open during a check is reported after its commit', async (context) => {
  const { mayHaveChanged, otherProcess } = openWatch(context)
  await otherProcess.transaction().execute(async (tx) => {
    await insert.execute(tx)
    await insert.execute(otherProcess)
    await untilUnchanged(mayHaveChanged)
  })
  expect(await mayHaveChanged()).toBe(true)
})

test('a process that only reads is not reported as a change', async (context) => {
  const { mayHaveChanged, otherProcess } = openWatch(context)
  await untilUnchanged(mayHaveChanged)
  // PostgreSQL's own processes may commit during some of the checks, but hardly during all five.
  const reports: boolean[] = []
  for (let n = 0; n < 5; n++) {
    await read.execute(otherProcess)
    reports.push(await mayHaveChanged())
  }
  expect(reports).toContain(false)
})
