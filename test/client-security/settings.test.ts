import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import { createApp, createSetting, newName } from './prepared-calls.ts'
import { createSeller, type Seller } from './seller.ts'

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
})
afterAll(() => tradepost.close())

const create = (fields: Json) => seller.post('/remote-settings', { key: newName('k'), ...fields })
const getSetting = async (id: number): Promise<Json> =>
  (await expectSuccess(seller.get(`/remote-settings/${id}`))).remote_setting
const statusAndField = ({ status, json }: { status: number; json: Json }) => [
  status,
  json.error?.split(':')[0],
]

describe('a remote setting', () => {
  test('raises the config_version of its app when it is created, changed or deleted, and not when a change is refused', async () => {
    const { id: app_id } = await createApp(seller)
    const getConfigVersion = async () =>
      (await expectSuccess(seller.get(`/apps/${app_id}`))).app.config_version
    const { id } = await createSetting(seller, { app_id })
    expect(await getConfigVersion()).toBe(2)
    await expectSuccess(seller.patch(`/remote-settings/${id}`, { value: 2 }))
    expect(await getConfigVersion()).toBe(3)
    expect((await seller.patch(`/remote-settings/${id}`, { value: 'x' })).status).toBe(422)
    await getSetting(id)
    expect(await getConfigVersion()).toBe(3)
    await expectSuccess(seller.delete(`/remote-settings/${id}`))
    expect(await getConfigVersion()).toBe(4)
  })

  test('is not changed or deleted by a call with another version in If-Match', async () => {
    const { id } = await createSetting(seller)
    const path = `/remote-settings/${id}`
    const otherVersion = { headers: { 'if-match': '"2"' } }
    expect((await seller.patch(path, { value: 2 }, otherVersion)).status).toBe(412)
    expect((await seller.delete(path, otherVersion)).status).toBe(412)
    expect(await getSetting(id)).toMatchObject({ value: 1, version: 1 })
    expect((await seller.delete(path, { headers: { 'if-match': '"1"' } })).status).toBe(200)
  })

  test('is not changed if a sent field would contradict a stored one', async () => {
    const { id } = await createSetting(seller, {
      constraints: { max: 10 },
      min_level: 2,
      default_value: 3,
    })
    const patch = (body: Json) => seller.patch(`/remote-settings/${id}`, body)
    expect(statusAndField(await patch({ value: 11 }))).toEqual([422, 'value'])
    expect(statusAndField(await patch({ constraints: { max: 0 } }))).toEqual([422, 'value'])
    expect(statusAndField(await patch({ constraints: { max: 2 } }))).toEqual([422, 'default_value'])
    expect(statusAndField(await patch({ access: 'public' }))).toEqual([422, 'min_level'])
    expect(statusAndField(await patch({ type: 'string', value: 'x' }))).toEqual([
      422,
      'constraints.max',
    ])
    expect((await patch({ access: 'public', min_level: 0 })).status).toBe(200)
    expect(await getSetting(id)).toMatchObject({ value: 1, version: 2, default_value: 3 })
  })

  test('is refused if its app has 1,000 settings', async () => {
    const { id: app_id } = await createApp(seller)
    const settings = Array.from({ length: 999 }, (_, n) => ({
      key: `k${n}`,
      type: 'integer',
      value: n,
    }))
    await expectSuccess(seller.put('/remote-settings', { app_id, settings }))
    const newSetting = { app_id, type: 'integer', value: 1 }
    const answers = await Promise.all(['a', 'b', 'c'].map((key) => create({ ...newSetting, key })))
    expect(answers.map(statusAndField).sort()).toEqual([
      [201, undefined],
      [422, 'key'],
      [422, 'key'],
    ])
    expect((await createSetting(seller)).version).toBe(1)
  })

  test('is refused with the key of another setting of its app', async () => {
    const { key } = await createSetting(seller)
    const secondAnswer = await seller.post('/remote-settings', { key, type: 'integer', value: 1 })
    expect(statusAndField(secondAnswer)).toEqual([409, 'key'])
    const { id: app_id } = await createApp(seller)
    expect((await createSetting(seller, { key, app_id })).key).toBe(key)
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
      'its max',
      { type: 'number', value: 1.5, constraints: { max: 1.5 } },
      { type: 'number', value: 1.6, constraints: { max: 1.5 } },
    ],
    [
      'its min',
      { type: 'integer', value: -1, constraints: { min: -1 } },
      { type: 'integer', value: -2, constraints: { min: -1 } },
    ],
    [
      'its max_length, in characters',
      { type: 'string', value: '😀', constraints: { max_length: 1 } },
      { type: 'string', value: '😀a', constraints: { max_length: 1 } },
    ],
    [
      '2^53 - 1',
      { type: 'integer', value: Number.MAX_SAFE_INTEGER },
      { type: 'integer', value: Number.MAX_SAFE_INTEGER + 1 },
    ],
  ])('is limited by %s', async (_, allowed, tooMuch) => {
    expect((await create(allowed)).status).toBe(201)
    expect(statusAndField(await create(tooMuch))).toEqual([422, 'value'])
  })

  test('is refused with a min above its max', async () => {
    const constraints = { min: 2, max: 1 }
    expect(statusAndField(await create({ type: 'integer', value: 2, constraints }))).toEqual([
      422,
      'constraints.max',
    ])
  })
})

describe('the replacement of all settings of an app', () => {
  test('adds a version to each changed setting, and deletes the others', async () => {
    const { id: app_id } = await createApp(seller)
    const put = (settings: Json[]) =>
      expectSuccess(seller.put('/remote-settings', { app_id, settings }))
    const setting = { key: 'one', type: 'integer', value: 1 }
    await put([setting, { key: 'two', type: 'boolean', value: true }])
    const { remote_settings } = await put([{ ...setting, value: 2 }])
    expect(remote_settings).toMatchObject([{ key: 'one', value: 2, version: 2 }])
    const [{ id }] = remote_settings
    const { versions } = await expectSuccess(seller.get(`/remote-settings/${id}/versions`))
    expect(versions.map((item: Json) => [item.version, item.value])).toEqual([
      [2, 2],
      [1, 1],
    ])
    const { pagination } = await expectSuccess(seller.get(`/remote-settings?app_id=${app_id}`))
    expect(pagination.total).toBe(1)
  })
})
