import { createHash, verify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import { createLicenseKey } from './prepared-calls.ts'
import { createProgram, ed25519Device, newMachine, type Program, publicKeyOf } from './program.ts'
import { createSeller, type Seller, withoutId } from './seller.ts'

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }

beforeAll(async () => {
  tradepost = await openTradepost()
  // Limits per minute must not depend on the speed of the machine.
  tradepost.stopClock()
  seller = await createSeller(tradepost)
  program = await createProgram(tradepost, seller)
})
afterAll(() => tradepost.close())

const createKey = (fields: Json = {}) =>
  createLicenseKey(seller, { app_id: program.appId, ...fields })

/** Starts a session with a new license. */
async function startSession(fields: Json = {}, device: Json = newMachine()) {
  const license = await createKey(fields)
  const { session } = await program.start({ license_key: license.key, device })
  return { license, device, token: session.token as string }
}
const sendHeartbeat = (token: string) => program.call('POST', '/sessions/heartbeat', { token })

describe('the validation of a license', () => {
  test('activates no device and starts no session', async () => {
    const { key, id } = await createKey({ max_devices: 1, max_sessions: 1 })
    const device = newMachine()
    expect((await program.validate(key)).code).toBe('VALID')
    expect(await program.validate(key, { device })).toMatchObject({
      code: 'NOT_ACTIVATED',
      valid: false,
    })
    expect((await expectSuccess(seller.get(`/keys/${id}`))).key).toMatchObject({
      status: 'unused',
      devices_count: 0,
    })
    await program.start({ license_key: key, device })
    expect((await program.validate(key, { device })).code).toBe('VALID')
    expect((await program.validate(key, { device: newMachine() })).code).toBe(
      'DEVICE_LIMIT_REACHED',
    )
  })

  test('has the public reason of a ban during the ban, and not the internal one', async () => {
    const { key, id } = await createKey()
    const expires_at = new Date(tradepost.app.clock.now() + 60_000).toISOString()
    await expectSuccess(
      seller.post(`/keys/${id}/ban`, { reason: 'internal', public_reason: 'Shared.', expires_at }),
    )
    const banned = await program.validate(key)
    expect(banned).toMatchObject({ code: 'BANNED', message: 'Shared.' })
    expect(JSON.stringify(banned)).not.toContain('internal')
    tradepost.forward(61_000)
    expect((await program.validate(key)).code).toBe('VALID')
  })

  test('sends one statement, which only reads', async () => {
    const { key } = await createKey()
    await program.validate(key)
    const sentStatements = await tradepost.statements(() => program.validate(key))
    expect(sentStatements.filter((text) => !/^\s*select/.test(text))).toEqual([])
    expect(sentStatements.length).toBeLessThanOrEqual(1)
  })

  test('is recorded in last_validated_at after its answer, at most once a minute', async () => {
    const { key, id } = await createKey()
    const validateAndGetTime = async (): Promise<string> => {
      await program.validate(key)
      await tradepost.authentication.flush()
      return (await expectSuccess(seller.get(`/keys/${id}`))).key.last_validated_at
    }
    const first = await validateAndGetTime()
    expect(Date.parse(first)).toBe(tradepost.app.clock.now())
    tradepost.forward(59_000)
    expect(await validateAndGetTime()).toBe(first)
    tradepost.forward(1_001)
    expect(Date.parse(await validateAndGetTime())).toBe(tradepost.app.clock.now())
  })
})

describe('freeing a device by a client program', () => {
  test('is possible for the current device, and for another one after the reset cooldown', async () => {
    const { key } = await createKey({ max_devices: 2 })
    const [first, second] = [newMachine({ name: 'Laptop' }), newMachine()]
    const { session } = await program.start({ license_key: key, device: first })
    await program.start({ license_key: key, device: second })
    const { token } = session
    const { devices } = (await program.call('GET', '/devices', { token })).json
    expect(devices.map((device: Json) => device.current)).toEqual([false, true])
    expect(Object.keys(devices[0])).toEqual([
      'id',
      'name',
      'platform',
      'current',
      'first_seen_at',
      'last_seen_at',
    ])
    expect((await program.call('DELETE', `/devices/${devices[0].id}`, { token })).status).toBe(200)
    const { device: third } = await program.start({ license_key: key, device: newMachine() })
    const early = await program.call('DELETE', `/devices/${third.id}`, { token })
    expect(early.status).toBe(409)
    expect(Number(early.headers['retry-after'])).toBeGreaterThan(600_000)
    expect((await program.call('DELETE', '/devices/1e3', { token })).status).toBe(404)
    expect((await program.call('POST', '/deactivate', { token })).status).toBe(200)
    expect((await sendHeartbeat(token)).status).toBe(401)
  })

  test('is 404 for a device of another license', async () => {
    const ownSession = await startSession()
    const otherSession = await startSession()
    const { devices } = (await program.call('GET', '/devices', { token: otherSession.token })).json
    const path = `/devices/${devices[0].id}`
    expect((await program.call('DELETE', path, { token: ownSession.token })).status).toBe(404)
    expect((await sendHeartbeat(otherSession.token)).status).toBe(200)
  })
})

