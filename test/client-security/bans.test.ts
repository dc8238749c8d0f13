import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import { createLicenseKey } from './prepared-calls.ts'
import { createProgram, newMachine, type Program } from './program.ts'
import { createSeller, type Seller } from './seller.ts'

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }

beforeAll(async () => {
  tradepost = await openTradepost()
  // On a slow machine a test could outlast the minute of a ban.
  tradepost.stopClock()
  seller = await createSeller(tradepost)
  program = await createProgram(tradepost, seller)
})
afterAll(() => tradepost.close())

const createKey = (fields: Json = {}, app = program) =>
  createLicenseKey(seller, { app_id: app.appId, ...fields })
const getKey = async (id: number) => (await expectSuccess(seller.get(`/keys/${id}`))).key
const ban = (id: number, fields: Json = {}) =>
  expectSuccess(seller.post(`/keys/${id}/ban`, { reason: 'Shared.', ...fields }))
const unban = (id: number) => expectSuccess(seller.post(`/keys/${id}/unban`))
const aMinuteFromNow = () => new Date(tradepost.app.clock.now() + 60_000).toISOString()

/** Activates a license on a device, and creates another license for the same device. */
async function createTwoLicenses(app = program) {
  const device = newMachine()
  const [first, second] = [await createKey({}, app), await createKey({}, app)]
  const { session } = await app.start({ license_key: first.key, device })
  const codeOf = async (key: string, ofProgram = app) =>
    (await ofProgram.start({ license_key: key, device })).code as string
  return { first, second, device, token: session.token as string, codeOf }
}

test('a device is listed as banned while a device ban is in force', async () => {
  const { first, device } = await createTwoLicenses()
  const getDevice = async () =>
    (await expectSuccess(seller.get(`/keys/${first.id}/devices`))).devices[0]
  const { id } = await getDevice()
  const banned = { device_id: id, reason: 'Shared.', expires_at: aMinuteFromNow() }
  const { device_ban } = await expectSuccess(seller.post('/device-bans', banned))
  expect(await getDevice()).toMatchObject({ id, status: 'banned' })
  tradepost.forward(60_000)
  expect(await getDevice()).toMatchObject({ id, status: 'active' })
  const { fingerprint } = device
  const manual = { app_id: program.appId, fingerprint, reason: 'Manual.' }
  const second = (await expectSuccess(seller.post('/device-bans', manual))).device_ban
  expect(await getDevice()).toMatchObject({ status: 'banned' })
  for (const { id: banId } of [device_ban, second])
    await expectSuccess(seller.delete(`/device-bans/${banId}`))
  expect(await getDevice()).toMatchObject({ status: 'active' })
})

