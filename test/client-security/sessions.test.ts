import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSuccess, openTradepost, type Tradepost } from '../harness.ts'
import { createLicenseKey } from './prepared-calls.ts'
import {
  createProgram,
  ed25519Device,
  newMachine,
  newNonce,
  type Program,
  p256Device,
} from './program.ts'
import { createSeller, type Seller } from './seller.ts'

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
  program = await createProgram(tradepost, seller)
})
afterAll(() => tradepost.close())

const createKey = (fields = {}) => createLicenseKey(seller, { app_id: program.appId, ...fields })
const getKey = async (id: number) => (await expectSuccess(seller.get(`/keys/${id}`))).key

describe('the start of a session', () => {
  test('is answered with the features of the license, and with no other data of the license', async () => {
    const { key } = await createKey({ level: 7, entitlements: ['pro'], note: 'secret note' })
    const nonce = newNonce()
    const answer = await program.call('POST', '/sessions', {
      body: { license_key: key, device: newMachine() },
      nonce,
    })
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      success: true,
      valid: true,
      code: 'VALID',
      message: expect.any(String),
      session: {
        token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        expires_at: expect.any(String),
        heartbeat_seconds: 300,
        lease_expires_at: expect.any(String),
      },
      license: { level: 7, entitlements: ['pro'], expires_at: null },
      device: { id: expect.any(Number), registered: true },
      server_time: expect.any(String),
      store_time: expect.any(String),
      config_version: 1,
      nonce,
    })
    expect(answer.headers['cache-control']).toBe('no-store, no-transform')
  })

  test('sends five statements for a registered device and six for a new one, and a heartbeat sends two', async () => {
    const { key } = await createKey()
    const body = { license_key: key, device: newMachine() }
    await program.start(body)
    const firstWords = (sentStatements: string[]) =>
      sentStatements.map((text) => /\w+/.exec(text)?.[0])
    const wordsOfRegistered = ['begin', 'select', 'with', 'with', 'commit']
    const repeatStatements = await tradepost.statements(() => program.start(body))
    expect(firstWords(repeatStatements)).toEqual(wordsOfRegistered)
    const bodyOfNewDevice = { ...body, device: newMachine() }
    const statements = await tradepost.statements(() => program.start(bodyOfNewDevice))
    expect(firstWords(statements)).toEqual(['begin', 'select', 'with', 'with', 'insert', 'commit'])
    const { token } = (await program.start(body)).session
    const heartbeatStatements = await tradepost.statements(() =>
      program.call('POST', '/sessions/heartbeat', { token }),
    )
    expect(firstWords(heartbeatStatements)).toEqual(['select', 'with'])
  })

  test('registers the same device once, and is refused for another device beyond the limit', async () => {
    const { key, id } = await createKey({ max_devices: 1 })
    const device = newMachine()
    const first = await program.start({ license_key: key, device })
    const second = await program.start({ license_key: key, device })
    expect([first.code, second.code, second.device.id]).toEqual(['VALID', 'VALID', first.device.id])
    const otherStart = await program.start({ license_key: key, device: newMachine() })
    expect(otherStart).toMatchObject({ success: true, valid: false, code: 'DEVICE_LIMIT_REACHED' })
    expect(Object.keys(otherStart)).not.toContain('session')
    expect((await getKey(id)).devices_count).toBe(1)
  })

  test('is refused while the license has its maximum of sessions, until one ends or its lease expires', async () => {
    const { key, id } = await createKey({ max_sessions: 1 })
    const startBody = { license_key: key, device: newMachine() }
    const { session } = await program.start(startBody)
    expect((await program.start(startBody)).code).toBe('SESSION_LIMIT_REACHED')
    await program.call('DELETE', '/sessions/current', { token: session.token })
    expect((await program.start(startBody)).code).toBe('VALID')
    expect((await program.start(startBody)).code).toBe('SESSION_LIMIT_REACHED')
    tradepost.forward(901_000)
    expect((await program.start(startBody)).code).toBe('VALID')
    const { sessions } = await expectSuccess(seller.get(`/keys/${id}/sessions`))
    expect(sessions.map((item: { ended_reason: string }) => item.ended_reason)).toEqual([
      null,
      'lapsed',
      'left',
    ])
    expect(sessions[1].ended_at).toBe(sessions[1].lease_expires_at)
  })

  test('begins the term of a license with expiry_basis first_activation once', async () => {
    const { key, id } = await createKey({
      duration_seconds: 3600,
      expiry_basis: 'first_activation',
    })
    expect((await getKey(id)).expires_at).toBeNull()
    expect((await program.validate(key)).code).toBe('VALID')
    expect((await getKey(id)).expires_at).toBeNull()
    const { license } = await program.start({ license_key: key, device: newMachine() })
    const firstExpiry = (await getKey(id)).expires_at
    expect(license.expires_at).toBe(firstExpiry)
    tradepost.forward(60_000)
    await program.start({ license_key: key, device: newMachine() })
    expect((await getKey(id)).expires_at).toBe(firstExpiry)
    tradepost.forward(3_600_000)
    expect((await program.start({ license_key: key, device: newMachine() })).code).toBe('EXPIRED')
  })

  test('and a validation accept a license key in any notation', async () => {
    const { key } = await createKey({ prefix: 'GAME' })
    const notations = [
      key.toLowerCase(),
      key.replaceAll('-', ''),
      ` ${key}\n`,
      key.replaceAll('-', ' '),
      key.replaceAll('0', 'o').replaceAll('1', 'l'),
      key.replaceAll('-', '\u200b-\u00a0'),
    ]
    for (const notation of notations) {
      const started = await program.start({ license_key: notation, device: newMachine() })
      const validated = await program.validate(notation)
      expect([notation, started.code, validated.code]).toEqual([notation, 'VALID', 'VALID'])
    }
  })

  test('is answered for an unknown license key like for one of another app or another store', async () => {
    const otherSeller = await createSeller(tradepost, tradepost.other.id)
    const { key: keyOfOtherStore } = await createLicenseKey(otherSeller)
    const { key: keyOfOtherApp } = await createLicenseKey(seller)
    const nonce = newNonce()
    const bodies = []
    for (const license_key of [
      keyOfOtherStore,
      keyOfOtherApp,
      '00000-00000-00000-00000-00000',
      'nonsense',
    ]) {
      const answer = await program.start(
        { license_key, device: newMachine() },
        { nonce, ip: '10.9.9.9' },
      )
      bodies.push({ ...answer, server_time: '', store_time: '' })
    }
    expect(new Set(bodies.map((item) => JSON.stringify(item))).size).toBe(1)
    expect(bodies[0]).toMatchObject({ success: true, valid: false, code: 'NOT_FOUND' })
  })

  test('is refused while the app is paused or disabled, and a disabled app ends all sessions', async () => {
    const app = await createProgram(tradepost, seller)
    const { key } = await createLicenseKey(seller, { app_id: app.appId })
    const startBody = { license_key: key, device: newMachine() }
    const { session } = await app.start(startBody)
    const path = `/apps/${app.appId}`
    await expectSuccess(seller.patch(path, { status: 'paused' }))
    const pausedAnswer = await app.call('POST', '/sessions', { body: startBody })
    expect([pausedAnswer.status, Object.keys(pausedAnswer.json)]).toEqual([
      403,
      ['success', 'error'],
    ])
    const unknownKey = { ...startBody, license_key: 'nobody has this key' }
    expect((await app.call('POST', '/sessions', { body: unknownKey })).status).toBe(403)
    expect((await app.validate(key)).code).toBe('VALID')
    await expectSuccess(seller.patch(path, { status: 'disabled' }))
    expect((await app.start(startBody)).code).toBe('APP_DISABLED')
    expect((await app.validate(key)).code).toBe('APP_DISABLED')
    const heartbeat = await app.call('POST', '/sessions/heartbeat', { token: session.token })
    expect(heartbeat.status).toBe(401)
  })

  test('is refused for a program with an old version or another checksum', async () => {
    const checksum = 'a'.repeat(64)
    const app = await createProgram(tradepost, seller, {
      min_version: '1.10',
      allowed_checksums: [checksum],
    })
    const { key } = await createLicenseKey(seller, { app_id: app.appId })
    const start = async (fields: object) =>
      (await app.start({ license_key: key, device: newMachine(), ...fields })).code
    expect(await start({})).toBe('APP_VERSION_UNSUPPORTED')
    expect(await start({ app_version: '1.9' })).toBe('APP_VERSION_UNSUPPORTED')
    expect(await start({ app_version: '1.10' })).toBe('CHECKSUM_MISMATCH')
    expect(await start({ app_version: '2', app_checksum: checksum })).toBe('VALID')
  })

  test.each(['', 'short', 'x'.repeat(257), 'ünïcode-fingerprint', 'line\nbreak-line-break'])(
    'with a fingerprint such as "%s" is 422',
    async (fingerprint) => {
      const { key } = await createKey()
      const body = { license_key: key, device: { fingerprint } }
      const { status, json } = await program.call('POST', '/sessions', { body })
      expect([status, json.error]).toEqual([422, expect.stringMatching(/^device\.fingerprint: /)])
    },
  )

  test('is refused without a device, unless the app requires none', async () => {
    const { key } = await createKey()
    expect((await program.start({ license_key: key })).code).toBe('FINGERPRINT_REQUIRED')
    const programWithoutDevices = await createProgram(tradepost, seller, {
      device_policy: { required: false },
    })
    const { key: otherKey } = await createLicenseKey(seller, {
      app_id: programWithoutDevices.appId,
    })
    expect((await programWithoutDevices.start({ license_key: otherKey })).code).toBe('VALID')
  })

  test('without a license is refused unless the app allows public sessions, which read only public values', async () => {
    const refused = await program.call('POST', '/sessions', { body: {} })
    expect([refused.status, refused.json.error]).toEqual([
      422,
      expect.stringMatching(/^license_key/),
    ])
    const publicProgram = await createProgram(tradepost, seller, { allow_public_session: true })
    const { session, valid } = await publicProgram.start({})
    expect(valid).toBe(true)
    for (const access of ['public', 'session', 'licensed']) {
      const requestBody = { app_id: publicProgram.appId, name: access, value: access, access }
      await expectSuccess(seller.post('/serverside-strings', requestBody))
    }
    const read = async (name: string) =>
      (await publicProgram.call('GET', `/strings/${name}`, { token: session.token })).status
    expect([await read('public'), await read('session'), await read('licensed')]).toEqual([
      200, 404, 404,
    ])
  })
})