describe('strings and settings for client programs', () => {
  test('are readable up to the level of the license, and the answer for all others is the same 404', async () => {
    const app = await createProgram(tradepost, seller)
    const add = (name: string, fields: Json = {}) =>
      expectSuccess(
        seller.post('/serverside-strings', { app_id: app.appId, name, value: 'x', ...fields }),
      )
    await add('any', { value: ' byte-exact \n<b>tags</b> ü ', access: 'session' })
    await add('high', { min_level: 5 })
    await add('inactive', { status: 'inactive' })
    await add('Case')
    await createString(seller, 'elsewhere')
    const { key } = await createLicenseKey(seller, { app_id: app.appId, level: 4 })
    const { session } = await app.start({ license_key: key, device: newMachine() })
    const read = (name: string) => app.call('GET', `/strings/${name}`, { token: session.token })
    expect((await read('any')).json).toEqual({
      success: true,
      string: { name: 'any', value: ' byte-exact \n<b>tags</b> ü ', version: 1 },
    })
    const refusals = []
    for (const name of ['high', 'inactive', 'elsewhere', 'none', 'case'])
      refusals.push(await read(name))
    expect(refusals.map((item) => item.status)).toEqual([404, 404, 404, 404, 404])
    expect(new Set(refusals.map(withoutId)).size).toBe(1)
    await tradepost.authentication.flush()
    const { serverside_strings } = await expectSuccess(
      seller.get(`/serverside-strings?app_id=${app.appId}`),
    )
    const counts = serverside_strings.map((item: Json) => [item.name, item.fetch_count])
    expect(Object.fromEntries(counts)).toMatchObject({ any: 1, high: 0 })
  })

  test('include a typed map of settings, and a signed 304 if the map did not change', async () => {
    const app = await createProgram(tradepost, seller)
    const settings = [
      { key: 'players', type: 'integer', value: 64, access: 'public' },
      { key: 'motd', type: 'string', value: 'hi', access: 'public', status: 'inactive' },
      { key: 'flags', type: 'json', value: { a: [1, null] }, min_level: 2 },
    ]
    await expectSuccess(seller.put('/remote-settings', { app_id: app.appId, settings }))
    const publicSettings = await app.call('GET', '/settings')
    expect(publicSettings.json).toEqual({
      success: true,
      settings: { players: 64 },
      config_version: 2,
    })
    const { key } = await createLicenseKey(seller, { app_id: app.appId, level: 2 })
    const { session } = await app.start({ license_key: key, device: newMachine() })
    const { token } = session
    const allSettings = await app.call('GET', '/settings', { token })
    expect(allSettings.json.settings).toEqual({ players: 64, flags: { a: [1, null] } })
    const headers = { 'if-none-match': allSettings.headers.etag ?? '' }
    const unchangedMap = await app.call('GET', '/settings', { token, headers })
    expect([unchangedMap.status, unchangedMap.text]).toEqual([304, ''])
    expect((await app.call('GET', '/settings', { headers })).status).toBe(200)
    const [first] = (await expectSuccess(seller.get(`/remote-settings?app_id=${app.appId}`)))
      .remote_settings
    await expectSuccess(seller.delete(`/remote-settings/${first.id}`))
    expect((await app.call('GET', '/settings', { token, headers })).status).toBe(200)
    const unknownToken = await app.call('GET', '/settings', { token: 'x'.repeat(43) })
    expect(unknownToken.status).toBe(401)
  })
})

test('a change of a setting that a program may not read raises config_version, and the settings are sent again', async () => {
  const app = await createProgram(tradepost, seller)
  const add = (fields: Json) =>
    expectSuccess(
      seller.post('/remote-settings', { app_id: app.appId, type: 'integer', value: 1, ...fields }),
    )
  await add({ key: 'readable', access: 'public' })
  const { headers, json } = await app.call('GET', '/settings')
  await add({ key: 'unreadable', min_level: 9 })
  const secondAnswer = await app.call('GET', '/settings', {
    headers: { 'if-none-match': headers.etag ?? '' },
  })
  expect(secondAnswer.status).toBe(200)
  expect(secondAnswer.json).toEqual({ ...json, config_version: json.config_version + 1 })
})

const createString = (caller: Seller, name: string) =>
  expectSuccess(caller.post('/serverside-strings', { name, value: 'x' }))

