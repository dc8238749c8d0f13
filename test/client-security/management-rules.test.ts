import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import {
  createApp,
  createLicenseKey,
  createSetting,
  createString,
  newName,
} from './prepared-calls.ts'
import { createSeller, type Seller } from './seller.ts'

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
})
afterAll(() => tradepost.close())

const refusalOf = async (answer: ReturnType<Seller['get']>) => {
  const { status, json } = await answer
  return [status, json.error] as const
}

describe('remote settings', () => {
  const create = (fields: Json) => seller.post('/remote-settings', { key: newName('k'), ...fields })

  test.each<[string, Json, string]>([
    ['a text instead of a boolean', { type: 'boolean', value: 'true' }, 'value'],
    ['an integer above 2^53', { type: 'integer', value: 2 ** 53 }, 'value'],
    [
      'an integer below its minimum',
      { type: 'integer', value: 0, constraints: { min: 1 } },
      'value',
    ],
    [
      'a text that is not one of its options',
      { type: 'string', value: 'c', constraints: { enum: ['a', 'b'] } },
      'value',
    ],
    [
      'a text that is too long',
      { type: 'string', value: 'abc', constraints: { max_length: 2 } },
      'value',
    ],
    [
      'a text that does not match its pattern',
      { type: 'string', value: 'b', constraints: { pattern: '^a+$' } },
      'value',
    ],
    [
      'a pattern with a back reference',
      { type: 'string', value: 'a', constraints: { pattern: '(a)\\1' } },
      'constraints.pattern',
    ],
    [
      'a constraint of another type',
      { type: 'boolean', value: true, constraints: { min: 1 } },
      'constraints.min',
    ],
    ['JSON with a number above 2^53', { type: 'json', value: { a: [2 ** 60] } }, 'value'],
    [
      'JSON that does not match its schema',
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
      'a min_level for public access',
      { type: 'integer', value: 1, access: 'public', min_level: 2 },
      'min_level',
    ],
  ])('are refused with %s, and the field is named', async (_, fields, field) => {
    expect(await refusalOf(create(fields))).toEqual([422, expect.stringContaining(`${field}: `)])
  })

  test('match a pattern with nested repetitions in linear time', async () => {
    const value = `${'a'.repeat(50_000)}!`
    expect(
      (await create({ type: 'string', value, constraints: { pattern: '^(a+)+$' } })).status,
    ).toBe(422)
  })

  test('have a history of versions, and a rollback creates a new version and raises config_version', async () => {
    const { id: app_id } = await createApp(seller)
    const getConfigVersion = async () =>
      (await expectSuccess(seller.get(`/apps/${app_id}`))).app.config_version
    const { id } = await createSetting(seller, { app_id, value: 1 })
    const path = `/remote-settings/${id}`
    await expectSuccess(seller.patch(path, { value: 2 }))
    expect(
      (await seller.patch(path, { value: 3 }, { headers: { 'if-match': '"1"' } })).status,
    ).toBe(412)
    expect((await seller.patch(path, { type: 'string' })).status).toBe(422)
    const before = await getConfigVersion()
    const { remote_setting } = await expectSuccess(seller.post(`${path}/rollback`, { version: 1 }))
    expect(remote_setting).toMatchObject({ value: 1, version: 3 })
    expect(await getConfigVersion()).toBe(before + 1)
    const { versions } = await expectSuccess(seller.get(`${path}/versions`))
    expect(versions.map((item: Json) => [item.version, item.value])).toEqual([
      [3, 1],
      [2, 2],
      [1, 1],
    ])
    expect((await seller.post(`${path}/rollback`, { version: 9 })).status).toBe(404)
  })

  test('are replaced all together, or not at all', async () => {
    const { id: app_id } = await createApp(seller)
    const put = (settings: Json[], headers = {}) =>
      seller.put('/remote-settings', { app_id, settings }, { headers })
    const setting = { key: 'one', type: 'integer', value: 1 }
    await expectSuccess(put([setting, { key: 'two', type: 'boolean', value: true }]))
    const invalid = await put([
      { ...setting, value: 5 },
      { key: 'x', type: 'integer', value: 'x' },
    ])
    expect([invalid.status, invalid.json.error]).toEqual([
      422,
      expect.stringContaining('settings[1].value'),
    ])
    expect((await put([setting, setting])).status).toBe(422)
    expect((await put([], { 'if-match': '"1"' })).status).toBe(412)
    const { remote_settings, config_version } = await expectSuccess(
      put([setting], { 'if-match': '"2"' }),
    )
    expect(remote_settings.map((item: Json) => [item.key, item.version])).toEqual([['one', 1]])
    expect(config_version).toBe(3)
  })
})

