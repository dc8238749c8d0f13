import { expect, test } from 'vitest'
import type { Db } from '../../src/db/database.ts'
import { claimEvents, type EndpointCapacity } from '../../src/features/webhooks/queries/claim.ts'
import { bigStore } from './big-store.ts'
import { maxRowsRead } from './plans.ts'

const STORES = 1_000
const ENDPOINTS_PER_STORE = 5
const PENDING_EVENTS_PER_STORE = 3
/** The deleted endpoints of one store. */
const DELETED_ENDPOINTS = 1_000
/** The events of the same store that were sent long ago. */
const SENT_EVENTS = 50_000

let db: Db

const tradepost = bigStore(async ({ app, storeId }) => {
  db = app.db
  return [
    `insert into store (account_id, hash, slug, name, livemode, currency, plan, created_at)
     select account_id, 'hash' || n, 'slug' || n, 'Store', true, 'EUR', 'self_hosted', now()
       from store, generate_series(1, ${STORES - 1}) n where id = ${storeId}`,
    insertEndpoints(`select id from store`, ENDPOINTS_PER_STORE, 'null'),
    insertEndpoints(`select ${storeId}`, DELETED_ENDPOINTS, `timestamptz '2026-01-01Z'`),
    `insert into event (store_id, no, tag, type, object_id, payload_enc, created_at)
     select id, n, n, 'order.created', 'o', decode(repeat('ab', 1000), 'hex'), '2026-01-02Z'
       from store, generate_series(1, ${PENDING_EVENTS_PER_STORE}) n`,
    `insert into event (store_id, no, tag, type, object_id, payload_enc, created_at)
     select ${storeId}, -n, n, 'order.created', 'o', '\\x00', '2026-01-01Z'
       from generate_series(1, ${SENT_EVENTS}) n`,
    `insert into webhook_fanout (store_id, no, endpoint_ids)
     select store_id, no, (select array_agg(id) from webhook_endpoint w
                            where w.store_id = e.store_id and deleted_at is null)
       from event e
      where no > 0`,
    'analyze',
  ]
})

const insertEndpoints = (stores: string, count: number, deletedAt: string): string =>
  `insert into webhook_endpoint
     (store_id, public_id, url, events, enabled, secret_enc, deleted_at, created_at, updated_at)
   select s.id, 'we_' || ${deletedAt === 'null'} || n, 'http://127.0.0.1:4999/hook', '{order.created}', true,
          '\\x00', ${deletedAt}, now(), now()
     from (${stores}) s(id), generate_series(1, ${count}) n`

test.each([
  ['100 endpoints', 100],
  ['all endpoints', STORES * ENDPOINTS_PER_STORE],
])(
  'a claim among 1,000 stores, while %s are busy, reads at most two rows for each endpoint',
  async (_, busyCount) => {
    const capacity: EndpointCapacity[] = await db
      .selectFrom('webhook_endpoint')
      .select(['store_id', 'id as endpoint_id'])
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .limit(busyCount)
      .execute()
      .then((rows) => rows.map((row) => ({ ...row, slots: 4 })))

    const { json, plans } = await tradepost.explain(() => claimEvents(db, { ...CLAIM, capacity }))
    expect(json.length).toBeGreaterThan(0)
    expect(plans).toHaveLength(1)
    expect(maxRowsRead(plans[0])).toBeLessThanOrEqual(
      2 * STORES * ENDPOINTS_PER_STORE + DELETED_ENDPOINTS,
    )
  },
)

const CLAIM = {
  afterStore: 0,
  skippedStores: [],
  defaultSlots: 10,
  attemptsPerEvent: 5,
  perStore: { min: 12, max: 200 },
  eventsMax: 100,
  attemptsMax: 500,
}
