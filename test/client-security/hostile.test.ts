import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pruneProofsJob } from '../../src/features/licensing/sessions/index.ts'
import { type EarlyListener, openEarlyListener } from '../../src/http/early-listener.ts'
import { renderStoreRefusal } from '../../src/surfaces/store-api.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { createFile, createLicenseKey, createSetting, createString } from './prepared-calls.ts'
import { createProgram, ed25519Device, newMachine, newNonce, type Program } from './program.ts'
import { BASE, createSeller, type Seller, withoutId } from './seller.ts'

let tradepost: Tradepost
let listener: EarlyListener | undefined
let seller: Seller
let testSeller: Seller
let program: Program & { appId: number }

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
  testSeller = await createSeller(tradepost, tradepost.test.id)
  program = await createProgram(tradepost, seller)
})
afterAll(async () => {
  await listener?.close()
  await tradepost.close()
})

const createKey = (fields: Json = {}) =>
  createLicenseKey(seller, { app_id: program.appId, ...fields })

/** Starts a session with a new license. */
async function startSession(fields: Json = {}, device: Json = newMachine()) {
  const license = await createKey(fields)
  const { session } = await program.start({ license_key: license.key, device })
  return { license, device, token: session.token as string }
}

describe('a record that does not exist', () => {
  test('is answered like a record of another store and like a malformed id', async () => {
    const [string, file, setting, key] = await Promise.all([
      createString(testSeller),
      createFile(testSeller),
      createSetting(testSeller),
      createLicenseKey(testSeller),
    ])
    const calls: [string, (id: unknown) => string, Json, Json?][] = [
      ['PATCH', (id) => `/serverside-strings/${id}`, string, { status: 'active' }],
      ['DELETE', (id) => `/serverside-files/${id}`, file],
      ['DELETE', (id) => `/remote-settings/${id}`, setting],
      ['POST', (id) => `/keys/${id}/unban`, key],
      ['DELETE', (id) => `/keys/${id}`, key],
      ['GET', (id) => `/serverside-files/${id}/content`, file],
    ]
    for (const [method, path, { id }, body] of calls) {
      const ids = [id, 999_999_999, '1e3', '0x10', '-1', '9'.repeat(20), '%D9%A3']
      const answers = await Promise.all(
        ids.map((item) => seller.call(method, path(item), { body })),
      )
      expect([method, path(1), new Set(answers.map(({ status }) => status))]).toEqual([
        method,
        path(1),
        new Set([404]),
      ])
      expect(new Set(answers.map(withoutId)).size).toBe(1)
      const names = answers.map(({ headers }) => Object.keys(headers).sort().join())
      expect(new Set(names).size).toBe(1)
    }
  })

  test('has the same answer for a program as a record that the program may not read', async () => {
    const { token } = await startSession()
    const app_id = program.appId
    const stringOfHigherLevel = await createString(seller, { app_id, min_level: 5 })
    const inactiveString = await createString(seller, { app_id })
    await seller.patch(`/serverside-strings/${inactiveString.id}`, { status: 'inactive' })
    const stringOfOtherApp = await createString(seller)
    const names = [
      stringOfHigherLevel.name,
      inactiveString.name,
      stringOfOtherApp.name,
      'never',
      'x'.repeat(200),
      '%20',
    ]
    const answers = await Promise.all(
      names.map((name) => program.call('GET', `/strings/${name}`, { token })),
    )
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 404))
    expect(new Set(answers.map(withoutId)).size).toBe(1)
  })
})