describe('devices with a public key', () => {
  test.each([
    ['Ed25519', ed25519Device],
    ['P-256', p256Device],
  ])('must sign every changing call with their %s key', async (_, newDevice) => {
    const { key } = await createKey()
    const device = newDevice()
    const { session } = await program.start({
      license_key: key,
      device: newMachine({ public_key: device.public_key }),
    })
    const { token } = session
    const sendHeartbeat = (options: object) =>
      program.call('POST', '/sessions/heartbeat', { token, ...options })
    expect((await sendHeartbeat({ device })).json).toMatchObject({ valid: true, code: 'VALID' })
    expect((await sendHeartbeat({})).status).toBe(401)
    expect((await sendHeartbeat({ device: newDevice() })).status).toBe(401)
    expect((await sendHeartbeat({ device, skew_s: 240 })).status).toBe(200)
    expect((await sendHeartbeat({ device, skew_s: 360 })).status).toBe(401)
    expect((await sendHeartbeat({ device, skew_s: -360 })).status).toBe(401)
    const nonce = newNonce()
    expect((await sendHeartbeat({ device, nonce })).status).toBe(200)
    expect((await sendHeartbeat({ device, nonce })).status).toBe(401)
    for (const path of ['/deactivate', '/reports', '/license-files']) {
      expect([path, (await program.call('POST', path, { token, body: {} })).status]).toEqual([
        path,
        401,
      ])
    }
    const report = { token, device, body: { kind: 'debugger' }, nonce }
    expect((await program.call('POST', '/reports', report)).status).toBe(401)
    expect((await program.call('POST', '/reports', { ...report, nonce: newNonce() })).status).toBe(
      201,
    )
  })

  test('send 20 concurrent heartbeats with the same nonce, and one is accepted', async () => {
    const { key } = await createKey()
    const device = ed25519Device()
    const body = { license_key: key, device: newMachine({ public_key: device.public_key }) }
    const { session } = await program.start(body)
    const nonce = newNonce()
    const options = { token: session.token, device, nonce }
    const heartbeats = Array.from({ length: 20 }, () =>
      program.call('POST', '/sessions/heartbeat', options),
    )
    const statuses = (await Promise.all(heartbeats)).map((item) => item.status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 401)).toHaveLength(19)
  })

  test('are not impersonated by their fingerprint with another public key or without one', async () => {
    const { key, id } = await createKey({ max_devices: 2 })
    const first = newMachine({ public_key: ed25519Device().public_key })
    await program.start({ license_key: key, device: first })
    const { fingerprint } = first
    for (const public_key of [ed25519Device().public_key, undefined]) {
      const answer = await program.start({ license_key: key, device: { fingerprint, public_key } })
      expect(answer.code).toBe('DEVICE_KEY_MISMATCH')
    }
    expect((await getKey(id)).devices_count).toBe(1)
  })

  test('are bound to the first public key that they send', async () => {
    const { key } = await createKey()
    const device = newMachine()
    const { device: before } = await program.start({ license_key: key, device })
    const firstKey = { ...device, public_key: ed25519Device().public_key }
    const { device: after } = await program.start({ license_key: key, device: firstKey })
    expect(after.id).toBe(before.id)
    const otherKey = { ...device, public_key: ed25519Device().public_key }
    expect((await program.start({ license_key: key, device: otherKey })).code).toBe(
      'DEVICE_KEY_MISMATCH',
    )
  })

  test('can be made mandatory by an app', async () => {
    const strictProgram = await createProgram(tradepost, seller, {
      device_policy: { key_required: true },
    })
    const { key } = await createLicenseKey(seller, { app_id: strictProgram.appId })
    const body = { license_key: key, device: newMachine() }
    const { status, json } = await strictProgram.call('POST', '/sessions', { body })
    expect([status, json.error]).toEqual([422, expect.stringMatching(/^device\.public_key: /)])
  })

  const base64UrlOf = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')
  test.each([
    ['the identity', base64UrlOf(`01${'00'.repeat(31)}`)],
    ['the identity with its sign', base64UrlOf(`01${'00'.repeat(30)}80`)],
    ['zero', base64UrlOf('00'.repeat(32))],
    ['zero with its sign', base64UrlOf(`${'00'.repeat(31)}80`)],
    ['order 2', base64UrlOf(`ec${'ff'.repeat(30)}7f`)],
    ['order 8', base64UrlOf('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')],
    [
      'another order 8',
      base64UrlOf('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'),
    ],
    [
      'order 8, negative',
      base64UrlOf('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85'),
    ],
    ['p, another encoding of zero', base64UrlOf(`ed${'ff'.repeat(30)}7f`)],
    ['p + 1, another encoding of one', base64UrlOf(`ee${'ff'.repeat(30)}7f`)],
    ['too short', base64UrlOf('00'.repeat(31))],
    ['a P-256 point that is invalid', base64UrlOf(`04${'11'.repeat(64)}`)],
    ['padded', `${ed25519Device().public_key}=`],
    [
      'with an invalid character',
      `${ed25519Device().public_key.slice(0, 20)}!${ed25519Device().public_key.slice(20)}`,
    ],
  ])('are refused with a weak or malformed public key (%s)', async (_, public_key) => {
    const { key } = await createKey()
    const body = { license_key: key, device: newMachine({ public_key }) }
    const { status, json } = await program.call('POST', '/sessions', { body })
    expect([status, json.error]).toEqual([422, expect.stringMatching(/^device\.public_key: /)])
  })
})

