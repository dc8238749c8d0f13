import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/db/database.ts'
import { openRaceStore } from '../concurrency/open-market.ts'
import { call } from '../process/client.ts'
import { closePostgres, openPostgres, postgresOrSkip } from '../process/real-postgres.ts'

test('callers wait for a connection for as long as others are served (decision 132)', async (context) => {
  const server = await openPostgres()
  try {
    const { url } = postgresOrSkip(context, server)
    const db = openDatabase({ url, poolSize: 1 })
    try {
      const served = Array.from({ length: 60 }, () => sql`select pg_sleep(0.05)`.execute(db))
      const outcomes = await Promise.allSettled(served)
      expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
    } finally {
      await db.destroy()
    }
  } finally {
    await closePostgres(server)
  }
})

test('SERVICE_UNAVAILABLE says that the connections are taken, and by how many calls (decision 132)', async (context) => {
  const server = await openPostgres()
  try {
    const raceStore = await openRaceStore(postgresOrSkip(context, server), {
      env: { TRADEPOST_DB_POOL: '2' },
    })
    try {
      const { targets } = await raceStore.openStoreFixture()
      expect((await call(targets[0], 'GET', '/products')).status).toBe(200)
      let open = () => {}
      const authentication = new Promise<void>((resolve) => (open = resolve))
      const holders = [0, 1].map(() => raceStore.app.db.connection().execute(() => authentication))
      const { status, json, headers } = await call(targets[0], 'GET', '/products')
      open()
      await Promise.all(holders)
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
      await raceStore.close()
    }
  } finally {
    await closePostgres(server)
  }
})
