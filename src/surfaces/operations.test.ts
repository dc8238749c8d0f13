import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTradepost, type Tradepost } from '../../test/harness.ts'
import { freeBytesOf } from '../db/embedded/free-bytes.ts'
import { openSurfaces } from './server.ts'
import { openAuthentication } from './store-authentication.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const MIB = 1024 * 1024
const DISK_FULL = {
  success: false,
  code: 'SERVICE_UNAVAILABLE',
  error:
    'The disk of the database is full, so nothing can be written. Free some space; the process then continues.',
}

test('a process is not ready while the disk of its embedded database has less than 16 MiB', async () => {
  let free_bytes = 16 * MIB
  const server = await openSurfaces(tradepost.app, openAuthentication(tradepost.app), {
    version: '0',
    storeApiUrl: 'http://127.0.0.1:4100/v1',
    metrics: tradepost.metrics,
    isStopping: () => false,
    freeBytes: async () => free_bytes,
  })
  expect((await server.inject('/readyz')).statusCode).toBe(200)
  free_bytes--
  const answer = await server.inject('/readyz')
  expect([answer.statusCode, answer.json()]).toMatchObject([503, DISK_FULL])
  expect((await server.inject('/healthz')).statusCode).toBe(200)
  await server.close()
})

test('a process is not ready after a write for which the disk was full, until a write succeeds', async () => {
  const ready = () => tradepost.server.inject('/readyz')
  await sql`create function disk_full() returns trigger language plpgsql as $$
            begin raise 'No space left on device' using errcode = '53100'; end $$`.execute(
    tradepost.db,
  )
  await sql`create trigger disk_full before insert on product execute function disk_full()`.execute(
    tradepost.db,
  )
  expect((await ready()).statusCode).toBe(200)
  const body = { name: 'Book', price_cents: 100 }
  expect((await tradepost.post('/products', body)).status).toBe(503)
  const answer = await ready()
  expect([answer.statusCode, answer.json()]).toMatchObject([503, DISK_FULL])
  await sql`drop function disk_full cascade`.execute(tradepost.db)
  expect((await tradepost.post('/products', body)).status).toBe(201)
  expect((await ready()).json()).toEqual({ status: 'ready' })
})

test('the free space of a folder is known', async () => {
  expect(await freeBytesOf(tradepost.app.config.dataDir)).toBeGreaterThan(0)
})
