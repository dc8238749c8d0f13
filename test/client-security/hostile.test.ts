import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pruneClientsJob } from '../../src/features/licensing/sessions/index.ts'
import { type EarlyListener, openEarlyListener } from '../../src/http/early-listener.ts'
import { renderStoreRefusal } from '../../src/surfaces/store-api.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { ed25519Device, machine, newNonce, type Program, programOf } from './program.ts'
import { BASE, type Seller, sellerAt, withoutId } from './seller.ts'
import { aFile, aKey, aSetting, aString } from './walks.ts'

let tradepost: Tradepost
let listener: EarlyListener | undefined
let seller: Seller
let other: Seller
let program: Program & { appId: number }

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
  other = await sellerAt(tradepost, tradepost.test.id)
  program = await programOf(tradepost, seller)
})
afterAll(async () => {
  await listener?.close()
  await tradepost.close()
})

const keyOf = (fields: Json = {}) => aKey(seller, { app_id: program.appId, ...fields })

/** A session of a new license. */
async function begun(fields: Json = {}, device: Json = machine()) {
  const license = await keyOf(fields)
  const { session } = await program.start({ license_key: license.key, device })
  return { license, device, token: session.token as string }
}

describe('a record that does not exist', () => {
  test('has the same answer as another store’s record and a malformed id', async () => {
    const [string, file, setting, key] = await Promise.all([
      aString(other),
      aFile(other),
      aSetting(other),
      aKey(other),
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

  test('is the same for a program, whatever hides it', async () => {
    const { token } = await begun()
    const app_id = program.appId
    const above = await aString(seller, { app_id, min_level: 5 })
    const off = await aString(seller, { app_id })
    await seller.patch(`/serverside-strings/${off.id}`, { status: 'inactive' })
    const elsewhere = await aString(seller)
    const names = [above.name, off.name, elsewhere.name, 'never', 'x'.repeat(200), '%20']
    const answers = await Promise.all(
      names.map((name) => program.call('GET', `/strings/${name}`, { token })),
    )
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 404))
    expect(new Set(answers.map(withoutId)).size).toBe(1)
  })
})

describe('a call of a program', () => {
  test('for the bytes of a file needs a nonce, like every other', async () => {
    const file = await aFile(seller, { app_id: String(program.appId) })
    const { token } = await begun()
    const { grant } = (await program.call('GET', `/files/${file.name}`, { token })).json
    const path = `/client/${program.publicId}/files/${file.name}/content?grant=${grant}`
    const bare = await tradepost.server.inject({ url: `${BASE}${path}` })
    expect([bare.statusCode, Object.keys(bare.json())]).toEqual([422, ['success', 'error']])
    const headers = { 'client-nonce': newNonce() }
    expect((await tradepost.server.inject({ url: `${BASE}${path}`, headers })).statusCode).toBe(200)
  })

  test('with two tokens is treated as a call without one', async () => {
    const { token } = await begun()
    const { port } = await listening()
    const bearer = ['Authorization', `Bearer ${token}`]
    const ask = (headers: string[]) =>
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
    expect(await ask(bearer)).toBe(200)
    expect(await ask([...bearer, ...bearer])).toBe(401)
    expect(await ask([...bearer, 'authorization', 'Bearer x'])).toBe(401)
  })

  test('with a time that is written in two ways is not proven', async () => {
    const signs = ed25519Device()
    const { token } = await begun({}, machine({ public_key: signs.public_key }))
    const beat = (headers: Json) =>
      program.call('POST', '/sessions/heartbeat', { token, device: signs, headers })
    expect((await beat({})).status).toBe(200)
    const t = Math.floor(tradepost.app.clock.now() / 1000)
    const nonce = newNonce()
    const zeroed = { 'client-nonce': nonce, 'client-proof': `t=0${t},v1=${'A'.repeat(86)}` }
    const answer = await beat(zeroed)
    expect([answer.status, answer.json.error]).toEqual([
      401,
      'Send Client-Proof: t=<Unix seconds>,v1=<signature>. This device has a key and signs every call.',
    ])
  })

  test('is not repeated with a time of the future, after its nonce could be forgotten', async () => {
    const signs = ed25519Device()
    const { token } = await begun({}, machine({ public_key: signs.public_key }))
    const call = { token, device: signs, nonce: newNonce() }
    const beat = async (skew_s: number) =>
      (await program.call('POST', '/sessions/heartbeat', { ...call, skew_s })).status
    const passed_s = 590
    expect(await beat(295)).toBe(200)
    tradepost.forward(passed_s * 1_000)
    await pruneClientsJob.run(tradepost.app)
    expect(await beat(295 - passed_s)).toBe(401)
    expect(await beat(295 - passed_s - 10)).toBe(401)
    call.nonce = newNonce()
    expect(await beat(295 - passed_s)).toBe(200)
  })

  test('is proven and answered by the machine’s time, and licensed by the store’s', async () => {
    const ahead_ms = 10 * 86_400_000
    const signs = ed25519Device()
    const app = await programOf(tradepost, other)
    await sql`update store set clock_offset_ms = ${ahead_ms} where hash = ${tradepost.test.id}`.execute(
      tradepost.db,
    )
    tradepost.forward(2_000)
    const { key } = await aKey(other, { app_id: app.appId, duration_seconds: 3_600 })
    const device = machine({ public_key: signs.public_key })
    const { session, license, server_time } = await app.start({ license_key: key, device })
    const near = (moment: string) => Date.parse(moment) - tradepost.app.clock.now()
    expect(Math.abs(near(server_time))).toBeLessThan(600_000)
    expect(near(license.expires_at)).toBeGreaterThan(ahead_ms)
    expect(near(session.lease_expires_at)).toBeGreaterThan(ahead_ms)
    const beat = await app.call('POST', '/sessions/heartbeat', {
      token: session.token,
      device: signs,
    })
    expect(beat.status).toBe(200)
  })

  test('brings no key that is no point of its curve', async () => {
    const { key } = await keyOf()
    const notOnCurve = [
      Buffer.from([2, ...Array<number>(31).fill(0)]),
      Buffer.from([7, ...Array<number>(31).fill(0)]),
      Buffer.concat([Buffer.from([4]), randomBytes(64)]),
    ]
    for (const bytes of notOnCurve) {
      const public_key = bytes.toString('base64url')
      const body = { license_key: key, device: machine({ public_key }) }
      const { status } = await program.call('POST', '/sessions', { body })
      expect([public_key, status]).toEqual([public_key, 422])
    }
    for (let n = 0; n < 8; n++) {
      const { public_key } = ed25519Device()
      const started = await program.start({ license_key: key, device: machine({ public_key }) })
      expect(started.code).toBe('VALID')
    }
  })

  test('a device that a report banned is not freed by another one of its license', async () => {
    const app = await programOf(tradepost, seller, { report_rules: { cheat: 'ban_device' } })
    const { key } = await aKey(seller, { app_id: app.appId, max_devices: 3 })
    const [bad, good] = [machine(), machine()]
    const banned = await app.start({ license_key: key, device: bad })
    const { session } = await app.start({ license_key: key, device: good })
    const body = { kind: 'cheat' }
    await app.call('POST', '/reports', { token: banned.session.token, body })
    const { token } = session
    const freed = await app.call('DELETE', `/devices/${banned.device.id}`, { token })
    expect([freed.status, freed.json.error]).toEqual([
      409,
      'This device is banned and cannot be freed. Ask the seller.',
    ])
    expect((await app.start({ license_key: key, device: bad })).code).toBe('DEVICE_BANNED')
  })

  test('fetches nothing with a grant from a machine that was banned, in this app only', async () => {
    const app_id = program.appId
    const elsewhere = await programOf(tradepost, seller)
    const file = await aFile(seller, { app_id: String(app_id) })
    const { token, device } = await begun()
    const { grant } = (await program.call('GET', `/files/${file.name}`, { token })).json
    const fetch = () => program.call('GET', `/files/${file.name}/content?grant=${grant}`)
    expect((await fetch()).status).toBe(200)
    const { fingerprint } = device
    await seller.post('/device-bans', { app_id, fingerprint, reason: 'Test' })
    expect((await fetch()).status).toBe(401)
    const { key } = await aKey(seller, { app_id: elsewhere.appId })
    expect((await elsewhere.start({ license_key: key, device })).code).toBe('VALID')
  })

  test('knows its settings by any of the tags that it sends', async () => {
    const { token } = await begun()
    const { etag = '' } = (await program.call('GET', '/settings', { token })).headers
    const ask = async (tags: string) => {
      const headers = { 'if-none-match': tags }
      return (await program.call('GET', '/settings', { token, headers })).status
    }
    expect(await ask(`"old", ${etag}`)).toBe(304)
    expect(await ask(`W/${etag}`)).toBe(304)
    expect(await ask('*')).toBe(304)
    expect(await ask('"old"')).toBe(200)
  })

  test('gets the whole file where the part that it asks for is of another one', async () => {
    const file = await aFile(seller, { app_id: String(program.appId) }, 'twelve bytes')
    const { token } = await begun()
    const { grant } = (await program.call('GET', `/files/${file.name}`, { token })).json
    const ask = async (of: string) => {
      const headers = { range: 'bytes=0-3', 'if-range': of }
      const path = `/files/${file.name}/content?grant=${grant}`
      const { status, headers: sent } = await program.call('GET', path, { headers })
      return [status, sent['content-length']]
    }
    expect(await ask(`"${file.sha256}"`)).toEqual([206, '4'])
    expect(await ask('"another"')).toEqual([200, '12'])
    const path = `/serverside-files/${file.id}/content`
    const headers = { range: 'bytes=0-3', 'if-range': '"another"' }
    expect((await seller.get(path, { headers })).status).toBe(200)
  })
})

describe('a change by the seller', () => {
  test('names no setting that would reach into prototypes', async () => {
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const { status, json } = await seller.post('/remote-settings', {
        key,
        type: 'integer',
        value: 1,
      })
      expect([key, status, json.error]).toEqual([key, 422, expect.stringContaining('key: ')])
    }
  })

  test('is remembered for 300 versions and 90 days', async () => {
    const { id } = await aSetting(seller)
    const versions = async (limit = 100) => {
      const { json } = await seller.get(`/remote-settings/${id}/versions?limit=${limit}`)
      return json.pagination.total as number
    }
    for (let value = 2; value <= 305; value++)
      await seller.patch(`/remote-settings/${id}`, { value })
    expect(await versions()).toBe(300)
    tradepost.forward(91 * 86_400_000)
    await seller.patch(`/remote-settings/${id}`, { value: 0 })
    // The value that was just replaced can be restored, whatever its age.
    expect(await versions()).toBe(2)
    tradepost.forward(91 * 86_400_000)
    await seller.patch(`/remote-settings/${id}`, { value: 1 })
    expect(await versions()).toBe(2)
  })

  test('nests JSON 16 levels deep, and no deeper', async () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])
    await aSetting(seller, { type: 'json', value: nested(16) })
    const body = { key: 'deep', type: 'json', value: nested(17) }
    expect((await seller.post('/remote-settings', body)).status).toBe(422)
  })

  test('makes no ban that is over already', async () => {
    const { id } = await keyOf()
    const over = { reason: 'Late.', expires_at: new Date(tradepost.app.clock.now()).toISOString() }
    const wrong = [422, 'expires_at: Use a time in the future, or null.']
    const calls: [string, Json][] = [
      [`/keys/${id}/ban`, over],
      ['/keys/batch', { action: 'ban', ids: [id], ...over }],
      ['/device-bans', { ip_cidr: '203.0.113.9', ...over }],
    ]
    for (const [path, body] of calls) {
      const { status, json } = await seller.post(path, body)
      expect([path, status, json.error]).toEqual([path, ...wrong])
    }
  })

  test('lets no license end later than can be written', async () => {
    const century = 100 * 366 * 86_400
    const { id } = await keyOf({ expires_at: '9999-12-31T23:59:59.000Z' })
    const far = await seller.post(`/keys/${id}/extend`, { seconds: 1 })
    expect([far.status, far.json.error]).toEqual([
      422,
      expect.stringMatching(/^seconds: Use fewer seconds/),
    ])
    const waits = await keyOf({ duration_seconds: century, expiry_basis: 'first_activation' })
    expect((await seller.post(`/keys/${waits.id}/extend`, { seconds: 1 })).status).toBe(422)
    expect((await seller.post('/keys', { expires_at: '0000-01-01T00:00:00.000Z' })).status).toBe(
      422,
    )
  })

  test('a moment that is not written as ours says how to', async () => {
    const { status, json } = await seller.post('/keys', { expires_at: '2030-01-01' })
    expect([status, json.error]).toEqual([
      422,
      'expires_at: Use ISO 8601 in UTC with milliseconds, such as 2026-01-31T00:00:00.000Z.',
    ])
  })
})

