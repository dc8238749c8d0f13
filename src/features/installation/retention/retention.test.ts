import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addKeys, order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { openReceiver } from '../../../../test/receiver.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../kernel/time.ts'
import { sendAlertsJob } from '../../store/stock/index.ts'
import { clockCommands } from '../clock/index.ts'
import { retentionJobs } from './index.ts'
import { RETENTIONS } from './retentions.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const YEAR_MS = 365 * DAY_MS

async function runJobs(): Promise<void> {
  for (const job of retentionJobs) while (await job.run(tradepost.app));
}

const countRows = async (table: string, where = 'true'): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} t where ${sql.raw(where)}`.execute(
    tradepost.db,
  )
  return rows[0]?.count ?? 0
}

/** Sells a key and queues the mail that contains it. */
async function queueMail(as = tradepost.live): Promise<void> {
  const game = await product(tradepost, {}, { as, keys: [`RETAIN-${randomUUID()}`] })
  const { id } = await order(tradepost, game.id, { mark_paid: true }, { as })
  const { status } = await tradepost.post(`/orders/${id}/deliveries/resend`, undefined, { as })
  expect(status).toBe(200)
}

/** The functions that create a record of each table. */
const CREATE_RECORD: Record<string, () => Promise<unknown>> = {
  idempotent_answer: () =>
    tradepost.post(
      '/products',
      { name: 'Kept', price_cents: 1 },
      {
        headers: { 'idempotency-key': randomUUID() },
      },
    ),
  mail: async () => {
    await queueMail()
    await sql`update mail set status = 'sent' where status = 'queued'`.execute(tradepost.db)
  },
  payment_callback: () =>
    sql`
    insert into payment_callback (store_id, provider, external_id, type, status, names, received_at)
    select id, 'test', ${randomUUID()}, 'payment.paid', 'applied', '{}', ${now()}
      from store where livemode limit 1`.execute(tradepost.db),
  client_session: () =>
    sql`
    insert into client_session (store_id, app_id, token_hash, started_at, last_heartbeat_at,
                                lease_expires_at, expires_at)
    select store_id, id, decode(md5(random()::text), 'hex'), ${now()}, ${now()}, ${now()}, ${now()}
      from client_app limit 1`.execute(tradepost.db),
  client_report: () =>
    sql`
    insert into client_report (store_id, app_id, session_id, kind, detail, action, created_at)
    select store_id, id, 1, 'cheat', 'x', 'log', ${now()} from client_app limit 1`.execute(
      tradepost.db,
    ),
  record_read: () =>
    sql`
    insert into record_read (store_id, kind, record_id, key_id, reads, last_at)
    select store_id, 'settings', id, 0, 1, ${now()} from client_app limit 1`.execute(tradepost.db),
  stock_alert: async () => {
    const game = await product(tradepost)
    await tradepost.post(`/products/${game.id}/stock-alerts`, { email: 'waits@example.com' })
    await addKeys(tradepost, game, [`ALERT-${randomUUID()}`])
    while (await sendAlertsJob.run(tradepost.app));
    await sql`delete from mail`.execute(tradepost.db)
  },
  webhook_endpoint: async () => {
    const receiver = await openReceiver()
    const body = { url: receiver.url, events: ['order.created'] }
    const { id } = (await tradepost.post('/webhooks', body)).json.webhook
    await tradepost.delete(`/webhooks/${id}`)
    await receiver.close()
  },
  license_key_tombstone: () =>
    sql`
    insert into license_key_tombstone (store_id, app_id, key_hmac, created_at)
    select store_id, id, decode(md5(random()::text), 'hex'), ${now()}
      from client_app limit 1`.execute(tradepost.db),
}
const now = () => new Date(tradepost.app.clock.now()).toISOString()

const AGES: readonly (readonly [string, number])[] = [
  ['idempotent_answer', 25 * HOUR_MS],
  ['mail', 30 * DAY_MS],
  ['payment_callback', 30 * DAY_MS],
  ['client_session', 30 * DAY_MS],
  ['client_report', 90 * DAY_MS],
  ['record_read', 90 * DAY_MS],
  ['stock_alert', 90 * DAY_MS],
  ['webhook_endpoint', 60 * DAY_MS],
  ['license_key_tombstone', 5 * YEAR_MS],
]

test('the age of every table is listed in this test', () => {
  expect(AGES.map(([table]) => table)).toEqual(RETENTIONS.map(({ table }) => table))
})

test.each(AGES)(
  'a record of %s is deleted when its age is reached, and not earlier',
  async (table, age_ms) => {
    await runJobs()
    await CREATE_RECORD[table]?.()
    tradepost.forward(age_ms - 10 * MINUTE_MS)
    await runJobs()
    expect(await countRows(table)).toBeGreaterThan(0)
    tradepost.forward(20 * MINUTE_MS)
    await runJobs()
    expect(await countRows(table)).toBe(0)
  },
)

test('unsent mail and pending stock alerts are kept at any age', async () => {
  await queueMail()
  const game = await product(tradepost)
  await tradepost.post(`/products/${game.id}/stock-alerts`, { email: 'patient@example.com' })
  tradepost.forward(YEAR_MS)
  await runJobs()
  expect(await countRows('mail', `status = 'queued'`)).toBe(1)
  expect(await countRows('stock_alert', `status = 'pending'`)).toBe(1)
})

test('a test side ages by its own clock, and an advance of the clock deletes its expired records (decision 41)', async () => {
  await queueMail(tradepost.test)
  await queueMail()
  await sql`update mail set status = 'sent' where status = 'queued'`.execute(tradepost.db)
  const headers = { 'idempotency-key': randomUUID() }
  await tradepost.post(
    '/products',
    { name: 'Kept', price_cents: 1 },
    { as: tradepost.test, headers },
  )
  const isOnTestSide = `t.store_id = (select id from store where hash = '${tradepost.test.id}')`
  const counts = async () => [
    await countRows('mail', isOnTestSide),
    await countRows('idempotent_answer', isOnTestSide),
    await countRows('mail', `not ${isOnTestSide}`),
  ]
  for (const count of await counts()) expect(count).toBeGreaterThan(0)
  const liveMails = (await counts())[2]
  const [advance] = clockCommands
  await advance?.run(tradepost.app, { store: tradepost.test.id, duration: '31d' })
  expect(await counts()).toEqual([0, 0, liveMails])
})

test('a batch deletes at most 1,000 records of all stores together', async () => {
  await sql`
    insert into license_key_tombstone (store_id, app_id, key_hmac, created_at)
    select a.store_id, a.id, decode(md5(n::text), 'hex'), ${now()}::timestamptz - interval '6 years'
      from client_app a, generate_series(1, 800) n`.execute(tradepost.db)
  const countBefore = await countRows('license_key_tombstone')
  expect(countBefore).toBeGreaterThanOrEqual(1_600)
  const job = retentionJobs.find(({ name }) => name.endsWith('license_key_tombstone'))
  expect(await job?.run(tradepost.app)).toBe(true)
  expect(await countRows('license_key_tombstone')).toBe(countBefore - 1_000)
})

test('the guide names every table in its section on retention', async () => {
  const guide = await readFile(
    new URL('../../../../docs/guides/running.md', import.meta.url),
    'utf8',
  )
  const [, fromHeading = ''] = guide.split('\n## Retention of records\n')
  const [section = ''] = fromHeading.split('\n## ')
  const named = new Set([...section.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name))
  const { rows: tables } = await sql<Json>`
    select relname as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(tradepost.db)
  expect(tables.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([])
})
