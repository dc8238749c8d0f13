import { createHash, verify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { ed25519Device, machine, type Program, programOf, publicKeyOf } from './program.ts'
import { made, type Seller, sellerAt, withoutId } from './seller.ts'
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

const keyOf = (fields: Json = {}) => aKey(seller, { app_id: program.appId, ...fields })

/** A session of a new license. */
async function begun(fields: Json = {}, device: Json = machine()) {
  const license = await keyOf(fields)
  const { session } = await program.start({ license_key: license.key, device })
  return { license, device, token: session.token as string }
}
const beat = (token: string) => program.call('POST', '/sessions/heartbeat', { token })

describe('R5, a check', () => {
  test('activates nothing and starts no session', async () => {
    const { key, id } = await keyOf({ max_devices: 1, max_sessions: 1 })
    const device = machine()
    expect((await program.validate(key)).code).toBe('VALID')
    expect(await program.validate(key, { device })).toMatchObject({
      code: 'NOT_ACTIVATED',
      valid: false,
    })
    expect((await made(seller.get(`/keys/${id}`))).key).toMatchObject({
      status: 'unused',
      devices_count: 0,
    })
    await program.start({ license_key: key, device })
    expect((await program.validate(key, { device })).code).toBe('VALID')
    expect((await program.validate(key, { device: machine() })).code).toBe('DEVICE_LIMIT_REACHED')
  })

  test('shows the public reason of a ban, and only while it lasts', async () => {
    const { key, id } = await keyOf()
    const expires_at = new Date(tradepost.app.clock.now() + 60_000).toISOString()
    await made(
      seller.post(`/keys/${id}/ban`, { reason: 'inside', public_reason: 'Shared.', expires_at }),
    )
    const banned = await program.validate(key)
    expect(banned).toMatchObject({ code: 'BANNED', message: 'Shared.' })
    expect(JSON.stringify(banned)).not.toContain('inside')
    tradepost.forward(61_000)
    expect((await program.validate(key)).code).toBe('VALID')
  })

  test('runs one statement and writes nothing', async () => {
    const { key } = await keyOf()
    await program.validate(key)
    const sent = await tradepost.statements(() => program.validate(key))
    expect(sent.filter((text) => !/^\s*select/.test(text))).toEqual([])
    expect(sent.length).toBeLessThanOrEqual(1)
  })

  test('the last check is recorded later, at most once a minute', async () => {
    const { key, id } = await keyOf()
    await program.validate(key)
    await tradepost.authentication.flush()
    const { last_validated_at } = (await made(seller.get(`/keys/${id}`))).key
    expect(last_validated_at).not.toBeNull()
    await program.validate(key)
    await tradepost.authentication.flush()
    expect((await made(seller.get(`/keys/${id}`))).key.last_validated_at).toBe(last_validated_at)
  })
})

describe('R6, leaving a device', () => {
  test('frees this one, and another within the limits of resets', async () => {
    const { key } = await keyOf({ max_devices: 2 })
    const [one, two] = [machine({ name: 'GateContext' }), machine()]
    const { session } = await program.start({ license_key: key, device: one })
    await program.start({ license_key: key, device: two })
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
    const { device: third } = await program.start({ license_key: key, device: machine() })
    const early = await program.call('DELETE', `/devices/${third.id}`, { token })
    expect(early.status).toBe(409)
    expect(Number(early.headers['retry-after'])).toBeGreaterThan(600_000)
    expect((await program.call('DELETE', '/devices/1e3', { token })).status).toBe(404)
    expect((await program.call('POST', '/deactivate', { token })).status).toBe(200)
    expect((await beat(token)).status).toBe(401)
  })

  test('does not reach a device of another license', async () => {
    const mine = await begun()
    const theirs = await begun()
    const { devices } = (await program.call('GET', '/devices', { token: theirs.token })).json
    const path = `/devices/${devices[0].id}`
    expect((await program.call('DELETE', path, { token: mine.token })).status).toBe(404)
    expect((await beat(theirs.token)).status).toBe(200)
  })
})

describe('R7 and R9, the fields that a program may see', () => {
  test('is limited by its license, and other records are not found', async () => {
    const app = await programOf(tradepost, seller)
    const add = (name: string, fields: Json = {}) =>
      made(seller.post('/serverside-strings', { app_id: app.appId, name, value: 'x', ...fields }))
    await add('any', { value: ' byte-exact \n<b>tags</b> ü ', access: 'session' })
    await add('high', { min_level: 5 })
    await add('off', { status: 'inactive' })
    await add('Case')
    await aString(seller, 'elsewhere')
    const { key } = await aKey(seller, { app_id: app.appId, level: 4 })
    const { session } = await app.start({ license_key: key, device: machine() })
    const read = (name: string) => app.call('GET', `/strings/${name}`, { token: session.token })
    expect((await read('any')).json).toEqual({
      success: true,
      string: { name: 'any', value: ' byte-exact \n<b>tags</b> ü ', version: 1 },
    })
    const hidden = []
    for (const name of ['high', 'off', 'elsewhere', 'none', 'case']) hidden.push(await read(name))
    expect(hidden.map((item) => item.status)).toEqual([404, 404, 404, 404, 404])
    expect(new Set(hidden.map(withoutId)).size).toBe(1)
    await tradepost.authentication.flush()
    const { serverside_strings } = await made(seller.get(`/serverside-strings?app_id=${app.appId}`))
    const counts = serverside_strings.map((item: Json) => [item.name, item.fetch_count])
    expect(Object.fromEntries(counts)).toMatchObject({ any: 1, high: 0 })
  })

  test('settings are a typed map, and unchanged ones are 304, signed', async () => {
    const app = await programOf(tradepost, seller)
    const settings = [
      { key: 'players', type: 'integer', value: 64, access: 'public' },
      { key: 'motd', type: 'string', value: 'hi', access: 'public', status: 'inactive' },
      { key: 'flags', type: 'json', value: { a: [1, null] }, min_level: 2 },
    ]
    await made(seller.put('/remote-settings', { app_id: app.appId, settings }))
    const open = await app.call('GET', '/settings')
    expect(open.json).toEqual({ success: true, settings: { players: 64 }, config_version: 2 })
    const { key } = await aKey(seller, { app_id: app.appId, level: 2 })
    const { session } = await app.start({ license_key: key, device: machine() })
    const { token } = session
    const all = await app.call('GET', '/settings', { token })
    expect(all.json.settings).toEqual({ players: 64, flags: { a: [1, null] } })
    const headers = { 'if-none-match': all.headers.etag ?? '' }
    const same = await app.call('GET', '/settings', { token, headers })
    expect([same.status, same.text]).toEqual([304, ''])
    expect((await app.call('GET', '/settings', { headers })).status).toBe(200)
    const [first] = (await made(seller.get(`/remote-settings?app_id=${app.appId}`))).remote_settings
    await made(seller.delete(`/remote-settings/${first.id}`))
    expect((await app.call('GET', '/settings', { token, headers })).status).toBe(200)
    const wrong = await app.call('GET', '/settings', { token: 'x'.repeat(43) })
    expect(wrong.status).toBe(401)
  })
})

test('settings that changed out of sight are fetched again, for their version is another', async () => {
  const app = await programOf(tradepost, seller)
  const add = (fields: Json) =>
    made(
      seller.post('/remote-settings', { app_id: app.appId, type: 'integer', value: 1, ...fields }),
    )
  await add({ key: 'seen', access: 'public' })
  const { headers, json } = await app.call('GET', '/settings')
  await add({ key: 'unseen', min_level: 9 })
  const again = await app.call('GET', '/settings', {
    headers: { 'if-none-match': headers.etag ?? '' },
  })
  expect(again.status).toBe(200)
  expect(again.json).toEqual({ ...json, config_version: json.config_version + 1 })
})

const aString = (who: Seller, name: string) =>
  made(who.post('/serverside-strings', { name, value: 'x' }))

describe('R10, reports', () => {
  test('reach the session’s own key and device, by the app’s rules, and nothing else', async () => {
    const report_rules = { debugger: 'ban_key', cheat: 'ban_device' }
    const app = await programOf(tradepost, seller, { report_rules })
    const { key, id } = await aKey(seller, { app_id: app.appId })
    const [one, two] = [machine(), machine()]
    const begin = async (device: Json) =>
      (await app.start({ license_key: key, device })).session.token as string
    const tell = (token: string, kind: string) =>
      app.call('POST', '/reports', { token, body: { kind, detail: 'seen' } })
    const token = await begin(one)
    const other = await begin(two)
    expect((await tell(token, 'lag')).status).toBe(201)
    expect((await tell(token, 'constructor')).status).toBe(201)
    expect((await app.call('GET', '/settings', { token })).status).toBe(200)
    await tell(token, 'cheat')
    expect((await app.call('GET', '/settings', { token })).status).toBe(401)
    expect((await app.start({ license_key: key, device: one })).code).toBe('DEVICE_BANNED')
    expect((await app.call('GET', '/settings', { token: other })).status).toBe(200)
    await tell(other, 'debugger')
    expect((await app.validate(key)).code).toBe('BANNED')
    const { audit_events } = await made(
      seller.get(`/audit-events?record_id=${id}&action=license_key.ban`),
    )
    expect(audit_events[0]).toMatchObject({ actor_key_id: null, record_type: 'license_key' })
    const big = { kind: 'lag', detail: 'x'.repeat(2_049) }
    const third = await begun()
    const refused = await program.call('POST', '/reports', { token: third.token, body: big })
    expect(refused.status).toBe(422)
  })
})

describe('R11 and its twin in management, offline files', () => {
  const parts = (file: string) => {
    const [header = '', payload = '', signature = ''] = file.split('.')
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
    return { header: read(header), payload: read(payload), text: `${header}.${payload}`, signature }
  }
  const keyOfApp = async (appId: number) => {
    const [key] = (await made(seller.get(`/apps/${appId}/signing-keys`))).signing_keys
    return publicKeyOf(key.public_key)
  }

  test('are signed for their own purpose, for one device, and end with the license', async () => {
    const own = ed25519Device()
    const device = machine({ public_key: own.public_key })
    const { token, license } = await begun({ duration_seconds: 7_200, level: 3 }, device)
    const body = { fingerprint: device.fingerprint, ttl_seconds: 86_400 }
    const issued = await program.call('POST', '/license-files', { token, device: own, body })
    expect(issued.status).toBe(201)
    const { payload, text, signature } = parts(issued.json.license_file)
    const signed = Buffer.from(`license-file/v1\n${text}`)
    const key = await keyOfApp(program.appId)
    expect(verify(null, signed, key, Buffer.from(signature, 'base64url'))).toBe(true)
    expect(payload).toMatchObject({
      app: program.publicId,
      key_id: license.id,
      level: 3,
      device: {
        fingerprint_hash: createHash('sha256')
          .update(`${program.publicId}\n${device.fingerprint}`)
          .digest('hex'),
        public_key_thumbprint: createHash('sha256')
          .update(Buffer.from(own.public_key, 'base64url'))
          .digest('base64url'),
      },
      seq: 1,
    })
    expect(payload.expires_at).toBe(payload.license_expires_at)
    expect(issued.json.expires_at).toBe(payload.expires_at)
    const again = await program.call('POST', '/license-files', { token, device: own, body })
    expect(parts(again.json.license_file).payload.seq).toBe(2)
  })

  test('are made for activated devices only, for an hour to 30 days, and not for banned keys', async () => {
    const { token, license, device } = await begun()
    const path = `/keys/${license.id}/license-files`
    const { fingerprint } = device
    expect((await seller.post(path, { fingerprint })).status).toBe(201)
    expect((await seller.post(path, { fingerprint: machine().fingerprint })).status).toBe(404)
    for (const ttl_seconds of [3_599, 2_592_001]) {
      expect((await seller.post(path, { fingerprint, ttl_seconds })).status).toBe(422)
    }
    const [row] = (await made(seller.get(`/keys/${license.id}/devices`))).devices
    expect((await seller.post(path, { device_id: row.id })).status).toBe(422)
    const foreign = await begun()
    const [other] = (await made(seller.get(`/keys/${foreign.license.id}/devices`))).devices
    expect((await seller.post(path, { device_id: other.id })).status).toBe(404)
    const wrong = { token, body: { fingerprint: machine().fingerprint } }
    expect((await program.call('POST', '/license-files', wrong)).status).toBe(422)
    const ban = { app_id: program.appId, fingerprint, reason: 'Test' }
    const { device_ban } = await made(seller.post('/device-bans', ban))
    expect((await seller.post(path, { fingerprint })).status).toBe(409)
    await made(seller.delete(`/device-bans/${device_ban.id}`))
    expect((await seller.post(path, { fingerprint })).status).toBe(201)
    await made(seller.post(`/keys/${license.id}/ban`, { reason: 'Test' }))
    expect((await seller.post(path, { fingerprint })).status).toBe(409)
  })
})

describe('limits', () => {
  test('unknown keys of an address are refused before they are looked up, and others are not', async () => {
    const app = await programOf(tradepost, seller, { rate_limits: { unknown_keys: 3 } })
    const { key } = await aKey(seller, { app_id: app.appId })
    const ask = (license_key: string, ip: string) =>
      app.call('POST', '/validate', { body: { license_key }, ip })
    for (let n = 0; n < 3; n++) expect((await ask(`WRONG-${n}`, '2001:db8::1')).status).toBe(200)
    let refused = await ask(key, '2001:db8::ffff:1')
    const sent = await tradepost.statements(async () => {
      refused = await ask(key, '2001:db8:0:0:1::2')
    })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(sent.filter((text) => text.includes('license_key'))).toEqual([])
    expect((await ask(key, '2001:db8:0:1::1')).status).toBe(200)
    tradepost.forward(60_000)
    expect((await ask(key, '2001:db8::1')).status).toBe(200)
  })

  test('of 64 unknown keys at once 30 are answered, and of 64 known ones all', async () => {
    const app = await programOf(tradepost, seller)
    const { key } = await aKey(seller, { app_id: app.appId })
    const rush = async (keyAt: (n: number) => string) => {
      const calls = Array.from({ length: 64 }, (_, n) =>
        app.call('POST', '/validate', { body: { license_key: keyAt(n) } }),
      )
      const answers = await Promise.all(calls)
      return [200, 429].map((status) => answers.filter((item) => item.status === status).length)
    }
    expect(await rush(() => key)).toEqual([64, 0])
    expect(await rush((n) => `WRONG-${n}`)).toEqual([30, 34])
    expect(await rush(() => key)).toEqual([0, 64])
  })

  test('starts, checks and calls of a session have limits of their own', async () => {
    const rate_limits = { session_starts: 2, validations: 2, session_calls: 2 }
    const app = await programOf(tradepost, seller, { rate_limits })
    const { key } = await aKey(seller, { app_id: app.appId })
    const start = () =>
      app.call('POST', '/sessions', { body: { license_key: key, device: machine() } })
    const { json } = await start()
    expect([(await start()).status, (await start()).status]).toEqual([200, 429])
    const check = () => app.call('POST', '/validate', { body: { license_key: key } })
    expect([(await check()).status, (await check()).status, (await check()).status]).toEqual([
      200, 200, 429,
    ])
    const get = () => app.call('GET', '/settings', { token: json.session.token })
    expect([(await get()).status, (await get()).status, (await get()).status]).toEqual([
      200, 200, 429,
    ])
    tradepost.forward(60_000)
    const other = (await start()).json.session.token
    await get()
    await get()
    expect((await app.call('GET', '/settings', { token: other })).status).toBe(200)
  })

  test('a banned address starts no session, in this app only', async () => {
    const app = await programOf(tradepost, seller)
    const body = { app_id: app.appId, ip_cidr: '198.51.100.0/24', reason: 'Test' }
    const { device_ban } = await made(seller.post('/device-bans', body))
    const { key } = await aKey(seller, { app_id: app.appId })
    const elsewhere = await keyOf()
    const ip = '198.51.100.7'
    const ask = { license_key: key, device: machine() }
    expect((await app.start(ask, { ip })).code).toBe('DEVICE_BANNED')
    expect((await program.validate(elsewhere.key, {}, { ip })).code).toBe('VALID')
    await made(seller.delete(`/device-bans/${device_ban.id}`))
    expect((await app.start(ask, { ip })).code).toBe('VALID')
  })
})