describe('a report of a client program', () => {
  test('bans the license key or the device of its session by the rules of the app, and nothing else', async () => {
    const report_rules = { debugger: 'ban_key', cheat: 'ban_device' }
    const app = await createProgram(tradepost, seller, { report_rules })
    const { key, id } = await createLicenseKey(seller, { app_id: app.appId })
    const [first, second] = [newMachine(), newMachine()]
    const startOn = async (device: Json) =>
      (await app.start({ license_key: key, device })).session.token as string
    const report = (token: string, kind: string) =>
      app.call('POST', '/reports', { token, body: { kind, detail: 'seen' } })
    const token = await startOn(first)
    const otherToken = await startOn(second)
    expect((await report(token, 'lag')).status).toBe(201)
    expect((await report(token, 'constructor')).status).toBe(201)
    expect((await app.call('GET', '/settings', { token })).status).toBe(200)
    await report(token, 'cheat')
    expect((await app.call('GET', '/settings', { token })).status).toBe(401)
    expect((await app.start({ license_key: key, device: first })).code).toBe('DEVICE_BANNED')
    expect((await app.call('GET', '/settings', { token: otherToken })).status).toBe(200)
    await report(otherToken, 'debugger')
    expect((await app.validate(key)).code).toBe('BANNED')
    const { audit_events } = await expectSuccess(
      seller.get(`/audit-events?record_id=${id}&action=license_key.ban`),
    )
    expect(audit_events[0]).toMatchObject({ actor_key_id: null, record_type: 'license_key' })
    const tooLong = { kind: 'lag', detail: 'x'.repeat(2_049) }
    const third = await startSession()
    const refused = await program.call('POST', '/reports', { token: third.token, body: tooLong })
    expect(refused.status).toBe(422)
  })
})

describe('license files, issued to a client program and to the seller,', () => {
  const parseFile = (file: string) => {
    const [header = '', payload = '', signature = ''] = file.split('.')
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
    return { header: read(header), payload: read(payload), text: `${header}.${payload}`, signature }
  }
  const getSigningKey = async (appId: number) => {
    const [key] = (await expectSuccess(seller.get(`/apps/${appId}/signing-keys`))).signing_keys
    return publicKeyOf(key.public_key)
  }

  test('are signed for one purpose and one device, and expire with the license at the latest', async () => {
    const deviceKey = ed25519Device()
    const device = newMachine({ public_key: deviceKey.public_key })
    const { token, license } = await startSession({ duration_seconds: 7_200, level: 3 }, device)
    const body = { fingerprint: device.fingerprint, ttl_seconds: 86_400 }
    const issued = await program.call('POST', '/license-files', { token, device: deviceKey, body })
    expect(issued.status).toBe(201)
    const { payload, text, signature } = parseFile(issued.json.license_file)
    const signedBytes = Buffer.from(`license-file/v1\n${text}`)
    const key = await getSigningKey(program.appId)
    expect(verify(null, signedBytes, key, Buffer.from(signature, 'base64url'))).toBe(true)
    expect(payload).toMatchObject({
      app: program.publicId,
      key_id: license.id,
      level: 3,
      device: {
        fingerprint_hash: createHash('sha256')
          .update(`${program.publicId}\n${device.fingerprint}`)
          .digest('hex'),
        public_key_thumbprint: createHash('sha256')
          .update(Buffer.from(deviceKey.public_key, 'base64url'))
          .digest('base64url'),
      },
      seq: 1,
    })
    expect(payload.expires_at).toBe(payload.license_expires_at)
    expect(issued.json.expires_at).toBe(payload.expires_at)
    const secondFile = await program.call('POST', '/license-files', {
      token,
      device: deviceKey,
      body,
    })
    expect(parseFile(secondFile.json.license_file).payload.seq).toBe(2)
  })

  test('are refused during bans, for devices that are not activated, and with a ttl_seconds under an hour or over 30 days', async () => {
    const { token, license, device } = await startSession()
    const path = `/keys/${license.id}/license-files`
    const { fingerprint } = device
    expect((await seller.post(path, { fingerprint })).status).toBe(201)
    expect((await seller.post(path, { fingerprint: newMachine().fingerprint })).status).toBe(404)
    for (const ttl_seconds of [3_599, 2_592_001]) {
      expect((await seller.post(path, { fingerprint, ttl_seconds })).status).toBe(422)
    }
    const [deviceWithoutKey] = (await expectSuccess(seller.get(`/keys/${license.id}/devices`)))
      .devices
    expect((await seller.post(path, { device_id: deviceWithoutKey.id })).status).toBe(422)
    const otherSession = await startSession()
    const [otherDevice] = (
      await expectSuccess(seller.get(`/keys/${otherSession.license.id}/devices`))
    ).devices
    expect((await seller.post(path, { device_id: otherDevice.id })).status).toBe(404)
    const otherFingerprint = { token, body: { fingerprint: newMachine().fingerprint } }
    expect((await program.call('POST', '/license-files', otherFingerprint)).status).toBe(422)
    const ban = { app_id: program.appId, fingerprint, reason: 'Test' }
    const { device_ban } = await expectSuccess(seller.post('/device-bans', ban))
    expect((await seller.post(path, { fingerprint })).status).toBe(409)
    await expectSuccess(seller.delete(`/device-bans/${device_ban.id}`))
    expect((await seller.post(path, { fingerprint })).status).toBe(201)
    await expectSuccess(seller.post(`/keys/${license.id}/ban`, { reason: 'Test' }))
    expect((await seller.post(path, { fingerprint })).status).toBe(409)
  })
})

