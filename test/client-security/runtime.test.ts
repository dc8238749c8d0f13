import { type KeyObject, verify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import {
  ed25519Device,
  isSigned,
  machine,
  newNonce,
  type Program,
  programOf,
  publicKeyOf,
  type SignedAnswer,
} from './program.ts'
import { BASE, made, type Seller, sellerAt } from './seller.ts'
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

describe('signed answers', () => {
  // `program.call` throws if the signature of an answer is invalid.
  test('whatever the status', async () => {
    const { token } = await begun()
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

  test('of an app whose id is escaped too', async () => {
    const path = `/client/%61${program.publicId.slice(1)}/key-set`
    const response = await tradepost.server.inject({ url: `${BASE}${path}` })
    const [key] = (await made(seller.get(`/apps/${program.appId}/signing-keys`))).signing_keys
    const signed = isSigned(new Map([[key.kid, publicKeyOf(key.public_key)]]), {
      publicId: program.publicId,
      method: 'GET',
      path,
      nonce: '-',
      status: response.statusCode,
      header: String(response.headers['service-response-signature']),
      body: response.rawPayload,
    })
    expect([response.statusCode, signed]).toEqual([200, true])
  })

  test('an unknown app has no key to sign with', async () => {
    for (const id of ['app_0000000000000000000000', 'app_x', '..%2f']) {
      const url = `${BASE}/client/${id}/key-set`
      const response = await tradepost.server.inject({ url })
      expect([id, response.statusCode]).toEqual([id, 404])
      expect(Object.keys(response.json())).toEqual(['success', 'error'])
      expect(response.headers['service-response-signature']).toBeUndefined()
    }
  })

  test('fit no other method, path, status, nonce, body, app, request body or token (decision 117)', async () => {
    const { signing_keys } = await made(seller.get(`/apps/${program.appId}/signing-keys`))
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
    const other = await programOf(tradepost, seller)
    const changes: Partial<SignedAnswer>[] = [
      { method: 'POST' },
      { path: `${path}?` },
      { status: 201 },
      { nonce: newNonce() },
      { nonce: '-' },
      { requestBody: '{}' },
      { token: 'x' },
      { body: Buffer.concat([answer.body, Buffer.from(' ')]) },
      { publicId: other.publicId },
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
    ['of the other alphabet', `${'+/'.repeat(11)}`],
    ['not canonical', `${Buffer.alloc(16).toString('base64url').slice(0, -1)}B`],
    ['sent twice', `${newNonce()}, ${newNonce()}`],
  ])('a nonce that is %s is 422', async (_, nonce) => {
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

  test('R1: the key set follows a rotation, signed with the oldest key that is trusted', async () => {
    const app = await programOf(tradepost, seller)
    const path = `/apps/${app.appId}/signing-keys`
    const [first] = (await made(seller.get(path))).signing_keys
    const second = (await made(seller.post(path, { overlap_seconds: 3600 }))).signing_key
    tradepost.forward(1_000)
    const keySet = async () => {
      const url = `${BASE}/client/${app.publicId}/key-set`
      return tradepost.server.inject({ url })
    }
    const response = await keySet()
    const { keys, signature } = response.json()
    expect(keys.map((key: Json) => key.kid)).toEqual([first.kid, second.kid])
    expect(String(response.headers['service-response-signature'])).toContain(`kid=${second.kid}`)
    expect(signature.kid).toBe(first.kid)
    const text = /"keys":(\[.*\]),"signature"/.exec(response.body)?.[1]
    const signed = Buffer.from(`key-set/v1\n${app.publicId}\n${text}`)
    const v1 = Buffer.from(signature.v1, 'base64url')
    expect(verify(null, signed, publicKeyOf(first.public_key), v1)).toBe(true)
    tradepost.forward(3_600_000)
    const later = (await keySet()).json()
    expect(later.keys.map((key: Json) => key.kid)).toEqual([second.kid])
    expect(later.signature.kid).toBe(second.kid)
  })
})

describe('sessions', () => {
  test('R3 extends the lease, up to the end of the session', async () => {
    const { token } = await begun()
    tradepost.forward(800_000)
    const { json } = await beat(token)
    expect(json).toMatchObject({ valid: true, code: 'VALID', license: { level: 0 } })
    expect(json.session.token).toBeUndefined()
    tradepost.forward(800_000)
    expect((await beat(token)).status).toBe(200)
    tradepost.forward(901_000)
    expect((await beat(token)).status).toBe(401)
    const { session } = await program.start({ license_key: (await keyOf()).key, device: machine() })
    for (let passed = 0; passed < 21_600; passed += 600) {
      expect((await beat(session.token)).status).toBe(200)
      tradepost.forward(600_000)
    }
    expect((await beat(session.token)).status).toBe(401)
  })

  test('a token is needed, and a wrong one and an ended one are 401', async () => {
    const { token } = await begun()
    const other = await programOf(tradepost, seller)
    expect((await other.call('POST', '/sessions/heartbeat', { token })).status).toBe(401)
    expect((await beat('x'.repeat(43))).status).toBe(401)
    expect((await beat('short')).status).toBe(401)
    const left = await program.call('DELETE', '/sessions/current', { token })
    expect([left.status, left.json]).toEqual([200, { success: true, message: expect.any(String) }])
    const again = await program.call('DELETE', '/sessions/current', { token })
    expect([again.status, Object.keys(again.json)]).toEqual([401, ['success', 'error']])
  })

  test.each<[string, (id: number) => Promise<unknown>]>([
    ['banned', (id) => made(seller.post(`/keys/${id}/ban`, { reason: 'Test' }))],
    ['suspended', (id) => made(seller.patch(`/keys/${id}`, { suspended: true }))],
    ['deleted', (id) => made(seller.delete(`/keys/${id}`))],
    ['given another text', (id) => made(seller.post(`/keys/${id}/rotate`))],
    ['freed of its devices', (id) => made(seller.post(`/keys/${id}/reset-devices`))],
    ['ended by its seller', (id) => made(seller.delete(`/keys/${id}/sessions`))],
    [
      'of a banned machine',
      async (id) => {
        const [device] = (await made(seller.get(`/keys/${id}/devices`))).devices
        await made(seller.post('/device-bans', { device_id: device.id, reason: 'Test' }))
      },
    ],
  ])('of a key that is %s end with their next call', async (_, work) => {
    const { license, token } = await begun()
    expect((await program.call('GET', '/settings', { token })).status).toBe(200)
    await work(license.id)
    expect((await program.call('GET', '/settings', { token })).status).toBe(401)
    expect((await beat(token)).status).toBe(401)
  })

  test('a heartbeat says why a license may not go on, once', async () => {
    const { token } = await begun({ duration_seconds: 600 })
    tradepost.forward(601_000)
    const { json } = await beat(token)
    expect(json).toMatchObject({ success: true, valid: false, code: 'EXPIRED' })
    expect(json.session).toBeUndefined()
    expect((await beat(token)).status).toBe(401)
  })

  test('a lease never ends after its session', async () => {
    const app = await programOf(tradepost, seller, { session_ttl_seconds: 600 })
    const { key } = await aKey(seller, { app_id: app.appId })
    const { session } = await app.start({ license_key: key, device: machine() })
    expect(session.lease_expires_at).toBe(session.expires_at)
    tradepost.forward(300_000)
    const beaten = await app.call('POST', '/sessions/heartbeat', { token: session.token })
    expect(beaten.json.session).toMatchObject({
      expires_at: session.expires_at,
      lease_expires_at: session.expires_at,
    })
  })

  test('a replayed heartbeat reveals nothing about the license', async () => {
    const device = ed25519Device()
    const asked = machine({ public_key: device.public_key })
    const { token } = await begun({ duration_seconds: 600 }, asked)
    const nonce = newNonce()
    const call = (more: Json) =>
      program.call('POST', '/sessions/heartbeat', { token, device, ...more })
    expect((await call({ nonce })).status).toBe(200)
    tradepost.forward(601_000)
    expect((await call({ nonce })).status).toBe(401)
    expect((await call({})).json).toMatchObject({ valid: false, code: 'EXPIRED' })
  })

  test('a call without its token is refused before its body is read', async () => {
    const body = { kind: 'x'.repeat(1_100_000) }
    const { token } = await begun()
    expect((await program.call('POST', '/reports', { body, token })).status).toBe(413)
    expect((await program.call('POST', '/reports', { body })).status).toBe(401)
  })

  test('the first use of a key stays the first', async () => {
    const { license } = await begun()
    const row = async () => (await made(seller.get(`/keys/${license.id}`))).key
    const { first_activated_at } = await row()
    tradepost.forward(1_000)
    await program.start({ license_key: license.key, device: machine() })
    expect(await row()).toMatchObject({ first_activated_at, devices_count: 2, status: 'active' })
  })
})