describe('a call of a client program', () => {
  test('for the content of a file is refused without a nonce', async () => {
    const file = await createFile(seller, { app_id: String(program.appId) })
    const { token } = await startSession()
    const { grant } = (await program.call('GET', `/files/${file.name}`, { token })).json
    const path = `/client/${program.publicId}/files/${file.name}/content?grant=${grant}`
    const withoutNonce = await tradepost.server.inject({ url: `${BASE}${path}` })
    expect([withoutNonce.statusCode, Object.keys(withoutNonce.json())]).toEqual([
      422,
      ['success', 'error'],
    ])
    const headers = { 'client-nonce': newNonce() }
    expect((await tradepost.server.inject({ url: `${BASE}${path}`, headers })).statusCode).toBe(200)
  })

  test('with two tokens is refused like a call without a token', async () => {
    const { token } = await startSession()
    const { port } = await startListening()
    const authorization = ['Authorization', `Bearer ${token}`]
    const getSettingsWith = (headers: string[]) =>
      new Promise<number>((resolve, reject) => {
        const path = `${BASE}/client/${program.publicId}/settings`
        const nonce = ['Client-Nonce', newNonce(), 'Host', `127.0.0.1:${port}`]
        request({ port, path, headers: [...nonce, ...headers] }, (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
        })
          .on('error', reject)
          .end()
      })
    expect(await getSettingsWith(authorization)).toBe(200)
    expect(await getSettingsWith([...authorization, ...authorization])).toBe(401)
    expect(await getSettingsWith([...authorization, 'authorization', 'Bearer x'])).toBe(401)
  })

  test('with a leading zero in the time of its proof is refused', async () => {
    const deviceKey = ed25519Device()
    const { token } = await startSession({}, newMachine({ public_key: deviceKey.public_key }))
    const sendHeartbeat = (headers: Json) =>
      program.call('POST', '/sessions/heartbeat', { token, device: deviceKey, headers })
    expect((await sendHeartbeat({})).status).toBe(200)
    const t = Math.floor(tradepost.app.clock.now() / 1000)
    const nonce = newNonce()
    const withLeadingZero = {
      'client-nonce': nonce,
      'client-proof': `t=0${t},v1=${'A'.repeat(86)}`,
    }
    const answer = await sendHeartbeat(withLeadingZero)
    expect([answer.status, answer.json.error]).toEqual([
      401,
      'Send Client-Proof: t=<Unix seconds>,v1=<signature>. This device has a key and signs every call.',
    ])
  })

  test('with a used nonce is refused, even if the time of its proof was in the future', async () => {
    const deviceKey = ed25519Device()
    const { token } = await startSession({}, newMachine({ public_key: deviceKey.public_key }))
    const call = { token, device: deviceKey, nonce: newNonce() }
    const sendHeartbeat = async (skew_s: number) =>
      (await program.call('POST', '/sessions/heartbeat', { ...call, skew_s })).status
    const passed_s = 590
    expect(await sendHeartbeat(295)).toBe(200)
    tradepost.forward(passed_s * 1_000)
    await pruneProofsJob.run(tradepost.app)
    expect(await sendHeartbeat(295 - passed_s)).toBe(401)
    expect(await sendHeartbeat(295 - passed_s - 10)).toBe(401)
    call.nonce = newNonce()
    expect(await sendHeartbeat(295 - passed_s)).toBe(200)
  })

  test('has machine time in its proof and answer, and store time in its license and lease', async () => {
    const ahead_ms = 10 * 86_400_000
    const deviceKey = ed25519Device()
    const app = await createProgram(tradepost, testSeller)
    await sql`update store set clock_offset_ms = ${ahead_ms} where hash = ${tradepost.test.id}`.execute(
      tradepost.db,
    )
    tradepost.forward(2_000)
    const { key } = await createLicenseKey(testSeller, {
      app_id: app.appId,
      duration_seconds: 3_600,
    })
    const device = newMachine({ public_key: deviceKey.public_key })
    const { session, license, server_time } = await app.start({ license_key: key, device })
    const fromNow_ms = (moment: string) => Date.parse(moment) - tradepost.app.clock.now()
    expect(Math.abs(fromNow_ms(server_time))).toBeLessThan(600_000)
    expect(fromNow_ms(license.expires_at)).toBeGreaterThan(ahead_ms)
    expect(fromNow_ms(session.lease_expires_at)).toBeGreaterThan(ahead_ms)
    const heartbeat = await app.call('POST', '/sessions/heartbeat', {
      token: session.token,
      device: deviceKey,
    })
    expect(heartbeat.status).toBe(200)
  })

  test('with a public key that is not on its curve is refused', async () => {
    const { key } = await createKey()
    const notOnCurve = [
      Buffer.from([2, ...Array<number>(31).fill(0)]),
      Buffer.from([7, ...Array<number>(31).fill(0)]),
      Buffer.concat([Buffer.from([4]), randomBytes(64)]),
    ]
    for (const bytes of notOnCurve) {
      const public_key = bytes.toString('base64url')
      const body = { license_key: key, device: newMachine({ public_key }) }
      const { status } = await program.call('POST', '/sessions', { body })
      expect([public_key, status]).toEqual([public_key, 422])
    }
    for (let n = 0; n < 8; n++) {
      const { public_key } = ed25519Device()
      const started = await program.start({ license_key: key, device: newMachine({ public_key }) })
      expect(started.code).toBe('VALID')
    }
  })

  test('that frees a device which a report has banned is refused', async () => {
    const app = await createProgram(tradepost, seller, { report_rules: { cheat: 'ban_device' } })
    const { key } = await createLicenseKey(seller, { app_id: app.appId, max_devices: 3 })
    const [bannedMachine, otherMachine] = [newMachine(), newMachine()]
    const banned = await app.start({ license_key: key, device: bannedMachine })
    const { session } = await app.start({ license_key: key, device: otherMachine })
    const body = { kind: 'cheat' }
    await app.call('POST', '/reports', { token: banned.session.token, body })
    const { token } = session
    const freeing = await app.call('DELETE', `/devices/${banned.device.id}`, { token })
    expect([freeing.status, freeing.json.error]).toEqual([
      409,
      'This device is banned and cannot be freed. Ask the seller.',
    ])
    expect((await app.start({ license_key: key, device: bannedMachine })).code).toBe(
      'DEVICE_BANNED',
    )
  })

  test('with a grant is refused after its device was banned in the app', async () => {
    const app_id = program.appId
    const otherProgram = await createProgram(tradepost, seller)
    const file = await createFile(seller, { app_id: String(app_id) })
    const { token, device } = await startSession()
    const { grant } = (await program.call('GET', `/files/${file.name}`, { token })).json
    const fetchContent = () => program.call('GET', `/files/${file.name}/content?grant=${grant}`)
    expect((await fetchContent()).status).toBe(200)
    const { fingerprint } = device
    await seller.post('/device-bans', { app_id, fingerprint, reason: 'Test' })
    expect((await fetchContent()).status).toBe(401)
    const { key } = await createLicenseKey(seller, { app_id: otherProgram.appId })
    expect((await otherProgram.start({ license_key: key, device })).code).toBe('VALID')
  })

  test('for settings is 304 if one of its entity tags matches', async () => {
    const { token } = await startSession()
    const { etag = '' } = (await program.call('GET', '/settings', { token })).headers
    const getWithTags = async (tags: string) => {
      const headers = { 'if-none-match': tags }
      return (await program.call('GET', '/settings', { token, headers })).status
    }
    expect(await getWithTags(`"old", ${etag}`)).toBe(304)
    expect(await getWithTags(`W/${etag}`)).toBe(304)
    expect(await getWithTags('*')).toBe(304)
    expect(await getWithTags('"old"')).toBe(200)
  })

  test('for a range gets the whole file if its If-Range names another version', async () => {
    const file = await createFile(seller, { app_id: String(program.appId) }, 'twelve bytes')
    const { token } = await startSession()
    const { grant } = (await program.call('GET', `/files/${file.name}`, { token })).json
    const getRange = async (ifRange: string) => {
      const headers = { range: 'bytes=0-3', 'if-range': ifRange }
      const path = `/files/${file.name}/content?grant=${grant}`
      const { status, headers: answerHeaders } = await program.call('GET', path, { headers })
      return [status, answerHeaders['content-length']]
    }
    expect(await getRange(`"${file.sha256}"`)).toEqual([206, '4'])
    expect(await getRange('"another"')).toEqual([200, '12'])
    const path = `/serverside-files/${file.id}/content`
    const headers = { range: 'bytes=0-3', 'if-range': '"another"' }
    expect((await seller.get(path, { headers })).status).toBe(200)
  })
})

