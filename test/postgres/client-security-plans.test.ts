import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { storeContextOf } from '../../src/app.ts'
import { createKey } from '../../src/features/installation/api-keys/index.ts'
import { asStore, selectStoreById } from '../../src/features/installation/stores/index.ts'
import { listStoreSessions } from '../../src/features/licensing/devices/list-store-sessions.ts'
import { SessionQuery } from '../../src/features/licensing/devices/schema.ts'
import type { StoreContext } from '../../src/store-context.ts'
import type { RealServer } from '../concurrency/open-market.ts'
import type { Json } from '../harness.ts'
import { bigStore } from './big-store.ts'
import { busiest } from './plans.ts'

/** A page of a long list of the Client Security API looks at the rows of that page, and at no others. */

const ROWS = 100_000
/** Rows that a page of 25 may look at, of all tables together. */
const LOOKED_AT_MAX = 400

let get: (path: string, body?: Json) => Promise<Json>
let contextNow: () => StoreContext
let ids: { key: number; text: string; app: number }

const tradepost = bigStore(async (real) => {
  get = await openManagement(real)
  contextNow = await openContext(real)
  const made = (await get('/keys', { level: 7 })).keys[0]
  ids = { key: made.id, text: made.key, app: made.app_id }
  return many(real.storeId, ids)
})

async function openContext({ app, storeId }: RealServer): Promise<() => StoreContext> {
  const store = await selectStoreById(app.db, storeId)
  if (!store) throw new Error('No such store.')
  return () => storeContextOf(app, asStore(store))
}

