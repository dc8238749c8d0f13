import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { retentionJobs } from '../../src/features/installation/retention/index.ts'
import { product } from '../build.ts'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import { createApp, createLicenseKey, newName } from './prepared-calls.ts'
import { createProgram, ed25519Device, newMachine, type Program } from './program.ts'
import { createSeller, type Seller } from './seller.ts'

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }

beforeAll(async () => {
  tradepost = await openTradepost()
  tradepost.stopClock()
  seller = await createSeller(tradepost)
  program = await createProgram(tradepost, seller)
})
afterAll(() => tradepost.close())

const createKey = (fields: Json = {}) =>
  createLicenseKey(seller, { app_id: program.appId, ...fields })
const getKey = async (id: number) => (await expectSuccess(seller.get(`/keys/${id}`))).key
const inFuture = (ms: number) => new Date(tradepost.app.clock.now() + ms).toISOString()
const importKeys = (...texts: string[]) =>
  seller.post('/keys/import', { app_id: program.appId, keys: texts.map((key) => ({ key })) })

test('the text of a license key is in no answer to a change that keeps it', async () => {
  const writer = await createSeller(tradepost, tradepost.live.id, ['client_security:write'])
  const { id, key, key_preview } = await createKey({ expires_at: inFuture(60_000) })
  const answers = [
    await writer.patch(`/keys/${id}`, {}),
    await writer.patch(`/keys/${id}`, { note: 'Changed.' }),
    await writer.post(`/keys/${id}/extend`, { seconds: 60 }),
    await writer.post(`/keys/${id}/reset-devices`, { force: true }),
    await writer.post(`/keys/${id}/ban`, { reason: 'Shared.' }),
  ]
  for (const { status, json, text } of answers) {
    expect([status, json]).toMatchObject([200, { key: { id, key_preview } }])
    expect(text).not.toContain(key)
  }
  const rotated = await writer.post(`/keys/${id}/rotate`)
  expect(rotated.json.key.key).toBe((await getKey(id)).key)
})

describe('lists of license keys', () => {
  /** Creates a license key for every combination of the facts that decide a status, and returns their number. */
  async function createKeysOfAllKinds(app_id: number) {
    const bans = [undefined, null, inFuture(50_000)]
    const kinds = bans.flatMap((ban) =>
      [false, true].flatMap((suspended) =>
        [null, inFuture(40_000), inFuture(3_600_000)].map((end) => ({ ban, suspended, end })),
      ),
    )
    for (const { ban, suspended, end } of kinds) {
      const { id } = await createKey({ app_id, expires_at: end })
      await expectSuccess(seller.patch(`/keys/${id}`, { suspended }))
      if (ban === undefined) continue
      await expectSuccess(seller.post(`/keys/${id}/ban`, { reason: 'Test', expires_at: ban }))
    }
    return kinds.length
  }

  test('that are filtered by status contain exactly the license keys with this status', async () => {
    const { id: app_id } = await createApp(seller)
    const count = await createKeysOfAllKinds(app_id)
    const list = async (query: string): Promise<Json[]> =>
      (await expectSuccess(seller.get(`/keys?app_id=${app_id}&limit=100${query}`))).keys
    for (const passed_ms of [0, 45_000, 10_000]) {
      tradepost.forward(passed_ms)
      const all = await list('')
      expect(all).toHaveLength(count)
      for (const status of ['banned', 'suspended', 'expired', 'unused', 'active']) {
        const expected = all.filter((item) => item.status === status).map((item) => item.id)
        expect([status, (await list(`&status=${status}`)).map((item) => item.id)]).toEqual([
          status,
          expected,
        ])
      }
      const statuses = (await list('&status=banned,unused')).map((item) => item.status)
      expect(new Set(statuses)).toEqual(new Set(['banned', 'unused']))
    }
  })

  test('that are filtered by the status active contain only license keys that were used', async () => {
    const { id: app_id } = await createApp(seller)
    const [used, unused] = [
      await createLicenseKey(seller, { app_id }),
      await createLicenseKey(seller, { app_id }),
    ]
    const { public_id } = (await expectSuccess(seller.get(`/apps/${app_id}`))).app
    const url = `/security/v1/client/${public_id}/sessions`
    const headers = { 'client-nonce': 'A'.repeat(22) }
    const payload = { license_key: used.key, device: newMachine() }
    const started = await tradepost.server.inject({ method: 'POST', url, headers, payload })
    expect(started.statusCode).toBe(200)
    const idsOf = async (status: string) =>
      (await expectSuccess(seller.get(`/keys?app_id=${app_id}&status=${status}`))).keys.map(
        (item: Json) => item.id,
      )
    expect([await idsOf('active'), await idsOf('unused')]).toEqual([[used.id], [unused.id]])
  })

  test('are filtered by level, time and app, and read page by page', async () => {
    const { id: app_id } = await createApp(seller)
    const ids: number[] = []
    for (const level of [0, 0, 3, 0])
      ids.unshift((await createLicenseKey(seller, { app_id, level })).id)
    const getPage = async (query: string) =>
      expectSuccess(seller.get(`/keys?app_id=${app_id}${query}`))
    const listIds = async (query: string) =>
      (await getPage(query)).keys.map((item: Json) => item.id)
    expect(await listIds('')).toEqual(ids)
    expect(await listIds('&level=3')).toEqual([ids[1]])
    expect(await listIds('&level=0')).toEqual([ids[0], ids[2], ids[3]])
    const firstPage = await getPage('&limit=2')
    expect(await listIds(`&limit=2&cursor=${firstPage.next_cursor}`)).toEqual(ids.slice(2))
    const { created_at } = firstPage.keys[0]
    expect(await listIds(`&created_before=${created_at}`)).not.toContain(ids[0])
    expect(await listIds(`&created_after=${created_at}`)).toContain(ids[0])
  })
})