describe('a change by the seller', () => {
  test('to a setting with a key such as __proto__ is refused', async () => {
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const { status, json } = await seller.post('/remote-settings', {
        key,
        type: 'integer',
        value: 1,
      })
      expect([key, status, json.error]).toEqual([key, 422, expect.stringContaining('key: ')])
    }
  })

  test('of a setting is stored in the last 300 versions, for 90 days', async () => {
    const { id } = await createSetting(seller)
    const countVersions = async (limit = 100) => {
      const { json } = await seller.get(`/remote-settings/${id}/versions?limit=${limit}`)
      return json.pagination.total as number
    }
    for (let value = 2; value <= 305; value++)
      await seller.patch(`/remote-settings/${id}`, { value })
    expect(await countVersions()).toBe(300)
    tradepost.forward(91 * 86_400_000)
    await seller.patch(`/remote-settings/${id}`, { value: 0 })
    // The value that was just replaced can be restored, however old it is.
    expect(await countVersions()).toBe(2)
    tradepost.forward(91 * 86_400_000)
    await seller.patch(`/remote-settings/${id}`, { value: 1 })
    expect(await countVersions()).toBe(2)
  })

  test('of a JSON setting is refused if its value has more than 16 levels', async () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])
    await createSetting(seller, { type: 'json', value: nested(16) })
    const body = { key: 'deep', type: 'json', value: nested(17) }
    expect((await seller.post('/remote-settings', body)).status).toBe(422)
  })

  test('that bans until a past time is refused', async () => {
    const { id } = await createKey()
    const endedBan = {
      reason: 'Late.',
      expires_at: new Date(tradepost.app.clock.now()).toISOString(),
    }
    const refusal = [422, 'expires_at: Use a time in the future, or null.']
    const calls: [string, Json][] = [
      [`/keys/${id}/ban`, endedBan],
      ['/keys/batch', { action: 'ban', ids: [id], ...endedBan }],
      ['/device-bans', { ip_cidr: '203.0.113.9', ...endedBan }],
    ]
    for (const [path, body] of calls) {
      const { status, json } = await seller.post(path, body)
      expect([path, status, json.error]).toEqual([path, ...refusal])
    }
  })

  test('that extends a license beyond the last possible date is refused', async () => {
    const century = 100 * 366 * 86_400
    const { id } = await createKey({ expires_at: '9999-12-31T23:59:59.000Z' })
    const extension = await seller.post(`/keys/${id}/extend`, { seconds: 1 })
    expect([extension.status, extension.json.error]).toEqual([
      422,
      expect.stringMatching(/^seconds: Use fewer seconds/),
    ])
    const unusedKey = await createKey({
      duration_seconds: century,
      expiry_basis: 'first_activation',
    })
    expect((await seller.post(`/keys/${unusedKey.id}/extend`, { seconds: 1 })).status).toBe(422)
    expect((await seller.post('/keys', { expires_at: '0000-01-01T00:00:00.000Z' })).status).toBe(
      422,
    )
  })

  test('with a date instead of a time is refused, and the error shows the right form', async () => {
    const { status, json } = await seller.post('/keys', { expires_at: '2030-01-01' })
    expect([status, json.error]).toEqual([
      422,
      'expires_at: Write a date with a time and Z or an offset, such as 2026-01-31T00:00:00Z.',
    ])
  })

  test.each(['2030-01-01T00:00:00Z', '2030-01-01T02:00:00.0001+02:00'])(
    'with the time %s is accepted, and shown in UTC with milliseconds',
    async (expires_at) => {
      expect((await createKey({ expires_at })).expires_at).toBe('2030-01-01T00:00:00.000Z')
    },
  )
})

async function startListening(): Promise<EarlyListener> {
  if (listener) return listener
  listener = await openEarlyListener({ host: '127.0.0.1', port: 0 }, renderStoreRefusal)
  await listener.open(tradepost.server)
  return listener
}
