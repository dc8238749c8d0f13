import { expect, test } from 'vitest'
import type { Db } from '../../src/db/database.ts'
import { deleteExpired } from '../../src/features/installation/retention/queries.ts'
import { RETENTIONS } from '../../src/features/installation/retention/retentions.ts'
import { bigStore } from './big-store.ts'
import { maxRowsRead, nodesOf } from './plans.ts'

const ROWS = 50_000
const LIMIT = 100
/** The rows from which the expired records are created: a store with a client app, repeated. */
const REPEATED_APP = `from (select store_id, id from client_app order by id limit 1) a, generate_series(1, ${ROWS}) n`
/** Up to eleven years ago, so that some rows of each table are older than its retention. */
const OLD_TIME = `now() - interval '1 day' * (n % 4000)`

let db: Db

const tradepost = bigStore(async ({ app, storeId }) => {
  db = app.db
  return [
    `insert into client_app (store_id, public_id, name, is_default, status, allowed_checksums,
                             session_ttl_seconds, heartbeat_seconds, grace_seconds, device_policy,
                             allow_public_session, rate_limits, report_rules, created_at, updated_at)
     values (${storeId}, 'app_plans', 'Plans', true, 'active', '{}', 60, 60, 0, '{}', true, '{}', '{}',
             now(), now())`,
    `insert into idempotent_answer (store_id, api_key_id, key, request_hash, created_at)
     select a.store_id, 1, n::text, '\\x00', ${OLD_TIME} ${REPEATED_APP}`,
    `insert into mail (store_id, message, recipient, status, due_at, created_at)
     select a.store_id, n, 'a@example.com', 'sent', now(), ${OLD_TIME} ${REPEATED_APP}`,
    `insert into payment_callback (store_id, provider, external_id, type, status, names, received_at)
     select a.store_id, 'test', n::text, 'payment.paid', 'applied', '{}', ${OLD_TIME} ${REPEATED_APP}`,
    `insert into client_session (store_id, app_id, token_hash, started_at, last_heartbeat_at,
                                 lease_expires_at, expires_at)
     select a.store_id, a.id, decode(md5(n::text), 'hex'), now(), now(), ${OLD_TIME}, now() ${REPEATED_APP}`,
    `insert into client_report (store_id, app_id, session_id, kind, detail, action, created_at)
     select a.store_id, a.id, 1, 'cheat', 'x', 'log', ${OLD_TIME} ${REPEATED_APP}`,
    `insert into product (store_id, hash_id, name, slug, type, product_kind, status, active, visibility,
                          price_cents, discount_percent, currency, accepts_coupons, min_qty,
                          requires_shipping, best_seller, metadata, methods, created_at, updated_at)
     select store_id, 'planHash0001', 'P', 'p-of-plans', 'serial', 'single', 'active', true, 'public', 1,
            0, 'EUR', true, 1, false, false, '{}', '{}', now(), now()
       from client_app order by id limit 1`,
    `insert into stock_alert (store_id, product_id, email, status, notified_at, created_at)
     select p.store_id, p.id, 'a@example.com', 'notified', ${OLD_TIME}, ${OLD_TIME}
       from product p, generate_series(1, ${ROWS}) n where p.hash_id = 'planHash0001'`,
    `insert into webhook_endpoint (store_id, public_id, url, events, enabled, secret_enc, deleted_at,
                                   created_at, updated_at)
     select a.store_id, 'we_' || n, 'http://127.0.0.1:4999/hook', '{}', true, '\\x00', ${OLD_TIME}, now(), now()
     ${REPEATED_APP}`,
    `insert into webhook_delivery (store_id, id, endpoint_id, status, attempts, created_at, updated_at)
     select a.store_id, n, 1000000 + n, 'succeeded', 1, now(), now() ${REPEATED_APP}`,
    `insert into license_key_tombstone (store_id, app_id, key_hmac, created_at)
     select a.store_id, a.id, decode(md5(n::text), 'hex'), ${OLD_TIME} ${REPEATED_APP}`,
    `insert into record_read (store_id, kind, record_id, key_id, reads, last_at)
     select a.store_id, 'string', 1, n, 1, ${OLD_TIME} ${REPEATED_APP}`,
    'analyze',
  ]
})

test.each(RETENTIONS.map((retention) => [retention.table, retention] as const))(
  'a batch of the retention job of %s reads an index, and at most twice the rows that it deletes',
  async (_, retention) => {
    const batch = { now: new Date().toISOString(), limit: LIMIT }
    const { json, plans } = await tradepost.explain(() => deleteExpired(db, retention, batch))
    expect(json).toBe(LIMIT)
    expect(plans).toHaveLength(1)
    const scans = plans.flatMap(nodesOf).filter((node) => node['Node Type'] === 'Seq Scan')
    expect(scans.map((node) => node['Relation Name']).filter((name) => name !== 'store')).toEqual(
      [],
    )
    expect(maxRowsRead(plans[0])).toBeLessThanOrEqual(2 * LIMIT)
  },
)
