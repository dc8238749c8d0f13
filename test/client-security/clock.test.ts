import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { product } from '../build.ts'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import {
  createApp,
  createFile,
  createLicenseKey,
  createSetting,
  createString,
} from './prepared-calls.ts'
import { createProgram, newMachine } from './program.ts'
import { createSeller, type Seller } from './seller.ts'

const HOUR_MS = 3_600_000
const YEAR_S = 31_536_000

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
})
afterAll(() => tradepost.close())

/** Does work while the clock is set back by an hour. */
async function withClockSetBack<T>(work: () => Promise<T>): Promise<T> {
  tradepost.forward(-HOUR_MS)
  try {
    return await work()
  } finally {
    tradepost.forward(HOUR_MS)
  }
}

const newContent = { raw: 'new', headers: { 'content-type': 'application/octet-stream' } }
const newString = { name: 'other', value: 'w' }

/** The field of the answer with the record, the path of its list, and a change. */
const CHANGES: [string, string, (id: number) => Promise<Json>][] = [
  ['app', 'apps', (id) => seller.patch(`/apps/${id}`, { min_version: '2' })],
  [
    'serverside_string',
    'serverside-strings',
    (id) => seller.put(`/serverside-strings/${id}`, newString),
  ],
  [
    'serverside_string',
    'serverside-strings',
    (id) => seller.patch(`/serverside-strings/${id}`, { status: 'inactive' }),
  ],
  [
    'serverside_file',
    'serverside-files',
    (id) => seller.patch(`/serverside-files/${id}`, { min_level: 1 }),
  ],
  [
    'serverside_file',
    'serverside-files',
    (id) => seller.call('PUT', `/serverside-files/${id}/content`, newContent),
  ],
  [
    'remote_setting',
    'remote-settings',
    (id) => seller.patch(`/remote-settings/${id}`, { value: 2 }),
  ],
  ['key', 'keys', (id) => seller.patch(`/keys/${id}`, { note: 'n' })],
  ['key', 'keys', (id) => seller.post(`/keys/${id}/extend`, { seconds: 60 })],
  ['key', 'keys', (id) => seller.post(`/keys/${id}/reset-devices`, {})],
]
const CREATE: Record<string, () => Promise<Json>> = {
  apps: () => createApp(seller),
  'serverside-strings': () => createString(seller),
  'serverside-files': () => createFile(seller),
  'remote-settings': () => createSetting(seller),
  keys: () => createLicenseKey(seller, { duration_seconds: YEAR_S }),
}

test.each(CHANGES)(
  'a change after the clock was set back keeps the updated_at of the record %s in /%s',
  async (name, path, change) => {
    const { id, updated_at } = (await CREATE[path]?.()) ?? {}
    await withClockSetBack(() => expectSuccess(change(id)))
    expect((await expectSuccess(seller.get(`/${path}/${id}`)))[name].updated_at).toBe(updated_at)
  },
)

test('replaced settings, license policies and activated license keys also keep their updated_at after the clock was set back', async () => {
  const { appId: app_id, start } = await createProgram(tradepost, seller)
  const { key: setting, updated_at } = await createSetting(seller, { app_id })
  const settings = [{ key: setting, type: 'integer', value: 2 }]
  const { remote_settings } = await withClockSetBack(() =>
    expectSuccess(seller.put('/remote-settings', { app_id, settings })),
  )
  expect(remote_settings[0]).toMatchObject({ value: 2, updated_at })

  const { variantId } = await product(tradepost, { type: 'license' })
  const path = `/license-policies/${variantId}`
  const before = (await expectSuccess(seller.put(path, {}))).license_policy
  const after = (await withClockSetBack(() => expectSuccess(seller.put(path, { level: 2 }))))
    .license_policy
  expect(after).toEqual({ ...before, level: 2 })
  expect((await expectSuccess(seller.get(path))).license_policy).toEqual(after)

  tradepost.forward(HOUR_MS)
  const key = await createLicenseKey(seller, { app_id })
  await withClockSetBack(() => start({ license_key: key.key, device: newMachine() }))
  const { rows } = await sql<{ devices_count: number; updated_at: string }>`
    select devices_count, updated_at from license_key where id = ${key.id}`.execute(tradepost.db)
  expect(rows).toEqual([{ devices_count: 1, updated_at: key.updated_at }])
})
