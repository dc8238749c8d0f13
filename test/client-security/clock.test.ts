import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { product } from '../build.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { machine, programOf } from './program.ts'
import { made, type Seller, sellerAt } from './seller.ts'
import { aFile, aKey, anApp, aSetting, aString } from './walks.ts'

const HOUR_MS = 3_600_000
const YEAR_S = 31_536_000

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
})
afterAll(() => tradepost.close())

/** Runs work with the clock set back by an hour. */
async function anHourAgo<T>(work: () => Promise<T>): Promise<T> {
  tradepost.forward(-HOUR_MS)
  try {
    return await work()
  } finally {
    tradepost.forward(HOUR_MS)
  }
}

const raw = { raw: 'new', headers: { 'content-type': 'application/octet-stream' } }
const text = { name: 'other', value: 'w' }

/** Each change, by the field of its answer that holds the record. */
const changes: [string, string, (id: number) => Promise<Json>][] = [
  ['app', 'apps', (id) => seller.patch(`/apps/${id}`, { min_version: '2' })],
  ['serverside_string', 'strings', (id) => seller.put(`/serverside-strings/${id}`, text)],
  [
    'serverside_string',
    'strings',
    (id) => seller.patch(`/serverside-strings/${id}`, { status: 'inactive' }),
  ],
  ['serverside_file', 'files', (id) => seller.patch(`/serverside-files/${id}`, { min_level: 1 })],
  ['serverside_file', 'files', (id) => seller.call('PUT', `/serverside-files/${id}/content`, raw)],
  ['remote_setting', 'settings', (id) => seller.patch(`/remote-settings/${id}`, { value: 2 })],
  ['key', 'keys', (id) => seller.patch(`/keys/${id}`, { note: 'n' })],
  ['key', 'keys', (id) => seller.post(`/keys/${id}/extend`, { seconds: 60 })],
  ['key', 'keys', (id) => seller.post(`/keys/${id}/reset-devices`, {})],
]
const records: Record<string, () => Promise<Json>> = {
  apps: () => anApp(seller),
  strings: () => aString(seller),
  files: () => aFile(seller),
  settings: () => aSetting(seller),
  keys: () => aKey(seller, { duration_seconds: YEAR_S }),
}

test.each(changes)(
  'a changed %s of the %s is not older for a clock that went back',
  async (name, kind, change) => {
    const { id, updated_at } = (await records[kind]?.()) ?? {}
    await anHourAgo(() => made(change(id)))
    const path = kind.replace(/^(strings|files)/, 'serverside-$1').replace(/^settings/, 'remote-$&')
    expect((await made(seller.get(`/${path}/${id}`)))[name].updated_at).toBe(updated_at)
  },
)

test('settings that are replaced, policies and activated keys are not older either', async () => {
  const { appId: app_id, start } = await programOf(tradepost, seller)
  const { key: setting, updated_at } = await aSetting(seller, { app_id })
  const settings = [{ key: setting, type: 'integer', value: 2 }]
  const { remote_settings } = await anHourAgo(() =>
    made(seller.put('/remote-settings', { app_id, settings })),
  )
  expect(remote_settings[0]).toMatchObject({ value: 2, updated_at })

  const { variantId } = await product(tradepost, { type: 'license' })
  const path = `/license-policies/${variantId}`
  const before = (await made(seller.put(path, {}))).license_policy
  const after = (await anHourAgo(() => made(seller.put(path, { level: 2 })))).license_policy
  expect(after).toEqual({ ...before, level: 2 })
  expect((await made(seller.get(path))).license_policy).toEqual(after)

  tradepost.forward(HOUR_MS)
  const key = await aKey(seller, { app_id })
  await anHourAgo(() => start({ license_key: key.key, device: machine() }))
  const { rows } = await sql<{ devices_count: number; updated_at: string }>`
    select devices_count, updated_at from license_key where id = ${key.id}`.execute(tradepost.db)
  expect(rows).toEqual([{ devices_count: 1, updated_at: key.updated_at }])
})
