import { expect, test } from 'vitest'
import { showUsage } from '../../src/features/installation/request-log/show-usage.ts'
import { showHours } from '../../src/features/webhooks/show-hours.ts'
import { call } from '../process/client.ts'
import { bigStore } from './big-store.ts'
import { maxRowsRead } from './plans.ts'

// Figures of the dashboard from counters by day and by hour, which grow with time and with the number of stores.

const KEYS = 100
const DAYS = 100
const OPERATIONS = 10
/** The days of the usage of a key, with the current one. */
const SHOWN_DAYS = 31
/** 8 days: the hours that are kept. */
const HOURS = 192
/** The hours that are shown. */
const SHOWN_HOURS = 168
const STORES = 500
/** The number of calls that the request log keeps of a store. */
const CALLS = 100_000
const ROWS_READ_MAX = 400

let keyId = 0

const tradepost = bigStore(
  async ({ app, storeId, targets: [target] }) => {
    const key = await app.db
      .selectFrom('api_key')
      .select('id')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    keyId = key.id
    const body = { url: 'http://127.0.0.1:4999/hook', events: ['order.created'] }
    expect((await call(target, 'POST', '/webhooks', { body })).status).toBe(201)
    const endpoint = await app.db
      .selectFrom('webhook_endpoint')
      .select('id')
      .executeTakeFirstOrThrow()
    return counterStatements(storeId, keyId, endpoint.id)
  },
  { TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' },
)

/** Statements that count calls of 100 keys on 100 days, and deliveries of 500 stores in 192 hours. */
const counterStatements = (store: number, key: number, endpoint: number): string[] => [
  `insert into api_key_use (store_id, api_key_id, day, operation, permission, calls, refused, last_used_at)
   select ${store}, ${key} + k, current_date - d, 'operation.' || o, 'orders:read', 1, 0, now()
     from generate_series(0, ${KEYS} - 1) k, generate_series(0, ${DAYS} - 1) d,
          generate_series(1, ${OPERATIONS}) o
       on conflict do nothing`,
  `insert into webhook_stat_hour (store_id, endpoint_id, hour, succeeded, failed, duration_ms, last_at)
   select ${store} + s, ${endpoint} + s, date_trunc('hour', now(), 'UTC') - h * interval '1 hour', 1, 0, 1, now()
     from generate_series(0, ${STORES} - 1) s, generate_series(0, ${HOURS} - 1) h
       on conflict do nothing`,
  // One call in ten thousand was refused. The ids begin with the time, as those of the server.
  `insert into api_call (store_id, request_id, created_at, api_key_id, api, operation, method, path, status,
                         error_code, duration_ms, address, details_enc)
   select ${store}, 'req_' || lpad(n::text, 22, '0'), now(), ${key}, 'store', 'orders.list', 'GET', '/v1/orders',
          case when n % 10000 = 1 then 422 else 200 end, case when n % 10000 = 1 then 'VALIDATION_FAILED' end, 1,
          '203.0.113.7', '\\x00'
     from generate_series(1, ${CALLS}) n`,
  'vacuum analyze api_key_use',
  'vacuum analyze api_call',
  'vacuum analyze webhook_stat_hour',
]

test('the usage of a key among 100,000 counters reads only the counters of its days', async () => {
  const { json, plans } = await tradepost.explain(
    () => showUsage(tradepost.contextNow(), keyId),
    /api_key_use/,
  )
  expect(json.operations.length).toBeGreaterThanOrEqual(OPERATIONS)
  expect(json.complete).toBe(false)
  expect(plans).toHaveLength(2)
  const [first, uses] = plans.map(maxRowsRead)
  expect(first).toBe(1)
  expect(uses).toBeLessThanOrEqual(SHOWN_DAYS * (OPERATIONS + 1))
})

test('the deliveries of a store by hour, among those of 500 stores, read only its own hours', async () => {
  const { json, plans } = await tradepost.explain(() => showHours(tradepost.contextNow()))
  expect(json.endpoints).toHaveLength(1)
  expect(json.endpoints[0].succeeded).toEqual(Array.from({ length: SHOWN_HOURS }, () => 1))
  expect(plans).toHaveLength(1)
  expect(maxRowsRead(plans[0])).toBeLessThanOrEqual(HOURS)
})

test.each([
  ['422', 10],
  ['4xx', 10],
  ['500', 0],
  ['200', 25],
])(
  'the list of calls with the status %s reads only one page of 100,000 calls',
  async (status, length) => {
    const { json, plans } = await tradepost.explainList(`/account/calls?limit=25&status=${status}`)
    expect(json.calls).toHaveLength(length)
    expect(plans).toHaveLength(1)
    expect(Math.max(...plans.map(maxRowsRead))).toBeLessThanOrEqual(ROWS_READ_MAX)
  },
)
