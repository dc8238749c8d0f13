import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { machine, programOf } from './program.ts'
import { BASE, made, type Seller, sellerAt } from './seller.ts'
import { aFile, aKey, anApp, aSetting, aString, fresh } from './walks.ts'

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
})
afterAll(() => tradepost.close())

const appRow = async (id: number): Promise<Json> => (await made(seller.get(`/apps/${id}`))).app

describe('an app', () => {
  test('has the documented defaults', async () => {
    const { app } = await made(seller.post('/apps', { name: fresh('app'), heartbeat_seconds: 120 }))
    expect(app).toMatchObject({
      object: 'client_app',
      public_id: expect.stringMatching(/^app_[0-9A-Za-z]{22}$/),
      is_default: false,
      status: 'active',
      session_ttl_seconds: 21_600,
      heartbeat_seconds: 120,
      grace_seconds: 240,
      device_policy: { required: true, match: 'exact', key_required: false },
      allow_public_session: false,
      rate_limits: {
        unknown_keys: 30,
        unknown_tokens: 120,
        session_starts: 120,
        validations: 600,
        session_calls: 600,
      },
      config_version: 1,
    })
    expect((await seller.post('/apps', { name: app.name })).status).toBe(409)
    expect((await seller.post('/apps', { name: fresh('app'), heartbeat_seconds: 59 })).status).toBe(
      422,
    )
  })

  test('keeps fields that a patch leaves out, inside objects too, and null means no limit', async () => {
    const { id } = await anApp(seller)
    const patch = (body: Json) => made(seller.patch(`/apps/${id}`, body))
    await patch({ device_policy: { match: 'two' }, rate_limits: { validations: null } })
    await patch({ device_policy: { required: false }, rate_limits: { session_calls: 5 } })
    await patch({ min_version: '1.2' })
    expect(await appRow(id)).toMatchObject({
      device_policy: { required: false, match: 'two', key_required: false },
      rate_limits: {
        unknown_keys: 30,
        unknown_tokens: 120,
        session_starts: 120,
        validations: null,
        session_calls: 5,
      },
      min_version: '1.2',
    })
  })

  test('that is the default cannot be deleted, and another can once nothing depends on it', async () => {
    await aString(seller)
    const [home] = (await made(seller.get('/apps'))).apps.filter((item: Json) => item.is_default)
    const gone = async (id: number) => {
      const { status, json } = await seller.delete(`/apps/${id}`)
      return [status, json.error ?? json.message]
    }
    expect(await gone(home.id)).toEqual([409, 'The default app of a store cannot be deleted.'])
    const { id } = await anApp(seller)
    await aSetting(seller, { app_id: id })
    const key = await aKey(seller, { app_id: id })
    expect(await gone(id)).toEqual([409, 'The app still has license keys. Delete them first.'])
    await made(seller.delete(`/keys/${key.id}`))
    const file = await aFile(seller, { app_id: String(id) })
    expect(await gone(id)).toEqual([409, 'The app still has files. Delete them first.'])
    await made(seller.delete(`/serverside-files/${file.id}`))
    expect((await gone(id))[0]).toBe(200)
    expect((await gone(id))[0]).toBe(404)
  })

  test('that was disabled ended its sessions, and does not begin them again', async () => {
    const app = await programOf(tradepost, seller)
    const { key } = await aKey(seller, { app_id: app.appId })
    const { session } = await app.start({ license_key: key, device: machine() })
    for (const status of ['disabled', 'active']) {
      await made(seller.patch(`/apps/${app.appId}`, { status }))
    }
    const { status } = await app.call('GET', '/settings', { token: session.token })
    expect(status).toBe(401)
    expect((await app.start({ license_key: key, device: machine() })).code).toBe('VALID')
  })

  test('applies changed limits within a second', async () => {
    const app = await programOf(tradepost, seller)
    const { key } = await aKey(seller, { app_id: app.appId })
    const check = async () =>
      (await app.call('POST', '/validate', { body: { license_key: key } })).status
    expect(await check()).toBe(200)
    await made(seller.patch(`/apps/${app.appId}`, { rate_limits: { validations: 1 } }))
    tradepost.forward(1_000)
    expect(await check()).toBe(429)
  })

  test('starts public sessions of its own programs only, unless it is paused or the machine is banned', async () => {
    const sum = 'a'.repeat(64)
    const app = await programOf(tradepost, seller, {
      allow_public_session: true,
      min_version: '2',
      allowed_checksums: [sum],
    })
    const device = machine()
    const start = (more: Json = {}) =>
      app.call('POST', '/sessions', {
        body: { device, app_version: '2', app_checksum: sum, ...more },
      })
    const codeOf = async (more: Json = {}) => (await start(more)).json.code
    expect(await codeOf()).toBe('VALID')
    expect(await codeOf({ app_version: '1' })).toBe('APP_VERSION_UNSUPPORTED')
    expect(await codeOf({ app_checksum: 'b'.repeat(64) })).toBe('CHECKSUM_MISMATCH')
    await made(seller.patch(`/apps/${app.appId}`, { status: 'paused' }))
    expect((await start()).status).toBe(403)
    await made(seller.patch(`/apps/${app.appId}`, { status: 'disabled' }))
    expect(await codeOf()).toBe('APP_DISABLED')
    await made(seller.patch(`/apps/${app.appId}`, { status: 'active' }))
    const { fingerprint } = device
    await made(seller.post('/device-bans', { app_id: app.appId, fingerprint, reason: 'Test' }))
    expect(await codeOf()).toBe('DEVICE_BANNED')
  })
})

describe('a signing key', () => {
  const kidOf = async (publicId: string) => {
    const url = `${BASE}/client/${publicId}/key-set`
    const { headers } = await tradepost.server.inject({ url })
    return /kid=([^,]+)/.exec(String(headers['service-response-signature']))?.[1]
  }
  const rotate = async (appId: number, body: Json) =>
    (await made(seller.post(`/apps/${appId}/signing-keys`, body))).signing_key

  test('signs from its start on, and within a second even if the old one was cached', async () => {
    const app = await programOf(tradepost, seller)
    const [first] = (await made(seller.get(`/apps/${app.appId}/signing-keys`))).signing_keys
    expect(await kidOf(app.publicId)).toBe(first.kid)
    const next = await rotate(app.appId, { starts_in_seconds: 3_600 })
    tradepost.forward(1_000)
    expect(await kidOf(app.publicId)).toBe(first.kid)
    tradepost.forward(3_600_000)
    expect(await kidOf(app.publicId)).toBe(next.kid)
  })

  test('is trusted for the overlap after the start of the next one, and never longer', async () => {
    const { id } = await anApp(seller)
    const next = await rotate(id, { starts_in_seconds: 60, overlap_seconds: 600 })
    const ends = async () =>
      (await made(seller.get(`/apps/${id}/signing-keys`))).signing_keys.map(
        (item: Json) =>
          item.not_after && (Date.parse(item.not_after) - Date.parse(next.not_before)) / 1_000,
      )
    expect(await ends()).toEqual([600, null])
    await rotate(id, { overlap_seconds: 86_400 })
    expect((await ends())[0]).toBe(600)
    expect((await ends()).at(-1)).toBeNull()
    await rotate(id, { overlap_seconds: 0 })
    const [first, second] = await ends()
    expect(first).toBeLessThan(600)
    expect(second).toBeLessThan(86_400)
  })
})