describe('a ban of a license key', () => {
  test('bans its devices only if ban_devices is set, and only in the app of the license key', async () => {
    const otherProgram = await createProgram(tradepost, seller)
    const { first, second, codeOf } = await createTwoLicenses()
    const keyOfOtherApp = await createKey({}, otherProgram)
    await ban(first.id)
    expect([await codeOf(first.key), await codeOf(second.key)]).toEqual(['BANNED', 'VALID'])
    await ban(first.id, { ban_devices: true })
    expect(await codeOf(second.key)).toBe('DEVICE_BANNED')
    expect(await codeOf(keyOfOtherApp.key, otherProgram)).toBe('VALID')
  })

  test('ends its sessions permanently, even if the ban is lifted', async () => {
    const { first, token } = await createTwoLicenses()
    await ban(first.id)
    const { sessions } = await expectSuccess(seller.get(`/keys/${first.id}/sessions`))
    expect(sessions.map((session: Json) => session.ended_reason)).toEqual(['banned'])
    await unban(first.id)
    expect((await program.call('GET', '/settings', { token })).status).toBe(401)
  })

  test('also ends the device bans that it created when it is lifted, and no others', async () => {
    const unbannedCase = await createTwoLicenses()
    const manualCase = await createTwoLicenses()
    await ban(unbannedCase.first.id, { ban_devices: true })
    await ban(manualCase.first.id, { ban_devices: true })
    const { fingerprint } = manualCase.device
    const body = { app_id: program.appId, fingerprint, reason: 'Manual.' }
    await expectSuccess(seller.post('/device-bans', body))
    await unban(unbannedCase.first.id)
    expect(await unbannedCase.codeOf(unbannedCase.second.key)).toBe('VALID')
    expect(await manualCase.codeOf(manualCase.second.key)).toBe('DEVICE_BANNED')
    await unban(manualCase.first.id)
    expect(await manualCase.codeOf(manualCase.second.key)).toBe('DEVICE_BANNED')
  })

  test('that is repeated keeps banned_at, and gets the new reason and end', async () => {
    const { id } = await createKey()
    await ban(id, { expires_at: aMinuteFromNow() })
    const { banned_at, banned_by } = await getKey(id)
    expect(banned_by).toEqual(expect.any(Number))
    tradepost.forward(1_000)
    await ban(id, { reason: 'Again.' })
    expect(await getKey(id)).toMatchObject({
      banned_at,
      ban_reason: 'Again.',
      ban_expires_at: null,
      status: 'banned',
    })
  })

  test('after an expired ban has a new banned_at, and bans the devices again', async () => {
    const { first, second, codeOf } = await createTwoLicenses()
    await ban(first.id, { expires_at: aMinuteFromNow(), ban_devices: true })
    const { banned_at } = await getKey(first.id)
    expect(await codeOf(second.key)).toBe('DEVICE_BANNED')
    tradepost.forward(61_000)
    expect([await codeOf(first.key), await codeOf(second.key)]).toEqual(['VALID', 'VALID'])
    await ban(first.id, { ban_devices: true })
    expect((await getKey(first.id)).banned_at).not.toBe(banned_at)
    expect(await codeOf(second.key)).toBe('DEVICE_BANNED')
  })

  test('without an end removes the end of earlier bans of its devices', async () => {
    const { first, second, codeOf } = await createTwoLicenses()
    await ban(first.id, { expires_at: aMinuteFromNow(), ban_devices: true })
    await ban(first.id, { ban_devices: true })
    tradepost.forward(61_000)
    expect(await codeOf(second.key)).toBe('DEVICE_BANNED')
  })
})