describe('the rate limits of an app', () => {
  test('refuse every license key from a network that sent too many unknown ones, before the key is looked up', async () => {
    const app = await createProgram(tradepost, seller, { rate_limits: { unknown_keys: 3 } })
    const { key } = await createLicenseKey(seller, { app_id: app.appId })
    const validateFrom = (license_key: string, ip: string) =>
      app.call('POST', '/validate', { body: { license_key }, ip })
    for (let n = 0; n < 3; n++)
      expect((await validateFrom(`WRONG-${n}`, '2001:db8::1')).status).toBe(200)
    let refused = await validateFrom(key, '2001:db8::ffff:1')
    const statements = await tradepost.statements(async () => {
      refused = await validateFrom(key, '2001:db8:0:0:1::2')
    })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(statements.filter((text) => text.includes('license_key'))).toEqual([])
    expect((await validateFrom(key, '2001:db8:0:1::1')).status).toBe(200)
    tradepost.forward(60_000)
    expect((await validateFrom(key, '2001:db8::1')).status).toBe(200)
  })

  test('allow 64 concurrent known license keys, and then 30 of 64 concurrent unknown ones', async () => {
    const app = await createProgram(tradepost, seller)
    const { key } = await createLicenseKey(seller, { app_id: app.appId })
    const validateConcurrently = async (keyAt: (n: number) => string) => {
      const calls = Array.from({ length: 64 }, (_, n) =>
        app.call('POST', '/validate', { body: { license_key: keyAt(n) } }),
      )
      const answers = await Promise.all(calls)
      return [200, 429].map((status) => answers.filter((item) => item.status === status).length)
    }
    expect(await validateConcurrently(() => key)).toEqual([64, 0])
    expect(await validateConcurrently((n) => `WRONG-${n}`)).toEqual([30, 34])
    expect(await validateConcurrently(() => key)).toEqual([0, 64])
  })

  test('are separate for starts, validations and calls of a session', async () => {
    const rate_limits = { session_starts: 2, validations: 2, session_calls: 2 }
    const app = await createProgram(tradepost, seller, { rate_limits })
    const { key } = await createLicenseKey(seller, { app_id: app.appId })
    const start = () =>
      app.call('POST', '/sessions', { body: { license_key: key, device: newMachine() } })
    const { json } = await start()
    expect([(await start()).status, (await start()).status]).toEqual([200, 429])
    const validate = () => app.call('POST', '/validate', { body: { license_key: key } })
    expect([
      (await validate()).status,
      (await validate()).status,
      (await validate()).status,
    ]).toEqual([200, 200, 429])
    const get = () => app.call('GET', '/settings', { token: json.session.token })
    expect([(await get()).status, (await get()).status, (await get()).status]).toEqual([
      200, 200, 429,
    ])
    tradepost.forward(60_000)
    const otherToken = (await start()).json.session.token
    await get()
    await get()
    expect((await app.call('GET', '/settings', { token: otherToken })).status).toBe(200)
  })

  test('are unaffected by the ban of an address, which refuses starts in one app only', async () => {
    const app = await createProgram(tradepost, seller)
    const body = { app_id: app.appId, ip_cidr: '198.51.100.0/24', reason: 'Test' }
    const { device_ban } = await expectSuccess(seller.post('/device-bans', body))
    const { key } = await createLicenseKey(seller, { app_id: app.appId })
    const keyOfOtherApp = await createKey()
    const ip = '198.51.100.7'
    const startBody = { license_key: key, device: newMachine() }
    expect((await app.start(startBody, { ip })).code).toBe('DEVICE_BANNED')
    expect((await program.validate(keyOfOtherApp.key, {}, { ip })).code).toBe('VALID')
    await expectSuccess(seller.delete(`/device-bans/${device_ban.id}`))
    expect((await app.start(startBody, { ip })).code).toBe('VALID')
  })
})
