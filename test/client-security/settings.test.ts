import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { made, type Seller, sellerAt } from './seller.ts'
import { anApp, aSetting, fresh } from './walks.ts'

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
})
afterAll(() => tradepost.close())

const write = (fields: Json) => seller.post('/remote-settings', { key: fresh('k'), ...fields })
const get = async (id: number): Promise<Json> =>
  (await made(seller.get(`/remote-settings/${id}`))).remote_setting
const fieldOf = ({ status, json }: { status: number; json: Json }) => [
  status,
  json.error?.split(':')[0],
]

describe('a remote setting', () => {
  test('raises the configuration whenever it is made, changed or removed, and never by reading', async () => {
    const { id: app_id } = await anApp(seller)
    const config = async () => (await made(seller.get(`/apps/${app_id}`))).app.config_version
    const { id } = await aSetting(seller, { app_id })
    expect(await config()).toBe(2)
    await made(seller.patch(`/remote-settings/${id}`, { value: 2 }))
    expect(await config()).toBe(3)
    expect((await seller.patch(`/remote-settings/${id}`, { value: 'x' })).status).toBe(422)
    await get(id)
    expect(await config()).toBe(3)
    await made(seller.delete(`/remote-settings/${id}`))
    expect(await config()).toBe(4)
  })

  test('is changed and removed only in the version that its caller knows, where one is said', async () => {
    const { id } = await aSetting(seller)
    const path = `/remote-settings/${id}`
    const stale = { headers: { 'if-match': '"2"' } }
    expect((await seller.patch(path, { value: 2 }, stale)).status).toBe(412)
    expect((await seller.delete(path, stale)).status).toBe(412)
    expect(await get(id)).toMatchObject({ value: 1, version: 1 })
    expect((await seller.delete(path, { headers: { 'if-match': '"1"' } })).status).toBe(200)
  })

  test('holds together after a change of a part of it', async () => {
    const { id } = await aSetting(seller, {
      constraints: { max: 10 },
      min_level: 2,
      default_value: 3,
    })
    const patch = (body: Json) => seller.patch(`/remote-settings/${id}`, body)
    expect(fieldOf(await patch({ value: 11 }))).toEqual([422, 'value'])
    expect(fieldOf(await patch({ constraints: { max: 0 } }))).toEqual([422, 'value'])
    expect(fieldOf(await patch({ constraints: { max: 2 } }))).toEqual([422, 'default_value'])
    expect(fieldOf(await patch({ access: 'public' }))).toEqual([422, 'min_level'])
    expect(fieldOf(await patch({ type: 'string', value: 'x' }))).toEqual([422, 'constraints.max'])
    expect((await patch({ access: 'public', min_level: 0 })).status).toBe(200)
    expect(await get(id)).toMatchObject({ value: 1, version: 2, default_value: 3 })
  })

  test('is one of 1,000 in its app at most, however they came', async () => {
    const { id: app_id } = await anApp(seller)
    const settings = Array.from({ length: 999 }, (_, n) => ({
      key: `k${n}`,
      type: 'integer',
      value: n,
    }))
    await made(seller.put('/remote-settings', { app_id, settings }))
    const last = { app_id, type: 'integer', value: 1 }
    const answers = await Promise.all(['a', 'b', 'c'].map((key) => write({ ...last, key })))
    expect(answers.map(fieldOf).sort()).toEqual([
      [201, undefined],
      [422, 'key'],
      [422, 'key'],
    ])
    expect((await aSetting(seller)).version).toBe(1)
  })

  test('has a key once in its app', async () => {
    const { key } = await aSetting(seller)
    const again = await seller.post('/remote-settings', { key, type: 'integer', value: 1 })
    expect(fieldOf(again)).toEqual([409, 'key'])
    const { id: app_id } = await anApp(seller)
    expect((await aSetting(seller, { key, app_id })).key).toBe(key)
  })

  const text = (bytes: number) => 'x'.repeat(bytes)
  test.each<[string, Json, Json]>([
    [
      'a text of 64 KiB',
      { type: 'string', value: text(65_536) },
      { type: 'string', value: text(65_537) },
    ],
    [
      'JSON of 64 KiB',
      { type: 'json', value: text(65_534) },
      { type: 'json', value: text(65_535) },
    ],
    [
      'its most',
      { type: 'number', value: 1.5, constraints: { max: 1.5 } },
      { type: 'number', value: 1.6, constraints: { max: 1.5 } },
    ],
    [
      'its least',
      { type: 'integer', value: -1, constraints: { min: -1 } },
      { type: 'integer', value: -2, constraints: { min: -1 } },
    ],
    [
      'its length, in characters',
      { type: 'string', value: '😀', constraints: { max_length: 1 } },
      { type: 'string', value: '😀a', constraints: { max_length: 1 } },
    ],
    [
      '2^53 - 1',
      { type: 'integer', value: Number.MAX_SAFE_INTEGER },
      { type: 'integer', value: Number.MAX_SAFE_INTEGER + 1 },
    ],
  ])('is %s, and no further', async (_, most, more) => {
    expect((await write(most)).status).toBe(201)
    expect(fieldOf(await write(more))).toEqual([422, 'value'])
  })

  test('has a least that is not above its most', async () => {
    const constraints = { min: 2, max: 1 }
    expect(fieldOf(await write({ type: 'integer', value: 2, constraints }))).toEqual([
      422,
      'constraints.max',
    ])
  })
})

describe('all settings at once', () => {
  test('keep a history of their changes, and deleted ones are gone', async () => {
    const { id: app_id } = await anApp(seller)
    const put = (settings: Json[]) => made(seller.put('/remote-settings', { app_id, settings }))
    const one = { key: 'one', type: 'integer', value: 1 }
    await put([one, { key: 'two', type: 'boolean', value: true }])
    const { remote_settings } = await put([{ ...one, value: 2 }])
    expect(remote_settings).toMatchObject([{ key: 'one', value: 2, version: 2 }])
    const [{ id }] = remote_settings
    const { versions } = await made(seller.get(`/remote-settings/${id}/versions`))
    expect(versions.map((old: Json) => [old.version, old.value])).toEqual([
      [2, 2],
      [1, 1],
    ])
    const { pagination } = await made(seller.get(`/remote-settings?app_id=${app_id}`))
    expect(pagination.total).toBe(1)
  })
})