describe('a device ban', () => {
  const startSession = async (ip?: string) => {
    const device = newMachine()
    const { key } = await createKey()
    const { session } = await program.start({ license_key: key, device }, { ip })
    const call = () => program.call('GET', '/settings', { token: session.token, ip })
    return {
      key,
      device,
      call,
      codeOf: async () => (await program.validate(key, { device }, { ip })).code,
    }
  }
  const banDevice = (fields: Json) =>
    expectSuccess(seller.post('/device-bans', { app_id: program.appId, reason: 'Test', ...fields }))

  test('of an address ends its sessions at their next call, and no others', async () => {
    const bannedSession = await startSession('198.51.100.7')
    const otherSession = await startSession('198.51.101.7')
    await banDevice({ ip_cidr: '198.51.100.0/24' })
    expect([(await bannedSession.call()).status, (await otherSession.call()).status]).toEqual([
      401, 200,
    ])
  })

  test.each([
    ['mapped', '203.0.113.8', '::ffff:203.0.113.8'],
    ['mapped hexadecimal', '203.0.113.40', '::ffff:cb00:7128'],
    ['NAT64', '203.0.113.41', '64:ff9b::203.0.113.41'],
    ['6to4', '203.0.113.42', '2002:cb00:712a:1::9'],
    ['compatible', '203.0.113.43', '::203.0.113.43'],
  ])('of an IPv4 address also matches its %s IPv6 form', async (_form, ip_cidr, ip) => {
    const { call, codeOf } = await startSession(ip)
    await banDevice({ ip_cidr })
    expect([(await call()).status, await codeOf()]).toEqual([401, 'DEVICE_BANNED'])
  })

  test('of a range of 6to4 matches the addresses in it', async () => {
    const { call } = await startSession('2002:cb00:7207::1')
    await banDevice({ ip_cidr: '2002:cb00:7200::/40' })
    expect((await call()).status).toBe(401)
  })

  test.each(['fe80::1%eth0', 'unknown', '203.0.113.9:4711'])(
    'of addresses does not apply to a caller at %s, whose address is not a plain IP address',
    async (ip) => {
      await banDevice({ ip_cidr: '198.18.0.0/15' })
      const { call, codeOf } = await startSession(ip)
      expect([(await call()).status, await codeOf()]).toEqual([200, 'VALID'])
    },
  )

  test('of a device also matches another fingerprint with the same components', async () => {
    const programByComponents = await createProgram(tradepost, seller, {
      device_policy: { match: 'any' },
    })
    const { key } = await createKey({}, programByComponents)
    const { fingerprint } = newMachine()
    const components = { disk: 'WD-4711' }
    await programByComponents.start({ license_key: key, device: { fingerprint, components } })
    const machineWithSameDisk = newMachine({ components })
    expect((await programByComponents.validate(key, { device: machineWithSameDisk })).code).toBe(
      'VALID',
    )
    await expectSuccess(
      seller.post('/device-bans', {
        app_id: programByComponents.appId,
        fingerprint,
        reason: 'Test',
      }),
    )
    const { code } = await programByComponents.start({
      license_key: key,
      device: machineWithSameDisk,
    })
    expect([
      code,
      (await programByComponents.validate(key, { device: machineWithSameDisk })).code,
    ]).toEqual(['DEVICE_BANNED', 'DEVICE_BANNED'])
  })

  test.each<[string, (device: Json) => Json, string]>([
    ['a machine', ({ fingerprint }) => ({ fingerprint }), '192.0.2.1'],
    ['an address', () => ({ ip_cidr: '192.0.2.2' }), '192.0.2.2'],
  ])(
    'of %s refuses starts and validations until its end, and does not end the sessions permanently',
    async (_description, banOf, ip) => {
      const { key, device, call, codeOf } = await startSession(ip)
      const otherSession = await startSession(ip)
      const startBody = { license_key: key, device }
      await banDevice({ ...banOf(device), expires_at: aMinuteFromNow() })
      expect(await codeOf()).toBe('DEVICE_BANNED')
      expect((await program.start(startBody, { ip })).code).toBe('DEVICE_BANNED')
      tradepost.forward(61_000)
      expect(await codeOf()).toBe('VALID')
      expect((await program.start(startBody, { ip })).code).toBe('VALID')
      expect([(await call()).status, (await otherSession.call()).status]).toEqual([200, 200])
    },
  )

  test('is refused unless it names exactly one of fingerprint, device and addresses of the same store and app', async () => {
    const { device } = await startSession()
    const refusalOf = async (fields: Json, caller = seller) => {
      const { status, json } = await caller.post('/device-bans', { reason: 'Test', ...fields })
      return [status, json.error.split(':')[0]]
    }
    const { fingerprint } = device
    expect(await refusalOf({})).toEqual([422, 'fingerprint'])
    expect(await refusalOf({ fingerprint, ip_cidr: '192.0.2.0/24' })).toEqual([422, 'fingerprint'])
    expect(await refusalOf({ ip_cidr: '192.0.2.1/24' })).toEqual([422, 'ip_cidr'])
    expect(await refusalOf({ ip_cidr: '2001:db8::1/64' })).toEqual([422, 'ip_cidr'])
    expect(await refusalOf({ ip_cidr: 'fe80::1%eth0' })).toEqual([422, 'ip_cidr'])
    expect(await refusalOf({ ip_cidr: '::ffff:192.0.2.1' })).toEqual([422, 'ip_cidr'])
    expect(await refusalOf({ ip_cidr: '::ffff:c000:201' })).toEqual([422, 'ip_cidr'])
    const { id, key } = await createKey()
    await program.start({ license_key: key, device: newMachine() })
    const [{ id: device_id }] = (await expectSuccess(seller.get(`/keys/${id}/devices`))).devices
    const { appId: app_id } = await createProgram(tradepost, seller)
    expect(await refusalOf({ device_id, app_id })).toEqual([422, 'app_id'])
    const otherSeller = await createSeller(tradepost, tradepost.other.id)
    expect((await refusalOf({ device_id }, otherSeller))[0]).toBe(404)
    expect((await refusalOf({ app_id, ip_cidr: '192.0.2.3' }, otherSeller))[0]).toBe(404)
  })

  test('is listed by app, newest first, and not in another store', async () => {
    const { appId: app_id } = await createProgram(tradepost, seller)
    const ids = []
    for (const ip_cidr of ['192.0.2.4', '192.0.2.5']) {
      ids.unshift((await banDevice({ app_id, ip_cidr })).device_ban.id)
    }
    const list = async (caller: Seller, query = '') =>
      (await expectSuccess(caller.get(`/device-bans?limit=100${query}`))).device_bans.map(
        (item: Json) => item.id,
      )
    expect(await list(seller, `&app_id=${app_id}`)).toEqual(ids)
    expect(await list(await createSeller(tradepost, tradepost.other.id))).toEqual([])
  })
})
