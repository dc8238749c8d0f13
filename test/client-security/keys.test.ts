import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { retentionJobs } from '../../src/features/installation/retention/index.ts'
import { product } from '../build.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { ed25519Device, machine, type Program, programOf } from './program.ts'
import { made, type Seller, sellerAt } from './seller.ts'
import { aKey, anApp, fresh } from './walks.ts'

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
  program = await programOf(tradepost, seller)
})
afterAll(() => tradepost.close())

const keyOf = (fields: Json = {}) => aKey(seller, { app_id: program.appId, ...fields })
const keyRow = async (id: number) => (await made(seller.get(`/keys/${id}`))).key
const soon = (ms: number) => new Date(tradepost.app.clock.now() + ms).toISOString()
const take = (...texts: string[]) =>
  seller.post('/keys/import', { app_id: program.appId, keys: texts.map((key) => ({ key })) })

describe('lists of keys', () => {
  /** Keys with every combination of the facts that decide a status. */
  async function allKinds(app_id: number) {
    const bans = [undefined, null, soon(50_000)]
    const kinds = bans.flatMap((ban) =>
      [false, true].flatMap((suspended) =>
        [null, soon(40_000), soon(3_600_000)].map((end) => ({ ban, suspended, end })),
      ),
    )
    for (const { ban, suspended, end } of kinds) {
      const { id } = await keyOf({ app_id, expires_at: end })
      await made(seller.patch(`/keys/${id}`, { suspended }))
      if (ban === undefined) continue
      await made(seller.post(`/keys/${id}/ban`, { reason: 'Test', expires_at: ban }))
    }
    return kinds.length
  }

  test('by status show exactly the keys that say it of themselves, whatever else befell them', async () => {
    const { id: app_id } = await anApp(seller)
    const count = await allKinds(app_id)
    const list = async (query: string): Promise<Json[]> =>
      (await made(seller.get(`/keys?app_id=${app_id}&limit=100${query}`))).keys
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
      const many = (await list('&status=banned,unused')).map((item) => item.status)
      expect(new Set(many)).toEqual(new Set(['banned', 'unused']))
    }
  })

  test('an active key is one that was used', async () => {
    const { id: app_id } = await anApp(seller)
    const [used, unused] = [await aKey(seller, { app_id }), await aKey(seller, { app_id })]
    const { public_id } = (await made(seller.get(`/apps/${app_id}`))).app
    const url = `/security/v1/client/${public_id}/sessions`
    const headers = { 'client-nonce': 'A'.repeat(22) }
    const payload = { license_key: used.key, device: machine() }
    await tradepost.server.inject({ method: 'POST', url, headers, payload })
    const idsOf = async (status: string) =>
      (await made(seller.get(`/keys?app_id=${app_id}&status=${status}`))).keys.map(
        (item: Json) => item.id,
      )
    expect([await idsOf('active'), await idsOf('unused')]).toEqual([[used.id], [unused.id]])
  })

  test('are cut by level, time and app, and go on behind the last of the page', async () => {
    const { id: app_id } = await anApp(seller)
    const ids: number[] = []
    for (const level of [0, 0, 3, 0]) ids.unshift((await aKey(seller, { app_id, level })).id)
    const page = async (query: string) => made(seller.get(`/keys?app_id=${app_id}${query}`))
    const idsIn = async (query: string) => (await page(query)).keys.map((item: Json) => item.id)
    expect(await idsIn('')).toEqual(ids)
    expect(await idsIn('&level=3')).toEqual([ids[1]])
    expect(await idsIn('&level=0')).toEqual([ids[0], ids[2], ids[3]])
    const first = await page('&limit=2')
    expect(await idsIn(`&limit=2&cursor=${first.next_cursor}`)).toEqual(ids.slice(2))
    const { created_at } = first.keys[0]
    expect(await idsIn(`&created_before=${created_at}`)).not.toContain(ids[0])
    expect(await idsIn(`&created_after=${created_at}`)).toContain(ids[0])
  })
})

