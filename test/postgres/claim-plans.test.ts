import { expect, test } from 'vitest'
import type { Db } from '../../src/db/database.ts'
import { claimEvents, type EndpointCapacity } from '../../src/features/webhooks/queries/claim.ts'
import { bigStore } from './big-store.ts'
import { busiest } from './plans.ts'

/** The cost of a claim grows with the waiting stores plus their endpoints, not with their product. */

const STORES = 1_000
const ENDPOINTS = 5
const WAITING = 3
const DELETED = 1_000
/** Events of the busiest store that were sent long ago. */
const SENT = 50_000

let db: Db
let room: EndpointCapacity[]

const tradepost = bigStore(async ({ app, storeId }) => {
  db = app.db
  return [
    `insert into store (account_id, hash, slug, name, livemode, currency, plan, created_at)
     select account_id, 'hash' || n, 'slug' || n, 'Store', true, 'EUR', 'self_hosted', now()
       from store, generate_series(1, ${STORES - 1}) n where id = ${storeId}`,
    ...endpoints(`select id from store`, ENDPOINTS, 'null'),
    ...endpoints(`select ${storeId}`, DELETED, `timestamptz '2026-01-01Z'`),
    `insert into event (store_id, no, tag, type, object_id, payload_enc, created_at)
     select id, n, n, 'order.created', 'o', decode(repeat('ab', 1000), 'hex'), '2026-01-02Z'
       from store, generate_series(1, ${WAITING}) n`,
    `insert into event (store_id, no, tag, type, object_id, payload_enc, created_at)
     select ${storeId}, -n, n, 'order.created', 'o', '\\x00', '2026-01-01Z'
       from generate_series(1, ${SENT}) n`,
    `insert into webhook_fanout (store_id, no, endpoint_ids)
     select store_id, no, (select array_agg(id) from webhook_endpoint w
                            where w.store_id = e.store_id and deleted_at is null)
       from event e
      where no > 0`,
    'analyze',
  ]
})

const endpoints = (stores: string, count: number, deletedAt: string): string[] => [
  `insert into webhook_endpoint
     (store_id, public_id, url, events, enabled, secret_enc, deleted_at, created_at, updated_at)
   select s.id, 'we_' || ${deletedAt === 'null'} || n, 'http://127.0.0.1:4999/hook', '{order.created}', true,
          '\\x00', ${deletedAt}, now(), now()
     from (${stores}) s(id), generate_series(1, ${count}) n`,
]

test.each([
  ['some endpoints are', 100],
  ['all endpoints are', STORES * ENDPOINTS],
])('a claim among 1,000 stores looks at each a few times when %s busy', async (_, busy) => {
  room = await db
    .selectFrom('webhook_endpoint')
    .select(['store_id', 'id as endpoint_id'])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(busy)
    .execute()
    .then((rows) => rows.map((row) => ({ ...row, places: 4 })))

  const { json, plans } = await tradepost.watch(() => claimEvents(db, { ...CLAIM, room }))
  expect(json.length).toBeGreaterThan(0)
  expect(plans).toHaveLength(1)
  expect(busiest(plans[0])).toBeLessThanOrEqual(2 * STORES * ENDPOINTS + DELETED)
})

const CLAIM = {
  afterStore: 0,
  skip: [],
  roomOfOthers: 10,
  triesPerEvent: 5,
  perStore: { least: 12, most: 200 },
  events: 100,
  limit: 500,
}
