import { type KeyObject, verify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import { createLicenseKey } from './prepared-calls.ts'
import {
  createProgram,
  ed25519Device,
  isSigned,
  newMachine,
  newNonce,
  type Program,
  publicKeyOf,
  type SignedAnswer,
} from './program.ts'
import { BASE, createSeller, type Seller } from './seller.ts'

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }

beforeAll(async () => {
  tradepost = await openTradepost()
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

describe('signed answers', () => {
  test('are sent with every status, which `program.call` verifies', async () => {
    const { token } = await startSession()
    const calls: [string, string, Json][] = [
      ['GET', '/key-set', {}],
      ['HEAD', '/key-set', {}],
      ['GET', '/nothing', {}],
      ['PATCH', '/sessions', {}],
      ['GET', '/strings/none', { token }],
      ['GET', '/strings/%zz', { token }],
      ['GET', '/settings?x=%31&y', { token }],
      ['POST', '/sessions/heartbeat', {}],
      ['POST', '/sessions', { headers: { 'content-type': 'text/plain' }, body: {} }],
      ['POST', '/sessions', { body: { surprise: 1 } }],
      ['POST', '/sessions', { nonce: 'short' }],
      ['POST', '/validate', { body: { license_key: 'x'.repeat(1_100_000) } }],
    ]
    const statuses = []
    for (const [method, path, options] of calls) {
      statuses.push((await program.call(method, path, options)).status)
    }
    expect(statuses).toEqual([200, 200, 404, 405, 404, 404, 200, 401, 415, 422, 422, 413])
  })

  test('are valid for a path in which the id of the app is escaped', async () => {
    const path = `/client/%61${program.publicId.slice(1)}/key-set`
    const response = await tradepost.server.inject({ url: `${BASE}${path}` })
    const [key] = (await expectSuccess(seller.get(`/apps/${program.appId}/signing-keys`)))
      .signing_keys
    const hasValidSignature = isSigned(new Map([[key.kid, publicKeyOf(key.public_key)]]), {
      publicId: program.publicId,
      method: 'GET',
      path,
      nonce: '-',
      status: response.statusCode,
      header: String(response.headers['service-response-signature']),
      body: response.rawPayload,
    })
    expect([response.statusCode, hasValidSignature]).toEqual([200, true])
  })

  test('are not sent for an unknown app, which has no signing key', async () => {
    for (const id of ['app_0000000000000000000000', 'app_x', '..%2f']) {
      const url = `${BASE}/client/${id}/key-set`
      const response = await tradepost.server.inject({ url })
      expect([id, response.statusCode]).toEqual([id, 404])
      expect(Object.keys(response.json())).toEqual(['success', 'error'])
      expect(response.headers['service-response-signature']).toBeUndefined()
    }
  })

  test('match no other method, path, status, nonce, body, app, request body or token (decision 117)', async () => {
    const { signing_keys } = await expectSuccess(seller.get(`/apps/${program.appId}/signing-keys`))
    const keys = new Map<string, KeyObject>(
      signing_keys.map((key: Json) => [key.kid, publicKeyOf(key.public_key)]),
    )
    const nonce = newNonce()
    const path = `/client/${program.publicId}/key-set`
    const headers = { 'client-nonce': nonce }
    const response = await tradepost.server.inject({ url: `${BASE}${path}`, headers })
    const answer = {
      publicId: program.publicId,
      method: 'GET',
      path,
      nonce,
      status: 200,
      header: String(response.headers['service-response-signature']),
      body: response.rawPayload,
    }
    expect(isSigned(keys, answer)).toBe(true)
    const otherProgram = await createProgram(tradepost, seller)
    const changes: Partial<SignedAnswer>[] = [
      { method: 'POST' },
      { path: `${path}?` },
      { status: 201 },
      { nonce: newNonce() },
      { nonce: '-' },
      { requestBody: '{}' },
      { token: 'x' },
      { body: Buffer.concat([answer.body, Buffer.from(' ')]) },
      { publicId: otherProgram.publicId },
      { header: answer.header.replace(/t=\d+/, 't=1') },
    ]
    for (const change of changes) {
      expect(isSigned(keys, { ...answer, ...change }), Object.keys(change)[0]).toBe(false)
    }
  })

  test.each([
    ['missing', undefined],
    ['of 15 bytes', Buffer.alloc(15, 7).toString('base64url')],
    ['of 65 bytes', Buffer.alloc(65, 7).toString('base64url')],
    ['padded', `${newNonce()}==`],
    ['in the base64 alphabet with + and /', `${'+/'.repeat(11)}`],
    ['not canonical', `${Buffer.alloc(16).toString('base64url').slice(0, -1)}B`],
    ['sent twice', `${newNonce()}, ${newNonce()}`],
  ])('need a nonce, and a nonce that is %s is 422', async (_, nonce) => {
    const response = await tradepost.server.inject({
      method: 'POST',
      url: `${BASE}/client/${program.publicId}/validate`,
      headers: nonce === undefined ? {} : { 'client-nonce': nonce },
      payload: {},
    })
    expect(response.statusCode).toBe(422)
    expect(response.json().error).toMatch(/^Client-Nonce: /)
    expect(response.headers['service-response-signature']).toBeDefined()
  })

  test('contain the key set after a rotation, signed with the oldest trusted key', async () => {
    const app = await createProgram(tradepost, seller)
    const path = `/apps/${app.appId}/signing-keys`
    const [first] = (await expectSuccess(seller.get(path))).signing_keys
    const second = (await expectSuccess(seller.post(path, { overlap_seconds: 3600 }))).signing_key
    tradepost.forward(1_000)
    const getKeySet = async () => {
      const url = `${BASE}/client/${app.publicId}/key-set`
      return tradepost.server.inject({ url })
    }
    const response = await getKeySet()
    const { keys, signature } = response.json()
    expect(keys.map((key: Json) => key.kid)).toEqual([first.kid, second.kid])
    expect(String(response.headers['service-response-signature'])).toContain(`kid=${second.kid}`)
    expect(signature.kid).toBe(first.kid)
    const text = /"keys":(\[.*\]),"signature"/.exec(response.body)?.[1]
    const signedBytes = Buffer.from(`key-set/v1\n${app.publicId}\n${text}`)
    const v1 = Buffer.from(signature.v1, 'base64url')
    expect(verify(null, signedBytes, publicKeyOf(first.public_key), v1)).toBe(true)
    tradepost.forward(3_600_000)
    const laterKeySet = (await getKeySet()).json()
    expect(laterKeySet.keys.map((key: Json) => key.kid)).toEqual([second.kid])
    expect(laterKeySet.signature.kid).toBe(second.kid)
  })
})

describe('sessions', () => {
  test('are extended by heartbeats, up to the end of the session', async () => {
    const { token } = await startSession()
    tradepost.forward(800_000)
    const { json } = await sendHeartbeat(token)
    expect(json).toMatchObject({ valid: true, code: 'VALID', license: { level: 0 } })
    expect(json.session.token).toBeUndefined()
    tradepost.forward(800_000)
    expect((await sendHeartbeat(token)).status).toBe(200)
    tradepost.forward(901_000)
    expect((await sendHeartbeat(token)).status).toBe(401)
    const { session } = await program.start({
      license_key: (await createKey()).key,
      device: newMachine(),
    })
    for (let passed_s = 0; passed_s < 6 * 3_600; passed_s += 600) {
      expect((await sendHeartbeat(session.token)).status).toBe(200)
      tradepost.forward(600_000)
    }
    expect((await sendHeartbeat(session.token)).status).toBe(401)
  })

  test('are 401 with the token of another app, an unknown token or one of an ended session', async () => {
    const { token } = await startSession()
    const otherProgram = await createProgram(tradepost, seller)
    expect((await otherProgram.call('POST', '/sessions/heartbeat', { token })).status).toBe(401)
    expect((await sendHeartbeat('x'.repeat(43))).status).toBe(401)
    expect((await sendHeartbeat('short')).status).toBe(401)
    const deletion = await program.call('DELETE', '/sessions/current', { token })
    expect([deletion.status, deletion.json]).toEqual([
      200,
      { success: true, message: expect.any(String) },
    ])
    const secondAnswer = await program.call('DELETE', '/sessions/current', { token })
    expect([secondAnswer.status, Object.keys(secondAnswer.json)]).toEqual([
      401,
      ['success', 'error'],
    ])
  })

  test.each<[string, (id: number) => Promise<unknown>]>([
    ['that is banned', (id) => expectSuccess(seller.post(`/keys/${id}/ban`, { reason: 'Test' }))],
    ['that is suspended', (id) => expectSuccess(seller.patch(`/keys/${id}`, { suspended: true }))],
    ['that is deleted', (id) => expectSuccess(seller.delete(`/keys/${id}`))],
    ['that is rotated', (id) => expectSuccess(seller.post(`/keys/${id}/rotate`))],
    ['whose devices are reset', (id) => expectSuccess(seller.post(`/keys/${id}/reset-devices`))],
    [
      'whose sessions the seller ends',
      (id) => expectSuccess(seller.delete(`/keys/${id}/sessions`)),
    ],
    [
      'whose device is banned',
      async (id) => {
        const [device] = (await expectSuccess(seller.get(`/keys/${id}/devices`))).devices
        await expectSuccess(seller.post('/device-bans', { device_id: device.id, reason: 'Test' }))
      },
    ],
  ])('of a license key %s are 401 from the next call on', async (_, changeKey) => {
    const { license, token } = await startSession()
    expect((await program.call('GET', '/settings', { token })).status).toBe(200)
    await changeKey(license.id)
    expect((await program.call('GET', '/settings', { token })).status).toBe(401)
    expect((await sendHeartbeat(token)).status).toBe(401)
  })

  test('answer the first heartbeat after the end of the license with EXPIRED, and the next with 401', async () => {
    const { token } = await startSession({ duration_seconds: 600 })
    tradepost.forward(601_000)
    const { json } = await sendHeartbeat(token)
    expect(json).toMatchObject({ success: true, valid: false, code: 'EXPIRED' })
    expect(json.session).toBeUndefined()
    expect((await sendHeartbeat(token)).status).toBe(401)
  })

  test('have a lease that ends with the session at the latest', async () => {
    const app = await createProgram(tradepost, seller, { session_ttl_seconds: 600 })
    const { key } = await createLicenseKey(seller, { app_id: app.appId })
    const { session } = await app.start({ license_key: key, device: newMachine() })
    expect(session.lease_expires_at).toBe(session.expires_at)
    tradepost.forward(300_000)
    const heartbeat = await app.call('POST', '/sessions/heartbeat', { token: session.token })
    expect(heartbeat.json.session).toMatchObject({
      expires_at: session.expires_at,
      lease_expires_at: session.expires_at,
    })
  })

  test('refuse a replayed heartbeat without the state of the license', async () => {
    const device = ed25519Device()
    const body = newMachine({ public_key: device.public_key })
    const { token } = await startSession({ duration_seconds: 600 }, body)
    const nonce = newNonce()
    const heartbeat = (options: Json) =>
      program.call('POST', '/sessions/heartbeat', { token, device, ...options })
    expect((await heartbeat({ nonce })).status).toBe(200)
    tradepost.forward(601_000)
    expect((await heartbeat({ nonce })).status).toBe(401)
    expect((await heartbeat({})).json).toMatchObject({ valid: false, code: 'EXPIRED' })
  })

  test('refuse a call without a token before its body is read', async () => {
    const body = { kind: 'x'.repeat(1_100_000) }
    const { token } = await startSession()
    expect((await program.call('POST', '/reports', { body, token })).status).toBe(413)
    expect((await program.call('POST', '/reports', { body })).status).toBe(401)
  })

  test('do not change the first_activated_at of a license key that was used before', async () => {
    const { license } = await startSession()
    const getKey = async () => (await expectSuccess(seller.get(`/keys/${license.id}`))).key
    const { first_activated_at } = await getKey()
    tradepost.forward(1_000)
    await program.start({ license_key: license.key, device: newMachine() })
    expect(await getKey()).toMatchObject({ first_activated_at, devices_count: 2, status: 'active' })
  })
})