describe('the text of an imported license key', () => {
  test('is refused if another license key has or had it, if it is in the list twice, or if its checksum is wrong', async () => {
    const { id, key } = await createKey()
    await expectSuccess(seller.post(`/keys/${id}/rotate`))
    expect((await program.validate(key)).code).toBe('NOT_FOUND')
    expect((await program.validate((await getKey(id)).key)).code).toBe('VALID')
    const refusalOf = async (...texts: string[]) => {
      const { status, json } = await importKeys(...texts)
      return [status, json.error]
    }
    expect(await refusalOf(key)).toEqual([
      409,
      'keys[0].key: This key exists already, or was deleted. Use another key.',
    ])
    const { key: existingText } = await createKey()
    expect(await refusalOf('NEW-ONE', existingText)).toEqual([
      409,
      'keys[1].key: This key exists already, or was deleted. Use another key.',
    ])
    expect(await refusalOf('TWICE', 'TWICE')).toEqual([
      409,
      'keys[1].key: This key is in the list twice. Send each key once.',
    ])
    const mistyped = `${existingText.slice(0, -1)}${existingText.endsWith('0') ? '1' : '0'}`
    for (const text of [mistyped, 'GR\ufffdSSE'])
      expect(await refusalOf(text)).toEqual([422, expect.stringMatching(/^keys\[0\]\.key: /)])
  })

  test('can be that of a license key of another app', async () => {
    const text = newName('SAME-TEXT')
    const { id: app_id } = await createApp(seller)
    await expectSuccess(importKeys(text))
    await expectSuccess(seller.post('/keys/import', { app_id, keys: [{ key: text }] }))
    expect((await program.validate(text)).code).toBe('VALID')
  })
})

describe('the term of a license key', () => {
  test('that begins with the first activation is extended without beginning', async () => {
    const terms = { duration_seconds: 60, expiry_basis: 'first_activation' }
    const { id } = await createKey(terms)
    await expectSuccess(seller.post(`/keys/${id}/extend`, { seconds: 60 }))
    expect(await getKey(id)).toMatchObject({ duration_seconds: 120, expires_at: null })
  })

  test('that has ended is extended from its end, and not to a past time', async () => {
    const { id, expires_at } = await createKey({ duration_seconds: 60 })
    tradepost.forward(3_600_000)
    await expectSuccess(seller.post(`/keys/${id}/extend`, { seconds: 60 }))
    const extendedEnd = new Date(Date.parse(expires_at) + 60_000).toISOString()
    expect((await getKey(id)).expires_at).toBe(extendedEnd)
    expect((await seller.post(`/keys/${id}/extend`, { until: extendedEnd })).status).toBe(422)
  })
})

