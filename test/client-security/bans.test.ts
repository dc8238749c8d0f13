import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { machine, type Program, programOf } from './program.ts'
import { made, type Seller, sellerAt } from './seller.ts'
import { aKey } from './walks.ts'

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
  program = await programOf(tradepost, seller)
})
afterAll(() => tradepost.close())

const keyOf = (fields: Json = {}, app = program) => aKey(seller, { app_id: app.appId, ...fields })
const keyRow = async (id: number) => (await made(seller.get(`/keys/${id}`))).key
const ban = (id: number, fields: Json = {}) =>
  made(seller.post(`/keys/${id}/ban`, { reason: 'Shared.', ...fields }))
const unban = (id: number) => made(seller.post(`/keys/${id}/unban`))
const inAMinute = () => new Date(tradepost.app.clock.now() + 60_000).toISOString()

/** An activated license on a device, and another license for the same device. */
async function twoOnOne(app = program) {
  const device = machine()
  const [one, two] = [await keyOf({}, app), await keyOf({}, app)]
  const { session } = await app.start({ license_key: one.key, device })
  const codeOf = async (key: string, on = app) =>
    (await on.start({ license_key: key, device })).code as string
  return { one, two, device, token: session.token as string, codeOf }
}

describe('a ban of a key', () => {
  test('does not ban its devices, unless ban_devices is set, and then in this app only', async () => {
    const elsewhere = await programOf(tradepost, seller)
    const { one, two, codeOf } = await twoOnOne()
    const other = await keyOf({}, elsewhere)
    await ban(one.id)
    expect([await codeOf(one.key), await codeOf(two.key)]).toEqual(['BANNED', 'VALID'])
    await ban(one.id, { ban_devices: true })
    expect(await codeOf(two.key)).toBe('DEVICE_BANNED')
    expect(await codeOf(other.key, elsewhere)).toBe('VALID')
  })

  test('ends its sessions immediately and permanently, even if it is lifted again', async () => {
    const { one, token } = await twoOnOne()
    await ban(one.id)
    const { sessions } = await made(seller.get(`/keys/${one.id}/sessions`))
    expect(sessions.map((session: Json) => session.ended_reason)).toEqual(['banned'])
    await unban(one.id)
    expect((await program.call('GET', '/settings', { token })).status).toBe(401)
  })

  test('that is lifted lifts the device bans that it created, and no others', async () => {
    const first = await twoOnOne()
    const second = await twoOnOne()
    await ban(first.one.id, { ban_devices: true })
    await ban(second.one.id, { ban_devices: true })
    const { fingerprint } = second.device
    const body = { app_id: program.appId, fingerprint, reason: 'By hand.' }
    await made(seller.post('/device-bans', body))
    await unban(first.one.id)
    expect(await first.codeOf(first.two.key)).toBe('VALID')
    expect(await second.codeOf(second.two.key)).toBe('DEVICE_BANNED')
    await unban(second.one.id)
    expect(await second.codeOf(second.two.key)).toBe('DEVICE_BANNED')
  })

  test('that is repeated keeps banned_at and gets the new reason and end', async () => {
    const { id } = await keyOf()
    await ban(id, { expires_at: inAMinute() })
    const { banned_at, banned_by } = await keyRow(id)
    expect(banned_by).toEqual(expect.any(Number))
    tradepost.forward(1_000)
    await ban(id, { reason: 'Again.' })
    expect(await keyRow(id)).toMatchObject({
      banned_at,
      ban_reason: 'Again.',
      ban_expires_at: null,
      status: 'banned',
    })
  })

  test('that follows an expired one is new, for its devices too', async () => {
    const { one, two, codeOf } = await twoOnOne()
    await ban(one.id, { expires_at: inAMinute(), ban_devices: true })
    const { banned_at } = await keyRow(one.id)
    expect(await codeOf(two.key)).toBe('DEVICE_BANNED')
    tradepost.forward(61_000)
    expect([await codeOf(one.key), await codeOf(two.key)]).toEqual(['VALID', 'VALID'])
    await ban(one.id, { ban_devices: true })
    expect((await keyRow(one.id)).banned_at).not.toBe(banned_at)
    expect(await codeOf(two.key)).toBe('DEVICE_BANNED')
  })

  test('extends a shorter ban of its devices to its own end', async () => {
    const { one, two, codeOf } = await twoOnOne()
    await ban(one.id, { expires_at: inAMinute(), ban_devices: true })
    await ban(one.id, { ban_devices: true })
    tradepost.forward(61_000)
    expect(await codeOf(two.key)).toBe('DEVICE_BANNED')
  })
})

