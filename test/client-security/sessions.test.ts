import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTradepost, type Tradepost } from '../harness.ts'
import { ed25519Device, machine, newNonce, type Program, p256Device, programOf } from './program.ts'
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

const keyOf = (fields = {}) => aKey(seller, { app_id: program.appId, ...fields })
const keyRow = async (id: number) => (await made(seller.get(`/keys/${id}`))).key

describe('R2, the start of a session', () => {
  test('shows the rights of the license, and nothing else of its holder', async () => {
    const { key } = await keyOf({ level: 7, entitlements: ['pro'], note: 'secret note' })
    const nonce = newNonce()
    const answer = await program.call('POST', '/sessions', {
      body: { license_key: key, device: machine() },
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

  test('takes five statements for a known machine, six with the audit event of a new one; a heartbeat takes two', async () => {
    const { key } = await keyOf()
    const body = { license_key: key, device: machine() }
    await program.start(body)
    const words = (sent: string[]) => sent.map((text) => /\w+/.exec(text)?.[0])
    const five = ['begin', 'select', 'with', 'with', 'commit']
    const known = await tradepost.statements(() => program.start(body))
    expect(words(known)).toEqual(five)
    const another = { ...body, device: machine() }
    const fresh = await tradepost.statements(() => program.start(another))
    expect(words(fresh)).toEqual(['begin', 'select', 'with', 'with', 'insert', 'commit'])
    const { token } = (await program.start(body)).session
    const beat = await tradepost.statements(() =>
      program.call('POST', '/sessions/heartbeat', { token }),
    )
    expect(words(beat)).toEqual(['select', 'with'])
  })

  test('the same machine is one device, and another one beyond the limit is refused', async () => {
    const { key, id } = await keyOf({ max_devices: 1 })
    const device = machine()
    const first = await program.start({ license_key: key, device })
    const second = await program.start({ license_key: key, device })
    expect([first.code, second.code, second.device.id]).toEqual(['VALID', 'VALID', first.device.id])
    const other = await program.start({ license_key: key, device: machine() })
    expect(other).toMatchObject({ success: true, valid: false, code: 'DEVICE_LIMIT_REACHED' })
    expect(Object.keys(other)).not.toContain('session')
    expect((await keyRow(id)).devices_count).toBe(1)
  })

  test('sessions count until their lease has expired', async () => {
    const { key, id } = await keyOf({ max_sessions: 1 })
    const ask = { license_key: key, device: machine() }
    const { session } = await program.start(ask)
    expect((await program.start(ask)).code).toBe('SESSION_LIMIT_REACHED')
    await program.call('DELETE', '/sessions/current', { token: session.token })
    expect((await program.start(ask)).code).toBe('VALID')
    expect((await program.start(ask)).code).toBe('SESSION_LIMIT_REACHED')
    tradepost.forward(901_000)
    expect((await program.start(ask)).code).toBe('VALID')
    const { sessions } = await made(seller.get(`/keys/${id}/sessions`))
    expect(sessions.map((item: { ended_reason: string }) => item.ended_reason)).toEqual([
      null,
      'lapsed',
      'left',
    ])
    expect(sessions[1].ended_at).toBe(sessions[1].lease_expires_at)
  })

  test('the term begins with the first use, once', async () => {
    const { key, id } = await keyOf({ duration_seconds: 3600, expiry_basis: 'first_activation' })
    expect((await keyRow(id)).expires_at).toBeNull()
    expect((await program.validate(key)).code).toBe('VALID')
    expect((await keyRow(id)).expires_at).toBeNull()
    const { license } = await program.start({ license_key: key, device: machine() })
    const begun = (await keyRow(id)).expires_at
    expect(license.expires_at).toBe(begun)
    tradepost.forward(60_000)
    await program.start({ license_key: key, device: machine() })
    expect((await keyRow(id)).expires_at).toBe(begun)
    tradepost.forward(3_600_000)
    expect((await program.start({ license_key: key, device: machine() })).code).toBe('EXPIRED')
  })

  test('keys are found however people write them', async () => {
    const { key } = await keyOf({ prefix: 'GAME' })
    const ways = [
      key.toLowerCase(),
      key.replaceAll('-', ''),
      ` ${key}\n`,
      key.replaceAll('-', ' '),
      key.replaceAll('0', 'o').replaceAll('1', 'l'),
      key.replaceAll('-', '\u200b-\u00a0'),
    ]
    for (const way of ways)
      expect([way, (await program.validate(way)).code]).toEqual([way, 'VALID'])
  })

  test('an unknown key, another app’s and another store’s are the same', async () => {
    const next = await sellerAt(tradepost, tradepost.other.id)
    const { key: theirs } = await aKey(next)
    const { key: others } = await aKey(seller)
    const nonce = newNonce()
    const bodies = []
    for (const license_key of [theirs, others, '00000-00000-00000-00000-00000', 'nonsense']) {
      const answer = await program.start(
        { license_key, device: machine() },
        { nonce, ip: '10.9.9.9' },
      )
      bodies.push({ ...answer, server_time: '', store_time: '' })
    }
    expect(new Set(bodies.map((item) => JSON.stringify(item))).size).toBe(1)
    expect(bodies[0]).toMatchObject({ success: true, valid: false, code: 'NOT_FOUND' })
  })

  test('a paused app starts no session, and a disabled one ends all', async () => {
    const app = await programOf(tradepost, seller)
    const { key } = await aKey(seller, { app_id: app.appId })
    const ask = { license_key: key, device: machine() }
    const { session } = await app.start(ask)
    const path = `/apps/${app.appId}`
    await made(seller.patch(path, { status: 'paused' }))
    const paused = await app.call('POST', '/sessions', { body: ask })
    expect([paused.status, Object.keys(paused.json)]).toEqual([403, ['success', 'error']])
    const unknown = { ...ask, license_key: 'nobody has this key' }
    expect((await app.call('POST', '/sessions', { body: unknown })).status).toBe(403)
    expect((await app.validate(key)).code).toBe('VALID')
    await made(seller.patch(path, { status: 'disabled' }))
    expect((await app.start(ask)).code).toBe('APP_DISABLED')
    expect((await app.validate(key)).code).toBe('APP_DISABLED')
    const beat = await app.call('POST', '/sessions/heartbeat', { token: session.token })
    expect(beat.status).toBe(401)
  })

  test('old and changed programs are refused', async () => {
    const sum = 'a'.repeat(64)
    const app = await programOf(tradepost, seller, {
      min_version: '1.10',
      allowed_checksums: [sum],
    })
    const { key } = await aKey(seller, { app_id: app.appId })
    const start = async (more: object) =>
      (await app.start({ license_key: key, device: machine(), ...more })).code
    expect(await start({})).toBe('APP_VERSION_UNSUPPORTED')
    expect(await start({ app_version: '1.9' })).toBe('APP_VERSION_UNSUPPORTED')
    expect(await start({ app_version: '1.10' })).toBe('CHECKSUM_MISMATCH')
    expect(await start({ app_version: '2', app_checksum: sum })).toBe('VALID')
  })

  test.each(['', 'short', 'x'.repeat(257), 'ünïcode-fingerprint', 'line\nbreak-line-break'])(
    'a fingerprint such as "%s" is 422',
    async (fingerprint) => {
      const { key } = await keyOf()
      const body = { license_key: key, device: { fingerprint } }
      const { status, json } = await program.call('POST', '/sessions', { body })
      expect([status, json.error]).toEqual([422, expect.stringMatching(/^device\.fingerprint: /)])
    },
  )

  test('without a device it asks for one, unless the app does without', async () => {
    const { key } = await keyOf()
    expect((await program.start({ license_key: key })).code).toBe('FINGERPRINT_REQUIRED')
    const free = await programOf(tradepost, seller, { device_policy: { required: false } })
    const { key: theirs } = await aKey(seller, { app_id: free.appId })
    expect((await free.start({ license_key: theirs })).code).toBe('VALID')
  })

  test('a session without a license is for apps that allow it, and for public values', async () => {
    const refused = await program.call('POST', '/sessions', { body: {} })
    expect([refused.status, refused.json.error]).toEqual([
      422,
      expect.stringMatching(/^license_key/),
    ])
    const open = await programOf(tradepost, seller, { allow_public_session: true })
    const { session, valid } = await open.start({})
    expect(valid).toBe(true)
    for (const access of ['public', 'session', 'licensed']) {
      const sent = { app_id: open.appId, name: access, value: access, access }
      await made(seller.post('/serverside-strings', sent))
    }
    const read = async (name: string) =>
      (await open.call('GET', `/strings/${name}`, { token: session.token })).status
    expect([await read('public'), await read('session'), await read('licensed')]).toEqual([
      200, 404, 404,
    ])
  })
})

describe('devices with a key of their own', () => {
  test.each([
    ['Ed25519', ed25519Device],
    ['P-256', p256Device],
  ])('%s: the calls that change anything must be signed by it', async (_, newDevice) => {
    const { key } = await keyOf()
    const device = newDevice()
    const { session } = await program.start({
      license_key: key,
      device: machine({ public_key: device.public_key }),
    })
    const { token } = session
    const beat = (options: object) =>
      program.call('POST', '/sessions/heartbeat', { token, ...options })
    expect((await beat({ device })).json).toMatchObject({ valid: true, code: 'VALID' })
    expect((await beat({})).status).toBe(401)
    expect((await beat({ device: newDevice() })).status).toBe(401)
    expect((await beat({ device, skew_s: 290 })).status).toBe(200)
    expect((await beat({ device, skew_s: 310 })).status).toBe(401)
    expect((await beat({ device, skew_s: -310 })).status).toBe(401)
    const nonce = newNonce()
    expect((await beat({ device, nonce })).status).toBe(200)
    expect((await beat({ device, nonce })).status).toBe(401)
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

  test('of many heartbeats with one nonce at once, one counts', async () => {
    const { key } = await keyOf()
    const device = ed25519Device()
    const asked = { license_key: key, device: machine({ public_key: device.public_key }) }
    const { session } = await program.start(asked)
    const nonce = newNonce()
    const options = { token: session.token, device, nonce }
    const beats = Array.from({ length: 20 }, () =>
      program.call('POST', '/sessions/heartbeat', options),
    )
    const statuses = (await Promise.all(beats)).map((item) => item.status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 401)).toHaveLength(19)
  })

  test('a copied fingerprint with another key, or without one, starts no session', async () => {
    const { key, id } = await keyOf({ max_devices: 2 })
    const first = machine({ public_key: ed25519Device().public_key })
    await program.start({ license_key: key, device: first })
    const { fingerprint } = first
    for (const public_key of [ed25519Device().public_key, undefined]) {
      const answer = await program.start({ license_key: key, device: { fingerprint, public_key } })
      expect(answer.code).toBe('DEVICE_KEY_MISMATCH')
    }
    expect((await keyRow(id)).devices_count).toBe(1)
  })

  test('one that was registered without a key is bound to the first that it brings', async () => {
    const { key } = await keyOf()
    const device = machine()
    const { device: before } = await program.start({ license_key: key, device })
    const mine = { ...device, public_key: ed25519Device().public_key }
    const { device: after } = await program.start({ license_key: key, device: mine })
    expect(after.id).toBe(before.id)
    const theirs = { ...device, public_key: ed25519Device().public_key }
    expect((await program.start({ license_key: key, device: theirs })).code).toBe(
      'DEVICE_KEY_MISMATCH',
    )
  })

  test('an app may ask for one', async () => {
    const strict = await programOf(tradepost, seller, { device_policy: { key_required: true } })
    const { key } = await aKey(seller, { app_id: strict.appId })
    const body = { license_key: key, device: machine() }
    const { status, json } = await strict.call('POST', '/sessions', { body })
    expect([status, json.error]).toEqual([422, expect.stringMatching(/^device\.public_key: /)])
  })

  const raw = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')
  test.each([
    ['the identity', raw(`01${'00'.repeat(31)}`)],
    ['the identity with its sign', raw(`01${'00'.repeat(30)}80`)],
    ['zero', raw('00'.repeat(32))],
    ['zero with its sign', raw(`${'00'.repeat(31)}80`)],
    ['order 2', raw(`ec${'ff'.repeat(30)}7f`)],
    ['order 8', raw('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')],
    ['order 8, the other', raw('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a')],
    ['order 8, negative', raw('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85')],
    ['p, which is zero written otherwise', raw(`ed${'ff'.repeat(30)}7f`)],
    ['p + 1, which is one written otherwise', raw(`ee${'ff'.repeat(30)}7f`)],
    ['too short', raw('00'.repeat(31))],
    ['a P-256 point that is none', raw(`04${'11'.repeat(64)}`)],
    ['padded', `${ed25519Device().public_key}=`],
    [
      'with junk',
      `${ed25519Device().public_key.slice(0, 20)}!${ed25519Device().public_key.slice(20)}`,
    ],
  ])('a weak or malformed public key is 422: %s', async (_, public_key) => {
    const { key } = await keyOf()
    const body = { license_key: key, device: machine({ public_key }) }
    const { status, json } = await program.call('POST', '/sessions', { body })
    expect([status, json.error]).toEqual([422, expect.stringMatching(/^device\.public_key: /)])
  })
})

describe('machines that changed a part', () => {
  test.each([
    ['most', ['VALID', 'VALID', 'DEVICE_LIMIT_REACHED']],
    ['two', ['VALID', 'VALID', 'VALID']],
    ['any', ['VALID', 'VALID', 'VALID']],
    ['exact', ['VALID', 'DEVICE_LIMIT_REACHED', 'DEVICE_LIMIT_REACHED']],
  ])('match %s', async (match, expected) => {
    const app = await programOf(tradepost, seller, { device_policy: { match } })
    const { key } = await aKey(seller, { app_id: app.appId, max_devices: 1 })
    const parts = { disk: 'd', board: 'b', cpu: 'c', net: 'n' }
    const codes = []
    for (const components of [parts, { ...parts, disk: 'e' }, { ...parts, disk: 'e', net: 'm' }]) {
      codes.push((await app.start({ license_key: key, device: machine({ components }) })).code)
    }
    expect(codes).toEqual(expected)
  })

  test('the same fingerprint with other components is another machine', async () => {
    const app = await programOf(tradepost, seller, { device_policy: { match: 'most' } })
    const { key } = await aKey(seller, { app_id: app.appId })
    const device = machine({ components: { disk: 'd', board: 'b' } })
    await app.start({ license_key: key, device })
    const cloned = { ...device, components: { disk: 'x', board: 'y' } }
    expect((await app.start({ license_key: key, device: cloned })).code).toBe('DEVICE_MISMATCH')
  })
})
