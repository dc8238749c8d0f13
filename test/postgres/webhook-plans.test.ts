import { expect, test } from 'vitest'
import { call } from '../process/client.ts'
import { bigStore } from './big-store.ts'
import { busiest } from './plans.ts'

/** A page of a log of 100,000 deliveries looks at its own rows, and counting them has an end. */

const ROWS = 100_000
/** Events whose first attempts are under way. */
const WAITING = 300
const LOOKED_AT_MAX = 400
/** How far the matches are counted (decision 100), with what a plan reads ahead. */
const COUNTED_MAX = 10_100

let rare: string

const tradepost = bigStore(
  async ({ app, targets: [target], storeId }) => {
    const ids: number[] = []
    for (const type of ['order.created', 'order.refunded']) {
      const body = { url: 'http://127.0.0.1:4999/hook', events: [type] }
      rare = (await call(target, 'POST', '/webhooks', { body })).json.webhook.id
      const row = await app.db
        .selectFrom('webhook_endpoint')
        .select('id')
        .where('public_id', '=', rare)
        .executeTakeFirstOrThrow()
      ids.push(row.id)
    }
    return many(storeId, ids)
  },
  { TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' },
)

/** One in ten thousand is of a rare type and for a rare endpoint, failed, waits, or is a sample. */
const many = (store: number, [usual, rarely]: number[]): string[] => [
  `insert into event (store_id, no, tag, type, object_id, test, payload_enc, created_at)
   select ${store}, n, n, case when n % 10000 = 1 then 'order.refunded' else 'order.created' end, 'o',
          n % 10000 = 4, decode(repeat('ab', 1000), 'hex'), timestamptz '2026-01-01Z' + n * interval '1 s'
     from generate_series(1, ${ROWS}) n`,
  `insert into webhook_delivery (store_id, id, endpoint_id, status, attempts, attempted_at, status_code,
     duration_ms, created_at, updated_at)
   select ${store}, n * 32, case when n % 10000 = 1 then ${rarely} else ${usual} end,
          case n % 10000 when 2 then 'failed' when 3 then 'pending' else 'succeeded' end,
          1, now(), 200, 5, timestamptz '2026-01-01Z' + n * interval '1 s', now()
     from generate_series(1, ${ROWS - WAITING}) n`,
  `insert into webhook_retry (store_id, delivery_id, endpoint_id, step, due_at)
   select store_id, id, endpoint_id, 1, 'infinity' from webhook_delivery where status = 'pending'`,
  `insert into webhook_fanout (store_id, no, endpoint_ids, lease_until)
   select store_id, no, array[${usual}]::bigint[], clock_timestamp() + interval '55 s'
     from event where no > ${ROWS - WAITING}`,
  'vacuum analyze event',
  'vacuum analyze webhook_delivery',
  'analyze webhook_retry, webhook_fanout',
]

test.each<[string, string, number]>([
  // These first: the leases of running attempts last 55 s.
  ['what is under way', '&status=delivering', 25],
  ['what waits', '&status=pending', 10],
  ['what failed or waits', '&status=failed,pending', 20],
  ['all', '', 25],
  ['all, far down', '&offset=300', 25],
  ['what failed', '&status=failed', 10],
  ['what went well', '&status=succeeded', 25],
  ['a rare type', '&event_type=order.refunded', 10],
  ['samples', '&test=true', 10],
  ['all but samples', '&test=false', 25],
  // 20,000 seconds after the first, and no event of the oldest or the newest.
  ['a minute', '&created_from=2026-01-01T05:33:20Z&created_to=2026-01-01T05:34:20Z', 25],
  ['ten seconds', '&created_from=2026-01-01T05:33:20Z&created_to=2026-01-01T05:33:30Z', 10],
  ['all from some time on', '&created_from=2026-01-01T05:33:20Z', 25],
])('the log of %s reads its page only', async (_, query, length) => {
  const { json, plans } = await tradepost.look(`/events/deliveries?limit=25${query}`)
  expect(json.deliveries).toHaveLength(length)
  expect(plans).toHaveLength(2)
  const [page, count] = plans.map(busiest)
  expect(page).toBeLessThanOrEqual(query.includes('offset') ? 2 * LOOKED_AT_MAX : LOOKED_AT_MAX)
  expect(count).toBeLessThanOrEqual(COUNTED_MAX)
})

test('the log of one endpoint among many reads its page only', async () => {
  const { json, plans } = await tradepost.look(`/events/deliveries?limit=25&webhook_id=${rare}`)
  expect(json.pagination.total).toBe(10)
  for (const plan of plans) expect(busiest(plan)).toBeLessThanOrEqual(LOOKED_AT_MAX)
})