describe('the text of a key', () => {
  test('that was rotated away is never taken again, nor is one that is there, or sent twice', async () => {
    const { id, key } = await keyOf()
    await made(seller.post(`/keys/${id}/rotate`))
    expect((await program.validate(key)).code).toBe('NOT_FOUND')
    expect((await program.validate((await keyRow(id)).key)).code).toBe('VALID')
    const refused = async (...texts: string[]) => {
      const { status, json } = await take(...texts)
      return [status, json.error]
    }
    expect(await refused(key)).toEqual([
      409,
      'keys[0].key: This key exists already, or was deleted. Use another key.',
    ])
    const { key: there } = await keyOf()
    expect(await refused('NEW-ONE', there)).toEqual([
      409,
      'keys[1].key: This key exists already, or was deleted. Use another key.',
    ])
    expect(await refused('TWICE', 'TWICE')).toEqual([
      409,
      'keys[1].key: This key is in the list twice. Send each key once.',
    ])
    const mistyped = `${there.slice(0, -1)}${there.endsWith('0') ? '1' : '0'}`
    expect(await refused(mistyped)).toEqual([422, expect.stringMatching(/^keys\[0\]\.key: /)])
  })

  test('is another one in another app', async () => {
    const text = fresh('SAME-TEXT')
    const { id: app_id } = await anApp(seller)
    await made(take(text))
    await made(seller.post('/keys/import', { app_id, keys: [{ key: text }] }))
    expect((await program.validate(text)).code).toBe('VALID')
  })
})

describe('the term of a key', () => {
  test('that waits for its first use gets longer, and begins no sooner', async () => {
    const waits = { duration_seconds: 60, expiry_basis: 'first_activation' }
    const { id } = await keyOf(waits)
    await made(seller.post(`/keys/${id}/extend`, { seconds: 60 }))
    expect(await keyRow(id)).toMatchObject({ duration_seconds: 120, expires_at: null })
  })

  test('that is over goes on from its end where nothing else is asked', async () => {
    const { id, expires_at } = await keyOf({ duration_seconds: 60 })
    tradepost.forward(3_600_000)
    await made(seller.post(`/keys/${id}/extend`, { seconds: 60 }))
    const end = Date.parse(expires_at) + 60_000
    expect((await keyRow(id)).expires_at).toBe(new Date(end).toISOString())
    const same = new Date(end).toISOString()
    expect((await seller.post(`/keys/${id}/extend`, { until: same })).status).toBe(422)
  })
})

describe('a key that rests', () => {
  test('has no live sessions, and its ended ones stay ended', async () => {
    const { id, key } = await keyOf()
    const { session } = await program.start({ license_key: key, device: machine() })
    await made(seller.patch(`/keys/${id}`, { suspended: true }))
    await made(seller.patch(`/keys/${id}`, { suspended: false }))
    const { status } = await program.call('GET', '/settings', { token: session.token })
    expect(status).toBe(401)
  })

  test('is the only one that has a reason to be', async () => {
    const { id } = await keyOf()
    for (const body of [{ suspend_reason: 'Unpaid.' }, { suspended: false, suspend_reason: 'x' }]) {
      const { status, json } = await seller.patch(`/keys/${id}`, body)
      expect([status, json.error]).toEqual([422, expect.stringMatching(/^suspend_reason: /)])
    }
    expect((await keyRow(id)).suspend_reason).toBeNull()
  })

  test('keeps suspended_at, and clears the reason when it is resumed', async () => {
    const { id } = await keyOf()
    const patch = (body: Json) => made(seller.patch(`/keys/${id}`, body))
    await patch({ suspended: true, suspend_reason: 'Unpaid.' })
    const { suspended_at, suspend_reason, status } = await keyRow(id)
    expect([suspend_reason, status]).toEqual(['Unpaid.', 'suspended'])
    tradepost.forward(1_000)
    await patch({ suspended: true })
    expect((await keyRow(id)).suspended_at).toBe(suspended_at)
    await patch({ note: 'still' })
    expect((await keyRow(id)).suspended_at).toBe(suspended_at)
    await patch({ suspended: false })
    expect(await keyRow(id)).toMatchObject({
      suspended_at: null,
      suspend_reason: null,
      status: 'unused',
    })
  })
})

