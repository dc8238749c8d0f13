import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/db/database.ts'
import { openServedDatabase } from '../concurrency/open-served-database.ts'
import { call } from '../process/client.ts'
import { openPostgres, postgresOrSkip } from '../process/real-postgres.ts'

test('a caller waits for a connection longer than 3 s while other callers are served (decision 132)', async (context) => {
  const { url } = postgresOrSkip(context, await openPostgres())
  const db = openDatabase({ url, poolSize: 1 })
  try {
    const calls = Array.from({ length: 60 }, () => sql`select pg_sleep(0.06)`.execute(db))
    const outcomes = await Promise.allSettled(calls)
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
  } finally {
    await db.destroy()
  }
})

test('a call that gets no connection is refused with SERVICE_UNAVAILABLE, which names the number of connections (decision 132)', async (context) => {
  const database = await openServedDatabase(postgresOrSkip(context, await openPostgres()), {
    env: { TRADEPOST_DB_POOL: '2' },
  })
  try {
    const { targets } = await database.openStore()
    expect((await call(targets[0], 'GET', '/products')).status).toBe(200)
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const connections = [0, 1].map(() => database.app.db.connection().execute(() => released))
    const { status, json, headers } = await call(targets[0], 'GET', '/products')
    release()
    await Promise.all(connections)
    expect([status, json.code, headers.get('retry-after')]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      '1',
    ])
    expect(json.error ?? json.message).toMatch(
      /^The database does not answer: none of 2 connections became free in \d+ s\. Repeat the call\.$/,
    )
    expect((await call(targets[0], 'GET', '/products')).status).toBe(200)
  } finally {
    await database.close()
  }
})