describe('a ban of a machine or of addresses', () => {
  const sessionOf = async (ip?: string) => {
    const device = machine()
    const { key } = await keyOf()
    const { session } = await program.start({ license_key: key, device }, { ip })
    const call = () => program.call('GET', '/settings', { token: session.token, ip })
    return {
      key,
      device,
      call,
      codeOf: async () => (await program.validate(key, { device }, { ip })).code,
    }
  }
  const banned = (fields: Json) =>
    made(seller.post('/device-bans', { app_id: program.appId, reason: 'Test', ...fields }))

  test('of an address ends its sessions with their next call, and no others', async () => {
    const here = await sessionOf('198.51.100.7')
    const there = await sessionOf('198.51.101.7')
    await banned({ ip_cidr: '198.51.100.0/24' })
    expect([(await here.call()).status, (await there.call()).status]).toEqual([401, 200])
  })

  test('of an IPv4 address also matches its IPv6-mapped form', async () => {
    const { call, codeOf } = await sessionOf('::ffff:203.0.113.8')
    await banned({ ip_cidr: '203.0.113.8' })
    expect([(await call()).status, await codeOf()]).toEqual([401, 'DEVICE_BANNED'])
  })

  test.each(['fe80::1%eth0', 'unknown', '203.0.113.9:4711'])(
    'of addresses does not apply to a caller from %s, who is answered as usual',
    async (ip) => {
      await banned({ ip_cidr: '198.18.0.0/15' })
      const { call, codeOf } = await sessionOf(ip)
      expect([(await call()).status, await codeOf()]).toEqual([200, 'VALID'])
    },
  )

  test('of a device also holds if it sends another fingerprint and matches by its components', async () => {
    const byParts = await programOf(tradepost, seller, { device_policy: { match: 'any' } })
    const { key } = await keyOf({}, byParts)
    const { fingerprint } = machine()
    const components = { disk: 'WD-4711' }
    await byParts.start({ license_key: key, device: { fingerprint, components } })
    const disguised = machine({ components })
    expect((await byParts.validate(key, { device: disguised })).code).toBe('VALID')
    await made(seller.post('/device-bans', { app_id: byParts.appId, fingerprint, reason: 'Test' }))
    const { code } = await byParts.start({ license_key: key, device: disguised })
    expect([code, (await byParts.validate(key, { device: disguised })).code]).toEqual([
      'DEVICE_BANNED',
      'DEVICE_BANNED',
    ])
  })

  test.each<[string, (device: Json) => Json, string]>([
    ['a machine', ({ fingerprint }) => ({ fingerprint }), '192.0.2.1'],
    ['an address', () => ({ ip_cidr: '192.0.2.2' }), '192.0.2.2'],
  ])('of %s lasts until its end, for starts, checks and running sessions', async (_, whom, ip) => {
    const { key, device, call, codeOf } = await sessionOf(ip)
    const later = await sessionOf(ip)
    const second = { license_key: key, device }
    await banned({ ...whom(device), expires_at: inAMinute() })
    expect(await codeOf()).toBe('DEVICE_BANNED')
    expect((await program.start(second, { ip })).code).toBe('DEVICE_BANNED')
    tradepost.forward(61_000)
    expect(await codeOf()).toBe('VALID')
    expect((await program.start(second, { ip })).code).toBe('VALID')
    expect([(await call()).status, (await later.call()).status]).toEqual([200, 200])
  })

  test('is one of three, of a device of this store and of its own app', async () => {
    const { device } = await sessionOf()
    const refused = async (fields: Json, who = seller) => {
      const { status, json } = await who.post('/device-bans', { reason: 'Test', ...fields })
      return [status, json.error.split(':')[0]]
    }
    const { fingerprint } = device
    expect(await refused({})).toEqual([422, 'fingerprint'])
    expect(await refused({ fingerprint, ip_cidr: '192.0.2.0/24' })).toEqual([422, 'fingerprint'])
    expect(await refused({ ip_cidr: '192.0.2.1/24' })).toEqual([422, 'ip_cidr'])
    expect(await refused({ ip_cidr: '2001:db8::1/64' })).toEqual([422, 'ip_cidr'])
    expect(await refused({ ip_cidr: 'fe80::1%eth0' })).toEqual([422, 'ip_cidr'])
    expect(await refused({ ip_cidr: '::ffff:192.0.2.1' })).toEqual([422, 'ip_cidr'])
    const { id, key } = await keyOf()
    await program.start({ license_key: key, device: machine() })
    const [{ id: device_id }] = (await made(seller.get(`/keys/${id}/devices`))).devices
    const { appId: app_id } = await programOf(tradepost, seller)
    expect(await refused({ device_id, app_id })).toEqual([422, 'app_id'])
    const next = await sellerAt(tradepost, tradepost.other.id)
    expect((await refused({ device_id }, next))[0]).toBe(404)
    expect((await refused({ app_id, ip_cidr: '192.0.2.3' }, next))[0]).toBe(404)
  })

  test('is listed in its own store, by app, the newest first', async () => {
    const { appId: app_id } = await programOf(tradepost, seller)
    const ids = []
    for (const ip_cidr of ['192.0.2.4', '192.0.2.5']) {
      ids.unshift((await banned({ app_id, ip_cidr })).device_ban.id)
    }
    const list = async (who: Seller, query = '') =>
      (await made(who.get(`/device-bans?limit=100${query}`))).device_bans.map(
        (item: Json) => item.id,
      )
    expect(await list(seller, `&app_id=${app_id}`)).toEqual(ids)
    expect(await list(await sellerAt(tradepost, tradepost.other.id))).toEqual([])
  })
})