describe('devices of a key', () => {
  test('are freed one by one, with what runs on them, and counted', async () => {
    const { id, key } = await keyOf({ max_devices: 2 })
    const begin = async () => (await program.start({ license_key: key, device: machine() })) as Json
    const [one, two] = [await begin(), await begin()]
    const path = `/keys/${id}/devices`
    const { devices } = await made(seller.get(path))
    expect(devices.map((device: Json) => device.id)).toEqual([two.device.id, one.device.id])
    const page = await made(seller.get(`${path}?limit=1&cursor=${two.device.id}`))
    expect(page.devices.map((device: Json) => device.id)).toEqual([one.device.id])
    await made(seller.delete(`${path}/${one.device.id}`))
    expect((await seller.delete(`${path}/${one.device.id}`)).status).toBe(404)
    expect((await keyRow(id)).devices_count).toBe(1)
    const statusOf = async ({ session }: Json) =>
      (await program.call('GET', '/settings', { token: session.token })).status
    expect([await statusOf(one), await statusOf(two)]).toEqual([401, 200])
    const foreign = await keyOf()
    expect((await seller.delete(`/keys/${foreign.id}/devices/${two.device.id}`)).status).toBe(404)
    expect(await statusOf(two)).toBe(200)
  })

  test('sessions are listed page by page with why they ended', async () => {
    const { id, key } = await keyOf()
    const device = machine()
    for (let n = 0; n < 3; n++) await program.start({ license_key: key, device })
    const page = async (query: string) => made(seller.get(`/keys/${id}/sessions?limit=2${query}`))
    const first = await page('')
    const rest = await page(`&cursor=${first.next_cursor}`)
    expect([first.sessions.length, rest.sessions.length, rest.next_cursor]).toEqual([2, 1, null])
    const { message } = await made(seller.delete(`/keys/${id}/sessions`))
    expect(message).toBe('3 sessions were ended.')
    for (const item of (await page('')).sessions) {
      expect(item).toMatchObject({ ended_at: expect.any(String), ended_reason: 'ended' })
    }
  })

  test('sessions are remembered for 30 days after their lease', async () => {
    const { id, key } = await keyOf()
    await program.start({ license_key: key, device: machine() })
    const count = async () => (await made(seller.get(`/keys/${id}/sessions`))).sessions.length
    const day_ms = 86_400_000
    tradepost.forward(30 * day_ms)
    for (const job of retentionJobs) await job.run(tradepost.app)
    expect(await count()).toBe(1)
    tradepost.forward(day_ms)
    for (const job of retentionJobs) await job.run(tradepost.app)
    expect(await count()).toBe(0)
  })

  test('that a report banned end at once, and only they', async () => {
    const report_rules = { cheat: 'ban_device', debugger: 'ban_key' }
    const app = await programOf(tradepost, seller, { report_rules })
    const { id, key } = await aKey(seller, { app_id: app.appId })
    const begin = async () =>
      (await app.start({ license_key: key, device: machine() })).session.token as string
    const [bad, good] = [await begin(), await begin()]
    await app.call('POST', '/reports', { token: bad, body: { kind: 'cheat' } })
    const { sessions } = await made(seller.get(`/keys/${id}/sessions`))
    expect(sessions.map((item: Json) => item.ended_reason)).toEqual([null, 'device_banned'])
    expect((await app.call('GET', '/settings', { token: good })).status).toBe(200)
    const [device] = (await made(seller.get(`/keys/${id}/devices`))).devices.slice(-1)
    const own = { device_id: device.id }
    const file = await seller.post(`/keys/${id}/license-files`, own)
    expect([file.status, file.json.error]).toEqual([
      409,
      'The device is banned. Lift its ban first.',
    ])
  })
})