describe('a suspended license key', () => {
  test('has no live sessions, and they stay ended after the suspension', async () => {
    const { id, key } = await createKey()
    const { session } = await program.start({ license_key: key, device: newMachine() })
    await expectSuccess(seller.patch(`/keys/${id}`, { suspended: true }))
    await expectSuccess(seller.patch(`/keys/${id}`, { suspended: false }))
    const { status } = await program.call('GET', '/settings', { token: session.token })
    expect(status).toBe(401)
  })

  test('can have a suspend_reason, and a license key that is not suspended cannot', async () => {
    const { id } = await createKey()
    for (const body of [{ suspend_reason: 'Unpaid.' }, { suspended: false, suspend_reason: 'x' }]) {
      const { status, json } = await seller.patch(`/keys/${id}`, body)
      expect([status, json.error]).toEqual([422, expect.stringMatching(/^suspend_reason: /)])
    }
    expect((await getKey(id)).suspend_reason).toBeNull()
  })

  test('keeps its suspended_at during changes, and loses it with the reason when the suspension ends', async () => {
    const { id } = await createKey()
    const patch = (body: Json) => expectSuccess(seller.patch(`/keys/${id}`, body))
    await patch({ suspended: true, suspend_reason: 'Unpaid.' })
    const { suspended_at, suspend_reason, status } = await getKey(id)
    expect([suspend_reason, status]).toEqual(['Unpaid.', 'suspended'])
    tradepost.forward(1_000)
    await patch({ suspended: true })
    expect((await getKey(id)).suspended_at).toBe(suspended_at)
    await patch({ note: 'still' })
    expect((await getKey(id)).suspended_at).toBe(suspended_at)
    await patch({ suspended: false })
    expect(await getKey(id)).toMatchObject({
      suspended_at: null,
      suspend_reason: null,
      status: 'unused',
    })
  })
})

describe('the devices of a license key', () => {
  test('are freed one by one, which ends their sessions and reduces devices_count', async () => {
    const { id, key } = await createKey({ max_devices: 2 })
    const startSession = async () =>
      (await program.start({ license_key: key, device: newMachine() })) as Json
    const [first, second] = [await startSession(), await startSession()]
    const path = `/keys/${id}/devices`
    const { devices } = await expectSuccess(seller.get(path))
    expect(devices.map((device: Json) => device.id)).toEqual([second.device.id, first.device.id])
    const page = await expectSuccess(seller.get(`${path}?limit=1&cursor=${second.device.id}`))
    expect(page.devices.map((device: Json) => device.id)).toEqual([first.device.id])
    await expectSuccess(seller.delete(`${path}/${first.device.id}`))
    expect((await seller.delete(`${path}/${first.device.id}`)).status).toBe(404)
    expect((await getKey(id)).devices_count).toBe(1)
    const statusOf = async ({ session }: Json) =>
      (await program.call('GET', '/settings', { token: session.token })).status
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200])
    const otherKey = await createKey()
    expect((await seller.delete(`/keys/${otherKey.id}/devices/${second.device.id}`)).status).toBe(
      404,
    )
    expect(await statusOf(second)).toBe(200)
  })

  test('that are banned by a report lose their sessions, and other devices do not', async () => {
    const report_rules = { cheat: 'ban_device', debugger: 'ban_key' }
    const app = await createProgram(tradepost, seller, { report_rules })
    const { id, key } = await createLicenseKey(seller, { app_id: app.appId })
    const startSession = async () =>
      (await app.start({ license_key: key, device: newMachine() })).session.token as string
    const [bannedToken, otherToken] = [await startSession(), await startSession()]
    await app.call('POST', '/reports', { token: bannedToken, body: { kind: 'cheat' } })
    const { sessions } = await expectSuccess(seller.get(`/keys/${id}/sessions`))
    expect(sessions.map((item: Json) => item.ended_reason)).toEqual([null, 'device_banned'])
    expect((await app.call('GET', '/settings', { token: otherToken })).status).toBe(200)
    const [device] = (await expectSuccess(seller.get(`/keys/${id}/devices`))).devices.slice(-1)
    const body = { device_id: device.id }
    const file = await seller.post(`/keys/${id}/license-files`, body)
    expect([file.status, file.json.error]).toEqual([
      409,
      'The device is banned. Lift its ban first.',
    ])
  })
})

describe('the sessions of a license key', () => {
  test('are listed page by page with the reason of their end', async () => {
    const { id, key } = await createKey()
    const device = newMachine()
    for (let n = 0; n < 3; n++) await program.start({ license_key: key, device })
    const getPage = async (query: string) =>
      expectSuccess(seller.get(`/keys/${id}/sessions?limit=2${query}`))
    const firstPage = await getPage('')
    const nextPage = await getPage(`&cursor=${firstPage.next_cursor}`)
    expect([firstPage.sessions.length, nextPage.sessions.length, nextPage.next_cursor]).toEqual([
      2,
      1,
      null,
    ])
    const { message } = await expectSuccess(seller.delete(`/keys/${id}/sessions`))
    expect(message).toBe('3 sessions were ended.')
    for (const item of (await getPage('')).sessions) {
      expect(item).toMatchObject({ ended_at: expect.any(String), ended_reason: 'ended' })
    }
  })

  test('are stored for 30 days after their lease has ended', async () => {
    const { id, key } = await createKey()
    await program.start({ license_key: key, device: newMachine() })
    const countSessions = async () =>
      (await expectSuccess(seller.get(`/keys/${id}/sessions`))).sessions.length
    const day_ms = 86_400_000
    tradepost.forward(30 * day_ms)
    for (const job of retentionJobs) await job.run(tradepost.app)
    expect(await countSessions()).toBe(1)
    tradepost.forward(day_ms)
    for (const job of retentionJobs) await job.run(tradepost.app)
    expect(await countSessions()).toBe(0)
  })
})

