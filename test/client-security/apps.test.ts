import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import {
  createApp,
  createFile,
  createLicenseKey,
  createSetting,
  createString,
  newName,
} from './prepared-calls.ts'
import { createProgram, newMachine } from './program.ts'
import { BASE, createSeller, type Seller } from './seller.ts'

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
})
afterAll(() => tradepost.close())

const getApp = async (id: number): Promise<Json> =>
  (await expectSuccess(seller.get(`/apps/${id}`))).app

describe('an app', () => {
  test('has the documented defaults', async () => {
    const { app } = await expectSuccess(
      seller.post('/apps', { name: newName('app'), heartbeat_seconds: 120 }),
    )
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
    expect(
      (await seller.post('/apps', { name: newName('app'), heartbeat_seconds: 59 })).status,
    ).toBe(422)
  })

  test('keeps the fields that a change omits, even within objects, and a limit of null means no limit', async () => {
    const { id } = await createApp(seller)
    const patch = (body: Json) => expectSuccess(seller.patch(`/apps/${id}`, body))
    await patch({ device_policy: { match: 'two' }, rate_limits: { validations: null } })
    await patch({ device_policy: { required: false }, rate_limits: { session_calls: 5 } })
    await patch({ min_version: '1.2' })
    expect(await getApp(id)).toMatchObject({
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

  test('can be deleted if no record uses it, except for the default app', async () => {
    await createString(seller)
    const [defaultApp] = (await expectSuccess(seller.get('/apps'))).apps.filter(
      (item: Json) => item.is_default,
    )
    const remove = async (id: number) => {
      const { status, json } = await seller.delete(`/apps/${id}`)
      return [status, json.error ?? json.message]
    }
    expect(await remove(defaultApp.id)).toEqual([
      409,
      'The default app of a store cannot be deleted. Disable it instead.',
    ])
    const { id } = await createApp(seller)
    await createSetting(seller, { app_id: id })
    const key = await createLicenseKey(seller, { app_id: id })
    expect(await remove(id)).toEqual([409, 'The app still has license keys. Delete them first.'])
    await expectSuccess(seller.delete(`/keys/${key.id}`))
    const file = await createFile(seller, { app_id: String(id) })
    expect(await remove(id)).toEqual([409, 'The app still has files. Delete them first.'])
    await expectSuccess(seller.delete(`/serverside-files/${file.id}`))
    expect((await remove(id))[0]).toBe(200)
    expect((await remove(id))[0]).toBe(404)
  })

  test('ends its sessions permanently when it is disabled', async () => {
    const app = await createProgram(tradepost, seller)
    const { key } = await createLicenseKey(seller, { app_id: app.appId })
    const { session } = await app.start({ license_key: key, device: newMachine() })
    for (const status of ['disabled', 'active']) {
      await expectSuccess(seller.patch(`/apps/${app.appId}`, { status }))
    }
    const { status } = await app.call('GET', '/settings', { token: session.token })
    expect(status).toBe(401)
    expect((await app.start({ license_key: key, device: newMachine() })).code).toBe('VALID')
  })

  test('has changed rate limits after a second at the latest', async () => {
    const app = await createProgram(tradepost, seller)
    const { key } = await createLicenseKey(seller, { app_id: app.appId })
    const validate = async () =>
      (await app.call('POST', '/validate', { body: { license_key: key } })).status
    expect(await validate()).toBe(200)
    await expectSuccess(seller.patch(`/apps/${app.appId}`, { rate_limits: { validations: 1 } }))
    tradepost.forward(1_000)
    expect(await validate()).toBe(429)
  })

  test('starts public sessions of programs with an allowed version and checksum, unless it is paused or the device is banned', async () => {
    const checksum = 'a'.repeat(64)
    const app = await createProgram(tradepost, seller, {
      allow_public_session: true,
      min_version: '2',
      allowed_checksums: [checksum],
    })
    const device = newMachine()
    const start = (fields: Json = {}) =>
      app.call('POST', '/sessions', {
        body: { device, app_version: '2', app_checksum: checksum, ...fields },
      })
    const codeOf = async (fields: Json = {}) => (await start(fields)).json.code
    expect(await codeOf()).toBe('VALID')
    expect(await codeOf({ app_version: '1' })).toBe('APP_VERSION_UNSUPPORTED')
    expect(await codeOf({ app_checksum: 'b'.repeat(64) })).toBe('CHECKSUM_MISMATCH')
    await expectSuccess(seller.patch(`/apps/${app.appId}`, { status: 'paused' }))
    expect((await start()).status).toBe(403)
    await expectSuccess(seller.patch(`/apps/${app.appId}`, { status: 'disabled' }))
    expect(await codeOf()).toBe('APP_DISABLED')
    await expectSuccess(seller.patch(`/apps/${app.appId}`, { status: 'active' }))
    const { fingerprint } = device
    await expectSuccess(
      seller.post('/device-bans', { app_id: app.appId, fingerprint, reason: 'Test' }),
    )
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
    (await expectSuccess(seller.post(`/apps/${appId}/signing-keys`, body))).signing_key

  test('signs a second after its start at the latest, even if the former key was cached', async () => {
    const app = await createProgram(tradepost, seller)
    const [first] = (await expectSuccess(seller.get(`/apps/${app.appId}/signing-keys`)))
      .signing_keys
    expect(await kidOf(app.publicId)).toBe(first.kid)
    const next = await rotate(app.appId, { starts_in_seconds: 3_600 })
    tradepost.forward(1_000)
    expect(await kidOf(app.publicId)).toBe(first.kid)
    tradepost.forward(3_600_000)
    expect(await kidOf(app.publicId)).toBe(next.kid)
  })

  test('is trusted until the overlap after the start of the next key ends', async () => {
    const { id } = await createApp(seller)
    const next = await rotate(id, { starts_in_seconds: 60, overlap_seconds: 600 })
    const secondsAfterNext = async () =>
      (await expectSuccess(seller.get(`/apps/${id}/signing-keys`))).signing_keys.map(
        (item: Json) =>
          item.not_after && (Date.parse(item.not_after) - Date.parse(next.not_before)) / 1_000,
      )
    expect(await secondsAfterNext()).toEqual([600, null])
    await rotate(id, { overlap_seconds: 86_400 })
    expect((await secondsAfterNext())[0]).toBe(600)
    expect((await secondsAfterNext()).at(-1)).toBeNull()
    await rotate(id, { overlap_seconds: 0 })
    const [first, second] = await secondsAfterNext()
    expect(first).toBeLessThan(600)
    expect(second).toBeLessThan(86_400)
  })
})