describe('license keys', () => {
  test('are refused with a mask that can be guessed or that has the form of generated keys', async () => {
    expect((await seller.post('/keys', { mask: `A${'*'.repeat(12)}` })).status).toBe(422)
    const maskOfGeneratedKeys = Array.from({ length: 5 }, () => '*****').join('-')
    expect((await seller.post('/keys', { mask: maskOfGeneratedKeys })).status).toBe(422)
    const { key } = await createLicenseKey(seller, { mask: `AB-${'*'.repeat(13)}` })
    expect(key).toMatch(/^AB-[0-9A-HJKMNP-TV-Z]{13}$/)
    expect((await seller.post('/keys', { count: 1_001 })).status).toBe(422)
  })

  test('are created 1,000 at a time with different texts, by at most eight statements', async () => {
    let keys: Json[] = []
    const sentStatements = await tradepost.statements(async () => {
      keys = (await expectSuccess(seller.post('/keys', { count: 1_000 }))).keys
    })
    expect(new Set(keys.map((item) => item.key)).size).toBe(1_000)
    expect(sentStatements.length).toBeLessThanOrEqual(8)
  })

  test('are imported with their exact text, and one duplicate refuses all', async () => {
    const [first, second] = [newName('Old Key'), newName('Old Key')]
    await expectSuccess(seller.post('/keys/import', { keys: [{ key: ` ${first} ` }] }))
    const secondAnswer = await seller.post('/keys/import', {
      keys: [{ key: second }, { key: first }],
    })
    expect([secondAnswer.status, secondAnswer.json.error]).toEqual([
      409,
      expect.stringContaining('keys[1].key'),
    ])
    const find = async (key: string) =>
      (await expectSuccess(seller.get(`/keys?key=${encodeURIComponent(key)}`))).keys.length
    expect([await find(first), await find(first.toLowerCase()), await find(second)]).toEqual([
      1, 0, 0,
    ])
  })

  test('are extended from their end, or from now if the end has passed', async () => {
    const { id } = await createLicenseKey(seller, { duration_seconds: 60 })
    const getEnd = async () =>
      Date.parse((await expectSuccess(seller.get(`/keys/${id}`))).key.expires_at)
    const firstEnd = await getEnd()
    await expectSuccess(seller.post(`/keys/${id}/extend`, { seconds: 60 }))
    expect(await getEnd()).toBe(firstEnd + 60_000)
    tradepost.forward(3_600_000)
    await expectSuccess(seller.post(`/keys/${id}/extend`, { seconds: 60, from: 'now_if_expired' }))
    expect(await getEnd()).toBeGreaterThan(firstEnd + 3_000_000)
    const past = new Date(firstEnd).toISOString()
    expect((await seller.post(`/keys/${id}/extend`, { until: past })).status).toBe(422)
    const { id: keyWithoutEnd } = await createLicenseKey(seller)
    expect((await seller.post(`/keys/${keyWithoutEnd}/extend`, { seconds: 60 })).status).toBe(409)
  })

  test('have a number of device resets and a cooldown between them, which force ignores', async () => {
    const { id } = await createLicenseKey(seller, { device_resets_left: 1 })
    const reset = (body: Json = {}) => seller.post(`/keys/${id}/reset-devices`, body)
    expect((await reset()).json.key.device_resets_left).toBe(0)
    expect((await reset()).status).toBe(409)
    expect((await reset({ force: true })).status).toBe(200)
    const { id: keyWithCooldown } = await createLicenseKey(seller)
    await expectSuccess(seller.post(`/keys/${keyWithCooldown}/reset-devices`))
    const early = await seller.post(`/keys/${keyWithCooldown}/reset-devices`)
    expect([early.status, Number(early.headers['retry-after'])]).toEqual([409, expect.any(Number)])
    tradepost.forward(7 * 86_400_000 + 1_000)
    expect((await seller.post(`/keys/${keyWithCooldown}/reset-devices`)).status).toBe(200)
  })

  test('keep their prefix when they are rotated', async () => {
    for (const prefix of ['GAME', 'Lite', undefined]) {
      const { id, key } = await createLicenseKey(seller, { prefix })
      const { key: rotatedKey } = await expectSuccess(seller.post(`/keys/${id}/rotate`))
      const form = new RegExp(`^${prefix ? `${prefix}-` : ''}([0-9A-Z]{5}-){4}[0-9A-Z]{5}$`)
      expect(rotatedKey.key).toMatch(form)
      expect(rotatedKey.key).not.toBe(key)
      expect(rotatedKey.key_preview).toBe(rotatedKey.key.slice(-5))
    }
  })

  test('are all changed by a batch, or none', async () => {
    const { id } = await createLicenseKey(seller)
    const ban = { action: 'ban', reason: 'Test' }
    expect((await seller.post('/keys/batch', { ...ban, ids: [id, 987_654_321] })).status).toBe(404)
    expect((await expectSuccess(seller.get(`/keys/${id}`))).key.status).toBe('unused')
    expect((await expectSuccess(seller.post('/keys/batch', { ...ban, ids: [id] }))).count).toBe(1)
    expect((await expectSuccess(seller.get(`/keys/${id}`))).key.status).toBe('banned')
  })
})

test('the audit events of a string have the actor and the address, and not its value', async () => {
  const { id } = await createString(seller, { value: 'THE-SECRET-VALUE' })
  await expectSuccess(seller.patch(`/serverside-strings/${id}`, { status: 'inactive' }))
  const filter = `record_type=serverside_string&record_id=${id}`
  const { audit_events } = await expectSuccess(seller.get(`/audit-events?${filter}`))
  expect(audit_events.map((item: Json) => item.action)).toEqual([
    'serverside_string.switch',
    'serverside_string.create',
  ])
  expect(audit_events[0]).toMatchObject({ ip: '127.0.0.1', actor_key_id: expect.any(Number) })
  expect(audit_events[0].before_hash).toBe(audit_events[1].after_hash)
  expect(JSON.stringify(audit_events)).not.toContain('SECRET')
})

test('the database contains no secret in plain text', async () => {
  await createString(seller, { value: 'PLAIN-TEXT-MARKER' })
  const { key } = await createLicenseKey(seller)
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
