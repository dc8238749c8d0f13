import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { made, type Seller, sellerAt } from './seller.ts'
import { aKey, anApp, aSetting, aString, fresh } from './walks.ts'

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
})
afterAll(() => tradepost.close())

const refused = async (answer: ReturnType<Seller['get']>) => {
  const { status, json } = await answer
  return [status, json.error] as const
}

describe('remote settings', () => {
  const write = (fields: Json) => seller.post('/remote-settings', { key: fresh('k'), ...fields })

  test.each<[string, Json, string]>([
    ['a boolean', { type: 'boolean', value: 'true' }, 'value'],
    ['an integer past 2^53', { type: 'integer', value: 2 ** 53 }, 'value'],
    ['an integer below its least', { type: 'integer', value: 0, constraints: { min: 1 } }, 'value'],
    [
      'none of its options',
      { type: 'string', value: 'c', constraints: { enum: ['a', 'b'] } },
      'value',
    ],
    ['a text too long', { type: 'string', value: 'abc', constraints: { max_length: 2 } }, 'value'],
    [
      'a text off its pattern',
      { type: 'string', value: 'b', constraints: { pattern: '^a+$' } },
      'value',
    ],
    [
      'a pattern that could hang',
      { type: 'string', value: 'a', constraints: { pattern: '(a)\\1' } },
      'constraints.pattern',
    ],
    [
      'a constraint of another type',
      { type: 'boolean', value: true, constraints: { min: 1 } },
      'constraints.min',
    ],
    ['a rounded number inside JSON', { type: 'json', value: { a: [2 ** 60] } }, 'value'],
    [
      'JSON off its schema',
      {
        type: 'json',
        value: { a: 1 },
        constraints: { schema: { properties: { a: { type: 'string' } } } },
      },
      'value',
    ],
    [
      'a default of another type',
      { type: 'integer', value: 1, default_value: 'x' },
      'default_value',
    ],
    [
      'a level for everybody',
      { type: 'integer', value: 1, access: 'public', min_level: 2 },
      'min_level',
    ],
  ])('a value that is not %s is refused by its field', async (_, fields, field) => {
    expect(await refused(write(fields))).toEqual([422, expect.stringContaining(`${field}: `)])
  })

  test('a text that would make other engines hang is matched at once', async () => {
    const value = `${'a'.repeat(50_000)}!`
    expect(
      (await write({ type: 'string', value, constraints: { pattern: '^(a+)+$' } })).status,
    ).toBe(422)
  })

  test('keep their history, roll back as a new version, and raise the configuration', async () => {
    const { id: app_id } = await anApp(seller)
    const config = async () => (await made(seller.get(`/apps/${app_id}`))).app.config_version
    const { id } = await aSetting(seller, { app_id, value: 1 })
    const path = `/remote-settings/${id}`
    await made(seller.patch(path, { value: 2 }))
    expect(
      (await seller.patch(path, { value: 3 }, { headers: { 'if-match': '"1"' } })).status,
    ).toBe(412)
    expect((await seller.patch(path, { type: 'string' })).status).toBe(422)
    const before = await config()
    const { remote_setting } = await made(seller.post(`${path}/rollback`, { version: 1 }))
    expect(remote_setting).toMatchObject({ value: 1, version: 3 })
    expect(await config()).toBe(before + 1)
    const { versions } = await made(seller.get(`${path}/versions`))
    expect(versions.map((item: Json) => [item.version, item.value])).toEqual([
      [3, 1],
      [2, 2],
      [1, 1],
    ])
    expect((await seller.post(`${path}/rollback`, { version: 9 })).status).toBe(404)
  })

  test('are replaced all at once, or not at all', async () => {
    const { id: app_id } = await anApp(seller)
    const put = (settings: Json[], headers = {}) =>
      seller.put('/remote-settings', { app_id, settings }, { headers })
    const one = { key: 'one', type: 'integer', value: 1 }
    await made(put([one, { key: 'two', type: 'boolean', value: true }]))
    const bad = await put([
      { ...one, value: 5 },
      { key: 'x', type: 'integer', value: 'x' },
    ])
    expect([bad.status, bad.json.error]).toEqual([
      422,
      expect.stringContaining('settings[1].value'),
    ])
    expect((await put([one, one])).status).toBe(422)
    expect((await put([], { 'if-match': '"1"' })).status).toBe(412)
    const { remote_settings, config_version } = await made(put([one], { 'if-match': '"2"' }))
    expect(remote_settings.map((setting: Json) => [setting.key, setting.version])).toEqual([
      ['one', 1],
    ])
    expect(config_version).toBe(3)
  })
})

