import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { listStoreSessions } from '../../src/features/licensing/devices/list-store-sessions.ts'
import { SessionQuery } from '../../src/features/licensing/devices/schema.ts'
import type { ServedStore } from '../concurrency/open-served-database.ts'
import { createSecurityKey } from '../concurrency/security-key.ts'
import type { Json } from '../harness.ts'
import { bigStore } from './big-store.ts'
import { maxRowsRead, minutesBefore, NEWEST_AT, pagesRead, timeBetween } from './plans.ts'

const ROWS = 100_000
/** The number of rows that a page of 25 may read, in all tables together. */
const ROWS_READ_MAX = 400
/** The number of pages that a search for a single record may read. */
const PAGES_READ_MAX = 40

let callSecurityApi: (path: string, body?: Json) => Promise<Json>
let license: { id: number; key: string; app_id: number }

const tradepost = bigStore(async (servedStore) => {
  callSecurityApi = await openSecurityApi(servedStore)
  license = (await callSecurityApi('/keys', { level: 7 })).keys[0]
  return recordStatements(servedStore.storeId)
})

/** Returns a function that calls the Client Security API, with POST if there is a body. */
async function openSecurityApi(store: ServedStore) {
  const { targets } = store
  const key = await createSecurityKey(store)
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

/**
 * Statements that create 100,000 records of each list. One license key in ten thousand is banned, one is suspended, and so on for the
 * other filters.
 */
const recordStatements = (store: number): string[] => [
  `insert into license_key (store_id, app_id, key_hmac, key_enc, key_preview, level, entitlements,
     expiry_basis, reset_cooldown_seconds, metadata, banned_at, suspended_at, expires_at,
     first_activated_at, product_hash, customer_email, created_at, updated_at)
   select ${store}, ${license.app_id}, decode(md5(n::text), 'hex'), '\\x00', 'AAAAA',
          case when n % 10000 = 1 then 5 else 0 end, '{}', 'creation', 0, '{}',
          case when n % 10000 = 2 then now() end, case when n % 10000 = 3 then now() end,
          case when n % 10000 = 4 then now() - interval '1 day' else now() + interval '1 year' end,
          case when n % 10000 <> 5 then now() end, 'P' || n % 10000, 'c' || n % 10000 || '@example.com',
          ${minutesBefore('n')}, now()
     from generate_series(1, ${ROWS}) n`,
  `insert into device (store_id, app_id, key_id, fingerprint_hash, components, status, first_seen_at,
     last_seen_at)
   select ${store}, ${license.app_id}, ${license.id}, decode(md5(n::text), 'hex'), '{}', 'active', now(), now()
     from generate_series(1, ${ROWS}) n`,
  `insert into client_session (store_id, app_id, key_id, token_hash, started_at, last_heartbeat_at,
     lease_expires_at, expires_at)
   select ${store}, ${license.app_id}, ${license.id}, decode(md5(n::text), 'hex'), now(), now(), now(), now()
     from generate_series(1, ${ROWS}) n`,
  `insert into audit_event (store_id, actor_type, object, action, record_type, record_id, created_at)
   select ${store}, 'system', 'thing', 'a' || n % 10000, case when n % 10000 = 3 then 'rare' else 't' || n % 10 end, n % 10000, ${minutesBefore('n')}
     from generate_series(1, ${ROWS}) n`,
  `insert into client_report (store_id, app_id, key_id, session_id, kind, detail, action, created_at)
   select ${store}, ${license.app_id}, n % 10000 + ${license.id}, 1, 'k' || n % 10000, '', 'log',
          ${minutesBefore('n')}
     from generate_series(1, ${ROWS}) n`,
  `insert into device_ban (store_id, app_id, ip_cidr, reason, created_at)
   select ${store}, ${license.app_id}, ('10.' || n / 65536 || '.' || n / 256 % 256 || '.' || n % 256)::cidr, 'x', now()
     from generate_series(1, ${ROWS}) n`,
  // One session without a license in ten thousand is live.
  `insert into client_session (store_id, app_id, key_id, token_hash, started_at, last_heartbeat_at,
     lease_expires_at, expires_at, ended_at)
   select ${store}, ${license.app_id}, null, decode(md5('public' || n), 'hex'), now(), now(),
          now() + case when n % 10000 = 5000 then 1 else -1 end * n * interval '1 second',
          now(), case when n % 10000 = 2 then now() end
     from generate_series(1, ${ROWS}) n`,
  'analyze license_key, device, client_session, audit_event, client_report, device_ban',
]

/** Returns the answer, the number of statements, and the maximum number of rows that a node of their plans read. */
async function measure(path: string, body?: Json) {
  const { json, plans } = await tradepost.explain(() => callSecurityApi(path, body))
  return { json, statements: plans.length, rows: Math.max(...plans.map(maxRowsRead)) }
}

const LISTS: [string, () => string, number][] = [
  ['keys', () => '/keys', 25],
  ['keys of an app', () => `/keys?app_id=${license.app_id}&cursor=${license.id + ROWS / 2}`, 25],
  ['keys by their text', () => `/keys?key=${license.key}&app_id=${license.app_id}`, 1],
  ['keys of a level', () => '/keys?level=5', 10],
  ['keys of a product', () => '/keys?product_id=P17', 10],
  ['keys of a customer', () => '/keys?customer_email=c17@example.com', 10],
  ['keys of an address of two forms', () => '/keys?customer_email=c17@xn--bcher-kva.example', 0],
  ['banned keys', () => '/keys?status=banned', 10],
  ['suspended keys', () => '/keys?status=suspended', 10],
  ['expired keys', () => '/keys?status=expired', 10],
  ['unused keys', () => '/keys?status=unused', 11],
  ['banned and suspended keys', () => '/keys?status=banned,suspended', 20],
  ['active keys', () => '/keys?status=active', 25],
  ['keys created before a time', () => `/keys?created_before=${timeBetween(ROWS - 10)}`, 10],
  ['devices of a key', () => `/keys/${license.id}/devices`, 25],
  ['sessions of a key', () => `/keys/${license.id}/sessions`, 25],
  ['audit events', () => '/audit-events', 25],
  ['audit events of a record', () => '/audit-events?record_type=t7&record_id=17', 10],
  ['audit events of a rare type of record', () => '/audit-events?record_type=rare', 10],
  ['audit events of all records with an id', () => '/audit-events?record_id=17', 10],
  ['audit events of an action', () => '/audit-events?action=a17', 10],
  ['audit events until a time', () => `/audit-events?created_to=${timeBetween(ROWS - 10)}`, 10],
  ['reports', () => '/client-reports', 25],
  ['reports of a key', () => `/client-reports?key_id=${license.id + 17}`, 10],
  ['reports of a kind', () => '/client-reports?kind=k17', 10],
]

const SESSIONS: [string, () => Json, number][] = [
  ['all sessions', () => ({}), 25],
  ['sessions after a cursor', () => ({ cursor: `${Date.parse(NEWEST_AT) - 3_600_000}-1` }), 25],
  ['live sessions', () => ({ state: 'live' }), 10],
  ['ended sessions', () => ({ state: 'ended' }), 25],
  ['live sessions of an app', () => ({ state: 'live', app_id: `${license.app_id}` }), 10],
  ['sessions of a license', () => ({ key_id: `${license.id}` }), 25],
]

// Only the dashboard lists the sessions of a store. No user signs in here, so the use case is called directly.
test.each(SESSIONS)(
  'the list of %s runs 1 statement and reads only its page',
  async (_, query, length) => {
    const { json, plans } = await tradepost.explain(() =>
      listStoreSessions(tradepost.contextNow(), SessionQuery.parse({ limit: '25', ...query() })),
    )
    expect(json.sessions).toHaveLength(length)
    expect(plans).toHaveLength(1)
    expect(maxRowsRead(plans[0])).toBeLessThanOrEqual(ROWS_READ_MAX)
  },
)

test.each(LISTS)(
  'the list of %s runs at most 2 statements and reads only its page',
  async (_, path, length) => {
    const { json, statements, rows } = await measure(path())
    const list = Object.values(json).find(Array.isArray)
    expect(list).toHaveLength(length)
    expect(statements).toBeLessThanOrEqual(2)
    expect(rows).toBeLessThanOrEqual(ROWS_READ_MAX)
  },
)

test('the search for a license key by its text in all apps compares none of the 100,000 others', async () => {
  for (const [key, found] of [
    [license.key, 1],
    ['UNKNOWN', 0],
  ] as const) {
    const { json, plans } = await tradepost.explain(() => callSecurityApi(`/keys?key=${key}`))
    expect(json.keys).toHaveLength(found)
    for (const plan of plans) expect(pagesRead(plan)).toBeLessThanOrEqual(PAGES_READ_MAX)
  }
})

test('the list of 100,000 banned addresses counts up to 10,000', async () => {
  const { json, rows } = await measure('/device-bans')
  expect([json.device_bans.length, json.pagination.total]).toEqual([25, 10_000])
  expect(rows).toBeLessThanOrEqual(10_100)
})

test('a validation of a license key reads few rows of 100,000 banned addresses', async () => {
  const { app } = await callSecurityApi(`/apps/${license.app_id}`)
  const { json, rows } = await measure(`/client/${app.public_id}/validate`, {
    license_key: license.key,
  })
  expect(json.code).toBe('VALID')
  expect(rows).toBeLessThanOrEqual(ROWS_READ_MAX)
})