describe('an upload that asks before it sends', () => {
  /** All bytes that the server sends for a head, and for the body after `100 Continue`. */
  async function say(head: string[], body: string): Promise<string> {
    const { port } = await listening()
    const socket = connect(port, '127.0.0.1')
    let said = ''
    socket.on('data', (chunk) => {
      said += chunk
      if (said === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write(body)
      if (/^HTTP\/1.1 2/m.test(said)) socket.end()
    })
    const lines = ['Host: shop', `Authorization: Bearer ${seller.key}`, 'Expect: 100-continue']
    const type = 'Content-Type: application/octet-stream'
    socket.write([...head, ...lines, type, '', ''].join('\r\n'))
    await once(socket, 'close')
    return said
  }
  const post = (name: string) => `POST ${BASE}/serverside-files?name=${name} HTTP/1.1`

  test('gets 100 Continue and is stored', async () => {
    const said = await say([post('asked'), 'Content-Length: 5'], 'bytes')
    expect(said).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /)
  })

  test('that was to be the last of its connection ends it', async () => {
    const said = await say([post('last'), 'Content-Length: 5', 'Connection: close'], 'bytes')
    expect(said).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /)
    expect(said).toMatch(/^connection: close\r$/im)
  })

  test('is refused before its first byte, and the connection is closed', async () => {
    const said = await say([post('large'), 'Content-Length: 104857601'], 'bytes')
    expect(said).toMatch(/^HTTP\/1.1 413 /)
    expect(said).toMatch(/^connection: close\r$/im)
    const unknown = await say([`POST ${BASE}/nothing HTTP/1.1`, 'Content-Length: 5'], 'bytes')
    expect(unknown).toMatch(/^HTTP\/1.1 404 /)
    expect(unknown).toMatch(/^connection: close\r$/im)
  })
})

async function listening(): Promise<EarlyListener> {
  if (listener) return listener
  listener = await openEarlyListener({ host: '127.0.0.1', port: 0 }, renderStoreRefusal)
  await listener.open(tradepost.server)
  return listener
}
