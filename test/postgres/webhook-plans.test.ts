import { expect, test } from 'vitest'
import { listDeliveries } from '../../src/features/webhooks/show-webhooks.ts'
import { call } from '../process/client.ts'
import { bigStore } from './big-store.ts'
import { maxRowsRead } from './plans.ts'

const ROWS = 100_000
/** The number of events whose first attempts are running. */
const RUNNING = 300
const ROWS_READ_MAX = 400
const SAMPLES = 5
/** The limit of counted matches (decision 100), plus the newest events without a delivery and the rows read ahead. */
const COUNTED_MAX = 10_100 + RUNNING

let rareEndpoint: string

const tradepost = bigStore(
  async ({ app, targets: [target], storeId }) => {
    const ids: number[] = []
    for (const type of ['order.created', 'order.refunded']) {
      const body = { url: 'http://127.0.0.1:4999/hook', events: [type] }
      rareEndpoint = (await call(target, 'POST', '/webhooks', { body })).json.webhook.id
      const row = await app.db
        .selectFrom('webhook_endpoint')
        .select('id')
        .where('public_id', '=', rareEndpoint)
        .executeTakeFirstOrThrow()
      ids.push(row.id)
    }
    return deliveryStatements(storeId, ids)
  },
  { TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' },
)

/** Statements that create deliveries. Of ten thousand, one has the rare type and endpoint, one failed, and so on. */
const deliveryStatements = (store: number, [frequentId, rareId]: number[]): string[] => [
  `insert into event (store_id, no, tag, type, object_id, test, payload_enc, created_at)
   select ${store}, n, n, case when n % 10000 = 1 then 'order.refunded' else 'order.created' end,
          case when n % 10000 = 5 then 'rare' else 'often' end,
          n % 10000 = 4, decode(repeat('ab', 1000), 'hex'), timestamptz '2026-01-01Z' + n * interval '1 s'
     from generate_series(1, ${ROWS}) n`,
  `insert into webhook_delivery (store_id, id, endpoint_id, status, attempts, attempted_at, status_code,
     duration_ms, created_at, updated_at)
   select ${store}, n * 32, case when n % 10000 = 1 then ${rareId} else ${frequentId} end,
          case n % 10000 when 2 then 'failed' when 3 then 'pending' else 'succeeded' end,
          1, now(), 200, 5, timestamptz '2026-01-01Z' + n * interval '1 s', now()
     from generate_series(1, ${ROWS - RUNNING}) n`,
  `insert into webhook_retry (store_id, delivery_id, endpoint_id, step, due_at)
   select store_id, id, endpoint_id, 1, 'infinity' from webhook_delivery where status = 'pending'`,
  `insert into webhook_fanout (store_id, no, endpoint_ids, lease_until)
   select store_id, no, array[${frequentId}]::bigint[], clock_timestamp() + interval '55 s'
     from event where no > ${ROWS - RUNNING}`,
  'vacuum analyze event',
  'vacuum analyze webhook_delivery',
  'analyze webhook_retry, webhook_fanout',
]

test.each<[string, string, number]>([
  // These run first, because the leases of running attempts last 55 s.
  ['running deliveries', '&status=delivering', 25],
  ['pending deliveries', '&status=pending', 10],
  ['failed and pending deliveries', '&status=failed,pending', 20],
  ['all deliveries', '', 25],
  ['all deliveries from an offset on', '&offset=300', 25],
  ['failed deliveries', '&status=failed', 10],
  ['succeeded deliveries', '&status=succeeded', 25],
  ['deliveries of a rare type', '&event_type=order.refunded', 10],
  ['samples', '&test=true', 10],
  ['deliveries that are not samples', '&test=false', 25],
  // The times are 20,000 seconds after the first event.
  [
    'deliveries of a minute',
    '&created_from=2026-01-01T05:33:20Z&created_to=2026-01-01T05:34:20Z',
    25,
  ],
  [
    'deliveries of ten seconds',
    '&created_from=2026-01-01T05:33:20Z&created_to=2026-01-01T05:33:30Z',
    10,
  ],
  ['deliveries from a time on', '&created_from=2026-01-01T05:33:20Z', 25],
])('the list of %s reads only one page of the 100,000 deliveries', async (_, query, length) => {
  const { json, plans } = await tradepost.explainList(`/events/deliveries?limit=25${query}`)
  expect(json.deliveries).toHaveLength(length)
  expect(plans).toHaveLength(2)
  const [page, count] = plans.map(maxRowsRead)
  expect(page).toBeLessThanOrEqual(query.includes('offset') ? 2 * ROWS_READ_MAX : ROWS_READ_MAX)
  expect(count).toBeLessThanOrEqual(COUNTED_MAX)
})

test('deliveries from a time on are counted by their index with each sample of the planner', async () => {
  for (let sample = 1; sample <= SAMPLES; sample++) {
    await tradepost.run('analyze event')
    const { plans } = await tradepost.explainList(
      '/events/deliveries?created_from=2026-01-01T05:33:20Z',
    )
    for (const plan of plans) expect(maxRowsRead(plan)).toBeLessThanOrEqual(COUNTED_MAX)
  }
})

// Only the dashboard has this list. No user signs in here, so the use case is called directly.
test.each([
  ['with few', 'rare', 10],
  ['with all', 'often', 25],
])(
  'the list of deliveries of a record %s of 100,000 deliveries reads only its page',
  async (_, object_id, length) => {
    const query = { object_id, limit: 25, offset: 0 }
    // The planner knows only a random sample of the events, so it must choose well with each sample.
    for (let sample = 1; sample <= SAMPLES; sample++) {
      await tradepost.run('analyze event')
      const { json, plans } = await tradepost.explain(() =>
        listDeliveries(tradepost.contextNow(), query),
      )
      expect(json.deliveries).toHaveLength(length)
      const [page, count] = plans.map(maxRowsRead)
      expect(page).toBeLessThanOrEqual(ROWS_READ_MAX)
      expect(count).toBeLessThanOrEqual(COUNTED_MAX)
    }
  },
)

test('the list of deliveries of an endpoint with few reads only one page of the 100,000 deliveries', async () => {
  const { json, plans } = await tradepost.explainList(
    `/events/deliveries?limit=25&webhook_id=${rareEndpoint}`,
  )
  expect(json.pagination.total).toBe(10)
  for (const plan of plans) expect(maxRowsRead(plan)).toBeLessThanOrEqual(ROWS_READ_MAX)
})