describe('a license file', () => {
  test.each<[string, (id: number) => Promise<unknown>]>([
    ['suspended', (id) => expectSuccess(seller.patch(`/keys/${id}`, { suspended: true }))],
    ['expired', async () => tradepost.forward(3_601_000)],
    ['banned', (id) => expectSuccess(seller.post(`/keys/${id}/ban`, { reason: 'Test' }))],
  ])('is refused for a license key that is %s', async (status, changeKey) => {
    const device = newMachine({ public_key: ed25519Device().public_key })
    const { id, key } = await createKey({ duration_seconds: 3_600 })
    await program.start({ license_key: key, device })
    const issueFile = () =>
      seller.post(`/keys/${id}/license-files`, { fingerprint: device.fingerprint })
    expect((await issueFile()).status).toBe(201)
    await changeKey(id)
    const { status: secondStatus, json } = await issueFile()
    expect([secondStatus, json.error]).toEqual([
      409,
      `The license is ${status}, so no file can be issued. Unban, reinstate or extend the license first.`,
    ])
  })

  test('is issued again after the ban of its device has ended', async () => {
    const device = newMachine()
    const { id, key } = await createKey()
    await program.start({ license_key: key, device })
    const { fingerprint } = device
    const body = {
      app_id: program.appId,
      fingerprint,
      reason: 'Test',
      expires_at: inFuture(60_000),
    }
    await expectSuccess(seller.post('/device-bans', body))
    const issueFile = async () =>
      (await seller.post(`/keys/${id}/license-files`, { fingerprint })).status
    expect(await issueFile()).toBe(409)
    tradepost.forward(61_000)
    expect(await issueFile()).toBe(201)
  })
})

describe('the fields of a new license key', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
  const metadataOfBytes = (count: number) => ({ a: 'x'.repeat(count - '{"a":""}'.length) })
  test.each<[string, Json, Json]>([
    [
      '64 entitlements',
      { entitlements: numbers(64).map((n) => `e${n}`) },
      { entitlements: numbers(65).map((n) => `e${n}`) },
    ],
    [
      '64 keys of metadata',
      { metadata: Object.fromEntries(numbers(64).map((n) => [`k${n}`, n])) },
      { metadata: Object.fromEntries(numbers(65).map((n) => [`k${n}`, n])) },
    ],
    [
      '16 KiB of metadata',
      { metadata: metadataOfBytes(16_384) },
      { metadata: metadataOfBytes(16_385) },
    ],
    [
      'four levels of metadata',
      { metadata: { a: { b: { c: { d: 1 } } } } },
      { metadata: { a: { b: { c: { d: {} } } } } },
    ],
    ['a level of 1000', { level: 1_000 }, { level: 1_001 }],
    ['a note of 1,000 characters', { note: 'x'.repeat(1_000) }, { note: 'x'.repeat(1_001) }],
  ])('are limited to %s', async (_, allowed, tooMuch) => {
    const { id } = await createKey(allowed)
    const [field] = Object.keys(tooMuch)
    for (const answer of [
      await seller.post('/keys', tooMuch),
      await seller.patch(`/keys/${id}`, tooMuch),
    ]) {
      expect([answer.status, answer.json.error]).toEqual([
        422,
        expect.stringMatching(new RegExp(`^${field}`)),
      ])
    }
  })

  test('are refused with both an end and a duration, or both a prefix and a mask', async () => {
    const errorOf = async (body: Json) => (await seller.post('/keys', body)).json.error
    expect(await errorOf({ expires_at: inFuture(60_000), duration_seconds: 60 })).toMatch(
      /^expires_at: /,
    )
    expect(await errorOf({ prefix: 'A', mask: '*'.repeat(13) })).toMatch(/^mask: /)
  })

  test('include a reset cooldown of seven days by default', async () => {
    expect((await createKey()).reset_cooldown_seconds).toBe(7 * 86_400)
  })
})

test('the license policy of a deleted variant is 404', async () => {
  const { id, variantId } = await product(tradepost, { type: 'license' })
  expect((await seller.put(`/license-policies/${variantId}`, {})).status).toBe(200)
  expect((await tradepost.delete(`/products/${id}`)).status).toBeLessThan(300)
  expect((await seller.put(`/license-policies/${variantId}`, {})).status).toBe(404)
})