describe('license keys', () => {
  test('a mask that could be guessed, or has the form of our keys, is 422', async () => {
    expect((await seller.post('/keys', { mask: `A${'*'.repeat(12)}` })).status).toBe(422)
    const ours = Array.from({ length: 5 }, () => '*****').join('-')
    expect((await seller.post('/keys', { mask: ours })).status).toBe(422)
    const { key } = await aKey(seller, { mask: `AB-${'*'.repeat(13)}` })
    expect(key).toMatch(/^AB-[0-9A-HJKMNP-TV-Z]{13}$/)
    expect((await seller.post('/keys', { count: 1_001 })).status).toBe(422)
  })

  test('1,000 are made in one call, all different, with few statements', async () => {
    let keys: Json[] = []
    const sent = await tradepost.statements(async () => {
      keys = (await made(seller.post('/keys', { count: 1_000 }))).keys
    })
    expect(new Set(keys.map((item) => item.key)).size).toBe(1_000)
    expect(sent.length).toBeLessThanOrEqual(8)
  })

  test('imported ones are found exactly, and a double refuses all', async () => {
    const [one, two] = [fresh('Old Key'), fresh('Old Key')]
    await made(seller.post('/keys/import', { keys: [{ key: ` ${one} ` }] }))
    const again = await seller.post('/keys/import', { keys: [{ key: two }, { key: one }] })
    expect([again.status, again.json.error]).toEqual([409, expect.stringContaining('keys[1].key')])
    const find = async (key: string) =>
      (await made(seller.get(`/keys?key=${encodeURIComponent(key)}`))).keys.length
    expect([await find(one), await find(one.toLowerCase()), await find(two)]).toEqual([1, 0, 0])
  })

  test('are extended from their end, or from now where that is past', async () => {
    const { id } = await aKey(seller, { duration_seconds: 60 })
    const end = async () => Date.parse((await made(seller.get(`/keys/${id}`))).key.expires_at)
    const first = await end()
    await made(seller.post(`/keys/${id}/extend`, { seconds: 60 }))
    expect(await end()).toBe(first + 60_000)
    tradepost.forward(3_600_000)
    await made(seller.post(`/keys/${id}/extend`, { seconds: 60, from: 'now_if_expired' }))
    expect(await end()).toBeGreaterThan(first + 3_000_000)
    const past = new Date(first).toISOString()
    expect((await seller.post(`/keys/${id}/extend`, { until: past })).status).toBe(422)
    const { id: endless } = await aKey(seller)
    expect((await seller.post(`/keys/${endless}/extend`, { seconds: 60 })).status).toBe(409)
  })

  test('free their devices within a cooldown and a count, unless forced', async () => {
    const { id } = await aKey(seller, { device_resets_left: 1 })
    const reset = (body: Json = {}) => seller.post(`/keys/${id}/reset-devices`, body)
    expect((await reset()).json.key.device_resets_left).toBe(0)
    expect((await reset()).status).toBe(409)
    expect((await reset({ force: true })).status).toBe(200)
    const { id: other } = await aKey(seller)
    await made(seller.post(`/keys/${other}/reset-devices`))
    const early = await seller.post(`/keys/${other}/reset-devices`)
    expect([early.status, Number(early.headers['retry-after'])]).toEqual([409, expect.any(Number)])
    tradepost.forward(604_801_000)
    expect((await seller.post(`/keys/${other}/reset-devices`)).status).toBe(200)
  })

  test('keep their prefix when they get another text', async () => {
    for (const prefix of ['GAME', 'Lite', undefined]) {
      const { id, key } = await aKey(seller, { prefix })
      const { key: after } = await made(seller.post(`/keys/${id}/rotate`))
      const form = new RegExp(`^${prefix ? `${prefix}-` : ''}([0-9A-Z]{5}-){4}[0-9A-Z]{5}$`)
      expect(after.key).toMatch(form)
      expect(after.key).not.toBe(key)
      expect(after.key_preview).toBe(after.key.slice(-5))
    }
  })

  test('a batch does all or nothing', async () => {
    const { id } = await aKey(seller)
    const ban = { action: 'ban', reason: 'Test' }
    expect((await seller.post('/keys/batch', { ...ban, ids: [id, 987_654_321] })).status).toBe(404)
    expect((await made(seller.get(`/keys/${id}`))).key.status).toBe('unused')
    expect((await made(seller.post('/keys/batch', { ...ban, ids: [id] }))).count).toBe(1)
    expect((await made(seller.get(`/keys/${id}`))).key.status).toBe('banned')
  })
})

test('changes are recorded with actor and address, and never with a value', async () => {
  const { id } = await aString(seller, { value: 'THE-SECRET-VALUE' })
  await made(seller.patch(`/serverside-strings/${id}`, { status: 'inactive' }))
  const filter = `record_type=serverside_string&record_id=${id}`
  const { audit_events } = await made(seller.get(`/audit-events?${filter}`))
  expect(audit_events.map((item: Json) => item.action)).toEqual([
    'serverside_string.switch',
    'serverside_string.create',
  ])
  expect(audit_events[0]).toMatchObject({ ip: '127.0.0.1', actor_key_id: expect.any(Number) })
  expect(audit_events[0].before_hash).toBe(audit_events[1].after_hash)
  expect(JSON.stringify(audit_events)).not.toContain('SECRET')
})

test('nothing secret lies in the database in clear', async () => {
  await aString(seller, { value: 'PLAIN-TEXT-MARKER' })
  const { key } = await aKey(seller)
  for (const table of ['serverside_string', 'license_key', 'client_signing_key']) {
    const { rows } = await sql`select * from ${sql.table(table)}`.execute(tradepost.db)
    const text = JSON.stringify(rows, (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    )
    expect(text.length).toBeGreaterThan(2)
    for (const secret of ['PLAIN-TEXT-MARKER', key, key.replaceAll('-', ''), 'PRIVATE KEY']) {
      expect(text.includes(secret), table).toBe(false)
    }
  }
})
