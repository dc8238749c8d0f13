import { expect, test } from 'vitest'
import { createSecurityKey } from '../concurrency/security-key.ts'
import type { Json } from '../harness.ts'
import { bigStore } from './big-store.ts'
import { maxRowsRead } from './plans.ts'

/** So many that the planner, with its default statistics, would read the keys from the newest one on. */
const ROWS = 400_000
const EXPIRED = 10
const ROWS_READ_MAX = 400

let listKeys: (query: string) => Promise<Json>

const tradepost = bigStore(async (store) => {
  const key = await createSecurityKey(store)
  const callApi = async (path: string, body?: Json): Promise<Json> => {
    const response = await fetch(`${store.targets[0].origin}/security/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return (await response.json()) as Json
  }
  listKeys = (query) => callApi(`/keys?${query}`)
  const { app } = await callApi('/apps', { name: 'Plans' })
  return [
    `insert into license_key (store_id, app_id, key_hmac, key_enc, key_preview, level, entitlements, expiry_basis,
       reset_cooldown_seconds, metadata, expires_at, first_activated_at, created_at, updated_at)
     select ${store.storeId}, ${app.id}, decode(md5(n::text), 'hex'), '\\x00', 'AAAAA', 0, '{}', 'creation', 0, '{}',
            now() + case when n % ${ROWS / EXPIRED} = 1 then -1 else n % 300 + 1 end * interval '1 day', now(),
            now(), now()
       from generate_series(1, ${ROWS}) n`,
    'vacuum analyze license_key',
  ]
})

test('the list of the 10 expired of 400,000 license keys reads only these', async () => {
  const { json, plans } = await tradepost.explain(() => listKeys('status=expired'))
  expect(json.keys).toHaveLength(EXPIRED)
  expect(Math.max(...plans.map(maxRowsRead))).toBeLessThanOrEqual(ROWS_READ_MAX)
})

test('the list of the active of 400,000 license keys reads only a page', async () => {
  const { json, plans } = await tradepost.explain(() => listKeys('status=active&limit=25'))
  expect(json.keys).toHaveLength(25)
  expect(Math.max(...plans.map(maxRowsRead))).toBeLessThanOrEqual(ROWS_READ_MAX)
})