describe('devices with changed components', () => {
  test.each([
    ['most', ['VALID', 'VALID', 'DEVICE_LIMIT_REACHED']],
    ['two', ['VALID', 'VALID', 'VALID']],
    ['any', ['VALID', 'VALID', 'VALID']],
    ['exact', ['VALID', 'DEVICE_LIMIT_REACHED', 'DEVICE_LIMIT_REACHED']],
  ])('are compared by the match rule %s', async (match, expected) => {
    const app = await createProgram(tradepost, seller, { device_policy: { match } })
    const { key } = await createLicenseKey(seller, { app_id: app.appId, max_devices: 1 })
    const original = { disk: 'd', board: 'b', cpu: 'c', net: 'n' }
    const codes = []
    for (const components of [
      original,
      { ...original, disk: 'e' },
      { ...original, disk: 'e', net: 'm' },
    ]) {
      codes.push((await app.start({ license_key: key, device: newMachine({ components }) })).code)
    }
    expect(codes).toEqual(expected)
  })

  test('are refused with the fingerprint of a device whose components all differ', async () => {
    const app = await createProgram(tradepost, seller, { device_policy: { match: 'most' } })
    const { key } = await createLicenseKey(seller, { app_id: app.appId })
    const device = newMachine({ components: { disk: 'd', board: 'b' } })
    await app.start({ license_key: key, device })
    const clonedDevice = { ...device, components: { disk: 'x', board: 'y' } }
    expect((await app.start({ license_key: key, device: clonedDevice })).code).toBe(
      'DEVICE_MISMATCH',
    )
  })
})