describe('an offline file', () => {
  test.each<[string, (id: number) => Promise<unknown>]>([
    ['suspended', (id) => made(seller.patch(`/keys/${id}`, { suspended: true }))],
    ['expired', async () => tradepost.forward(3_601_000)],
    ['banned', (id) => made(seller.post(`/keys/${id}/ban`, { reason: 'Test' }))],
  ])('is not written for a key that is %s', async (status, work) => {
    const device = machine({ public_key: ed25519Device().public_key })
    const { id, key } = await keyOf({ duration_seconds: 3_600 })
    await program.start({ license_key: key, device })
    const write = () =>
      seller.post(`/keys/${id}/license-files`, { fingerprint: device.fingerprint })
    expect((await write()).status).toBe(201)
    await work(id)
    const { status: answered, json } = await write()
    expect([answered, json.error]).toEqual([
      409,
      `The license is ${status}. No file can be issued for it.`,
    ])
  })

  test('is written again once the ban of its machine is over', async () => {
    const device = machine()
    const { id, key } = await keyOf()
    await program.start({ license_key: key, device })
    const { fingerprint } = device
    const body = { app_id: program.appId, fingerprint, reason: 'Test', expires_at: soon(60_000) }
    await made(seller.post('/device-bans', body))
    const write = async () =>
      (await seller.post(`/keys/${id}/license-files`, { fingerprint })).status
    expect(await write()).toBe(409)
    tradepost.forward(61_000)
    expect(await write()).toBe(201)
  })
})

describe('the optional fields of a key', () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => n)
  const bytes = (count: number) => ({ a: 'x'.repeat(count - '{"a":""}'.length) })
  test.each<[string, Json, Json]>([
    [
      '64 names of what it includes',
      { entitlements: many(64).map((n) => `e${n}`) },
      { entitlements: many(65).map((n) => `e${n}`) },
    ],
    [
      '64 keys of its own',
      { metadata: Object.fromEntries(many(64).map((n) => [`k${n}`, n])) },
      { metadata: Object.fromEntries(many(65).map((n) => [`k${n}`, n])) },
    ],
    ['16 KiB', { metadata: bytes(16_384) }, { metadata: bytes(16_385) }],
    [
      'four levels',
      { metadata: { a: { b: { c: { d: 1 } } } } },
      { metadata: { a: { b: { c: { d: {} } } } } },
    ],
    ['a level of 1000', { level: 1_000 }, { level: 1_001 }],
    ['a note of 1,000 characters', { note: 'x'.repeat(1_000) }, { note: 'x'.repeat(1_001) }],
  ])('is at most %s', async (_, most, more) => {
    const { id } = await keyOf(most)
    const [field] = Object.keys(more)
    for (const answer of [
      await seller.post('/keys', more),
      await seller.patch(`/keys/${id}`, more),
    ]) {
      expect([answer.status, answer.json.error]).toEqual([
        422,
        expect.stringMatching(new RegExp(`^${field}`)),
      ])
    }
  })

  test('is an end or a duration, and a prefix or a mask', async () => {
    const refused = async (body: Json) => (await seller.post('/keys', body)).json.error
    expect(await refused({ expires_at: soon(60_000), duration_seconds: 60 })).toMatch(
      /^expires_at: /,
    )
    expect(await refused({ prefix: 'A', mask: '*'.repeat(13) })).toMatch(/^mask: /)
    expect((await keyOf()).reset_cooldown_seconds).toBe(604_800)
  })
})

test('a policy of a variant that was deleted is not set any more', async () => {
  const { id, variantId } = await product(tradepost, { type: 'license' })
  expect((await seller.put(`/license-policies/${variantId}`, {})).status).toBe(200)
  expect((await tradepost.delete(`/products/${id}`)).status).toBeLessThan(300)
  expect((await seller.put(`/license-policies/${variantId}`, {})).status).toBe(404)
})