/** Calls of the Client Security API; with a body they are posted. */
async function openManagement({ app, storeId, targets }: RealServer) {
  const store = await selectStoreById(app.db, storeId)
  if (!store) throw new Error('No such store.')
  const { account_id, livemode } = store
  const { key } = await createKey(app, {
    account_id,
    livemode,
    kind: 'security',
    store_ids: [storeId],
    rate_limit: 0,
  })
  return async (path: string, body?: Json): Promise<Json> => {
    const response = await fetch(`${targets[0].origin}/security/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'client-nonce': randomBytes(16).toString('base64url'),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const json = (await response.json()) as Json
    if (!json.success) throw new Error(JSON.stringify(json))
    return json
  }
}

/** One in ten thousand is banned, suspended, expired, unused, of the level, the product, the customer. */
const many = (store: number, { key, app }: { key: number; app: number }): string[] => [
  `insert into license_key (store_id, app_id, key_hmac, key_enc, key_preview, level, entitlements,
     expiry_basis, reset_cooldown_seconds, metadata, banned_at, suspended_at, expires_at,
     first_activated_at, product_hash, customer_email, created_at, updated_at)
   select ${store}, ${app}, decode(md5(n::text), 'hex'), '\\x00', 'AAAAA',
          case when n % 10000 = 1 then 5 else 0 end, '{}', 'creation', 0, '{}',
          case when n % 10000 = 2 then now() end, case when n % 10000 = 3 then now() end,
          case when n % 10000 = 4 then now() - interval '1 day' else now() + interval '1 year' end,
          case when n % 10000 <> 5 then now() end, 'P' || n % 10000, 'c' || n % 10000 || '@example.com',
          now() - n * interval '1 minute', now()
     from generate_series(1, ${ROWS}) n`,
  `insert into device (store_id, app_id, key_id, fingerprint_hash, components, status, first_seen_at,
     last_seen_at)
   select ${store}, ${app}, ${key}, decode(md5(n::text), 'hex'), '{}', 'active', now(), now()
     from generate_series(1, ${ROWS}) n`,
  `insert into client_session (store_id, app_id, key_id, token_hash, started_at, last_heartbeat_at,
     lease_expires_at, expires_at)
   select ${store}, ${app}, ${key}, decode(md5(n::text), 'hex'), now(), now(), now(), now()
     from generate_series(1, ${ROWS}) n`,
  `insert into audit_event (store_id, actor_type, object, action, record_type, record_id, created_at)
   select ${store}, 'system', 'thing', 'a' || n % 10000, case when n % 10000 = 3 then 'rare' else 't' || n % 10 end, n % 10000, now() - n * interval '1 minute'
     from generate_series(1, ${ROWS}) n`,
  `insert into client_report (store_id, app_id, key_id, session_id, kind, detail, action, created_at)
   select ${store}, ${app}, n % 10000 + ${key}, 1, 'k' || n % 10000, '', 'log',
          now() - n * interval '1 minute'
     from generate_series(1, ${ROWS}) n`,
  `insert into device_ban (store_id, app_id, ip_cidr, reason, created_at)
   select ${store}, ${app}, ('10.' || n / 65536 || '.' || n / 256 % 256 || '.' || n % 256)::cidr, 'x', now()
     from generate_series(1, ${ROWS}) n`,
  // One public session in ten thousand is live.
  `insert into client_session (store_id, app_id, key_id, token_hash, started_at, last_heartbeat_at,
     lease_expires_at, expires_at, ended_at)
   select ${store}, ${app}, null, decode(md5('public' || n), 'hex'), now(), now(),
          now() + case when n % 10000 = 5000 then 1 else -1 end * n * interval '1 second',
          now(), case when n % 10000 = 2 then now() end
     from generate_series(1, ${ROWS}) n`,
  'analyze license_key, device, client_session, audit_event, client_report, device_ban',
]

/** The answer to a list, the number of its statements, and the most rows that one of them read. */
async function look(path: string, body?: Json) {
  const { json, plans } = await tradepost.watch(() => get(path, body))
  return { json, statements: plans.length, rows: Math.max(...plans.map(busiest)) }
}

const LISTS: [string, () => string, number][] = [
  ['keys', () => '/keys', 25],
  ['keys of an app', () => `/keys?app_id=${ids.app}&cursor=${ids.key + ROWS / 2}`, 25],
  ['keys by their text', () => `/keys?key=${ids.text}&app_id=${ids.app}`, 1],
  ['keys of a level', () => '/keys?level=5', 10],
  ['keys of a product', () => '/keys?product_id=P17', 10],
  ['keys of a customer', () => '/keys?customer_email=c17@example.com', 10],
  ['banned keys', () => '/keys?status=banned', 10],
  ['suspended keys', () => '/keys?status=suspended', 10],
  ['expired keys', () => '/keys?status=expired', 10],
  ['unused keys', () => '/keys?status=unused', 11],
  ['keys that are banned or suspended', () => '/keys?status=banned,suspended', 20],
  ['active keys', () => '/keys?status=active', 25],
  ['keys made before an hour', () => `/keys?created_before=${ago(ROWS - 10)}`, 10],
  ['devices of a key', () => `/keys/${ids.key}/devices`, 25],
  ['sessions of a key', () => `/keys/${ids.key}/sessions`, 25],
  ['changes', () => '/audit-events', 25],
  ['changes of a record', () => '/audit-events?record_type=t7&record_id=17', 10],
  ['changes of rare records', () => '/audit-events?record_type=rare', 10],
  ['changes of records of an id', () => '/audit-events?record_id=17', 10],
  ['changes of a kind', () => '/audit-events?action=a17', 10],
  ['changes long ago', () => `/audit-events?created_to=${ago(ROWS - 10)}`, 10],
  ['reports', () => '/client-reports', 25],
  ['reports of a key', () => `/client-reports?key_id=${ids.key + 17}`, 10],
  ['reports of a kind', () => '/client-reports?kind=k17', 10],
]

const SESSIONS: [string, () => Json, number][] = [
  ['all sessions', () => ({}), 25],
  ['sessions after a page', () => ({ cursor: `${Date.now() - 3_600_000}-1` }), 25],
  ['live sessions', () => ({ state: 'live' }), 10],
  ['ended sessions', () => ({ state: 'ended' }), 25],
  ['live sessions of an app', () => ({ state: 'live', app_id: `${ids.app}` }), 10],
  ['sessions of a license', () => ({ key_id: `${ids.key}` }), 25],
]

/** Only the dashboard lists the sessions of a store, and no user signs in here. */
test.each(SESSIONS)(
  'the list of %s takes 1 statement and looks at its page',
  async (_, query, length) => {
    const { json, plans } = await tradepost.watch(() =>
      listStoreSessions(contextNow(), SessionQuery.parse({ limit: '25', ...query() })),
    )
    expect(json.sessions).toHaveLength(length)
    expect(plans).toHaveLength(1)
    expect(busiest(plans[0])).toBeLessThanOrEqual(LOOKED_AT_MAX)
  },
)

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000 - 30_000).toISOString()

test.each(LISTS)(
  'the list of %s takes at most 2 statements and looks at its page',
  async (_, path, length) => {
    const { json, statements, rows } = await look(path())
    const list = Object.values(json).find(Array.isArray)
    expect(list).toHaveLength(length)
    expect(statements).toBeLessThanOrEqual(2)
    expect(rows).toBeLessThanOrEqual(LOOKED_AT_MAX)
  },
)

test('the list of bans counts up to its limit', async () => {
  const { json, rows } = await look('/device-bans')
  expect([json.device_bans.length, json.pagination.total]).toEqual([25, 10_000])
  expect(rows).toBeLessThanOrEqual(10_100)
})

test('a check of a license reads as few rows if 100,000 addresses are banned', async () => {
  const { app } = await get(`/apps/${ids.app}`)
  const { json, rows } = await look(`/client/${app.public_id}/validate`, { license_key: ids.text })
  expect(json.code).toBe('VALID')
  expect(rows).toBeLessThanOrEqual(LOOKED_AT_MAX)
})
