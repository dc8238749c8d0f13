import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { App } from '../../src/app.ts'
import { type Db, inTransaction, openDatabase } from '../../src/db/database.ts'
import { createUseCounter } from '../../src/features/installation/request-log/use-counter.ts'
import { createQuotaMeter, selectStoreById } from '../../src/features/installation/stores/index.ts'
import { addUsage } from '../../src/features/installation/stores/queries.ts'
import { createUsageLog, type UsageKind } from '../../src/features/licensing/sessions/index.ts'
import { holdTransaction, untilWaiting } from './lock-waits.ts'
import { openSeller } from './open-seller.ts'
import { sharedDatabase } from './shared-database.ts'

// Each process adds its counts of uses every second, for many records in one statement.

const database = sharedDatabase()

/** Adds uses with a plan as for large tables, which reads the records in the sequence of the uses. */
const withIndexPlan = (db: Db, addUses: (db: Db) => Promise<unknown>) =>
  inTransaction(db, async (tx) => {
    for (const name of ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) {
      await sql`set local ${sql.ref(name)} = off`.execute(tx)
    }
    await addUses(tx)
  })

/** Two processes add the uses of two records. The second one begins with the second record. */
async function expectNoDeadlock(
  server: App,
  table: string,
  ids: readonly number[],
  addUses: (db: Db, ids: readonly number[]) => Promise<unknown>,
) {
  const release = await holdTransaction(
    server,
    `select from ${table} where id = ${Math.min(...ids)} for update`,
  )
  const first = withIndexPlan(server.db, (db) => addUses(db, ids))
  await untilWaiting(server, 1)
  const second = withIndexPlan(server.db, (db) => addUses(db, ids.toReversed()))
  await untilWaiting(server, 2)
  await release()
  await Promise.all([first, second])
  await database.expectNoFaults()
}

test.for<[table: string, kind: UsageKind, path: string, field: string]>([
  ['license_key', 'license_key', '/keys', 'keys'],
  ['serverside_string', 'string', '/serverside-strings', 'serverside_string'],
])(
  'two processes that add uses of the same rows of %s do not deadlock',
  async ([table, kind, path, field], context) => {
    const { send, server, storeId } = await openSeller(database, context)
    const ids: number[] = []
    for (const name of ['one', 'two']) {
      const body = table === 'license_key' ? {} : { name, value: 'v' }
      const record = (await send('POST', path, body)).json[field]
      ids.push((Array.isArray(record) ? record[0] : record).id)
    }
    await expectNoDeadlock(server, table, ids, async (db, sequence) => {
      const log = createUsageLog()
      const at = new Date().toISOString()
      for (const id of sequence) log.add(kind, { store_id: storeId, id, at })
      await log.flush(db)
    })
  },
)

test('two processes that add calls of the same stores do not deadlock', async (context) => {
  const { app, storeId } = await database.openStore(context)
  const other = await database.openStore(context)
  await expectNoDeadlock(app, 'store', [storeId, other.storeId], (db, ids) =>
    addUsage(
      db,
      '2026-01',
      ids.map((store_id) => ({ store_id, calls: 1 })),
    ),
  )
  expect(storeId).toBeLessThan(other.storeId)
})

/** Runs work with a database whose connection breaks after its next write was committed. */
async function withBrokenCommit(server: App, work: (db: Db) => Promise<unknown>): Promise<void> {
  const db = openDatabase({
    url: server.config.databaseUrl,
    onConnect(client) {
      const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
      client.query = (async (statement: string | { text: string }, ...rest: unknown[]) => {
        const answer = await query(statement, ...rest)
        if (!/insert into|update/.test(typeof statement === 'string' ? statement : statement.text))
          return answer
        throw new Error('Connection terminated unexpectedly')
      }) as typeof client.query
    },
  })
  try {
    await expect(work(db)).rejects.toThrow('Connection terminated unexpectedly')
  } finally {
    await db.destroy()
  }
}

test('calls of a month whose commit was not confirmed are counted once', async (context) => {
  const { app, storeId } = await database.openStore(context)
  const row = await selectStoreById(app.db, storeId)
  if (!row) throw new Error('No such store.')
  const meter = createQuotaMeter()
  const now = app.clock.now()
  meter.count(row, now)
  await withBrokenCommit(app, (db) => meter.flush(db))
  meter.count(row, now)
  await meter.flush(app.db)
  expect(await selectStoreById(app.db, storeId)).toMatchObject({ quota_used: 2 })
  expect(meter.used(row, now)).toBe(2)
})

test('uses of an API key whose commit was not confirmed are counted once', async (context) => {
  const { app, storeId } = await database.openStore(context)
  const call = {
    ...{ store_id: storeId, api_key_id: 1, answered_ms: app.clock.now(), status: 200 },
    endpoint: { id: 'orders.get', permission: 'orders:read' },
  } as Parameters<ReturnType<typeof createUseCounter>['count']>[0]
  const counted = { db: app.db }
  const uses = createUseCounter(counted)
  uses.count(call)
  await withBrokenCommit(app, (db) => {
    counted.db = db
    return uses.write()
  })
  counted.db = app.db
  await uses.write()
  const { rows } = await sql`
    select calls from api_key_use where store_id = ${storeId}`.execute(app.db)
  expect(rows).toEqual([{ calls: 1 }])
})

test('reads of a string whose commit was not confirmed are counted once', async (context) => {
  const { send, server, storeId } = await openSeller(database, context)
  const { serverside_string } = (
    await send('POST', '/serverside-strings', { name: 'one', value: 'v' })
  ).json
  const log = createUsageLog()
  const use = { store_id: storeId, id: serverside_string.id, at: new Date().toISOString() }
  log.add('string', use)
  await withBrokenCommit(server, (db) => log.flush(db))
  log.add('string', use)
  await log.flush(server.db)
  const { rows } = await sql`
    select fetch_count from serverside_string where id = ${serverside_string.id}`.execute(server.db)
  expect(rows).toEqual([{ fetch_count: 2 }])
})
