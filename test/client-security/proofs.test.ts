import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  deviceSigner,
  newDeviceKey,
  UntrustedError,
  verifyLicenseFile,
} from '../../sdk/client-security/index.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import {
  type DeviceKey,
  ed25519Device,
  machine,
  newNonce,
  type Program,
  p256Device,
  programOf,
} from './program.ts'
import { made, type Seller, sellerAt } from './seller.ts'
import { aFile, aKey, aString, fresh } from './walks.ts'
import { clientsOf } from './wire.ts'

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
  program = await programOf(tradepost, seller)
})
afterAll(() => tradepost.close())

/** A session of a new license, on a device with a public key. */
async function begun(device: DeviceKey, fields: Json = {}) {
  const license = await aKey(seller, { app_id: program.appId, ...fields })
  const body = { license_key: license.key, device: machine({ public_key: device.public_key }) }
  const { session } = await program.start(body)
  return { license, body, token: session.token as string }
}

const deviceKinds: [string, () => DeviceKey][] = [
  ['Ed25519', ed25519Device],
  ['P-256', p256Device],
]

describe('the session of a device with a key', () => {
  const string = fresh('secret')
  const file = fresh('plugin')
  beforeAll(async () => {
    await aString(seller, { app_id: program.appId, name: string })
    await aFile(seller, { app_id: String(program.appId), name: file })
  })

  const calls: [string, string, Json][] = [
    ['R3', 'POST /sessions/heartbeat', {}],
    ['R6', 'GET /devices', {}],
    ['R6', 'DELETE /devices/9007199254740991', {}],
    ['R7', `GET /strings/${string}`, {}],
    ['R8', `GET /files/${file}`, {}],
    ['R9', 'GET /settings', {}],
    ['R10', 'POST /reports', { body: { kind: 'lag' } }],
    ['R11', 'POST /license-files', { body: {} }],
    ['R6', 'POST /deactivate', {}],
    ['R4', 'DELETE /sessions/current', {}],
  ]

  describe.each(deviceKinds)('of %s', (_, newDevice) => {
    test.each(calls)(
      'proves %s, %s: a token alone is 401 (decision 119)',
      async (_r, call, more) => {
        const device = newDevice()
        const { token } = await begun(device)
        const [method = '', path = ''] = call.split(' ')
        const ask = (sent: Json) => program.call(method, path, { token, ...more, ...sent })
        const forged = {
          'client-proof': `t=${Math.floor(tradepost.app.clock.now() / 1000)},v1=${'A'.repeat(86)}`,
        }
        const other = newDevice()
        expect((await ask({})).status).toBe(401)
        expect((await ask({ headers: forged })).status).toBe(401)
        expect((await ask({ device: other })).status).toBe(401)
        expect((await ask({ device, skew_s: 301 })).status).toBe(401)
        const nonce = newNonce()
        const proven = await ask({ device, nonce })
        expect(proven.status).not.toBe(401)
        // The session is live unless the call ended it, and the same proof is refused the second time.
        expect((await ask({ device, nonce })).status).toBe(401)
      },
    )
  })

  test('of a proof for another path, method, token or body nothing is believed (decision 119)', async () => {
    const device = ed25519Device()
    const { token } = await begun(device)
    const nonce = newNonce()
    const t = Math.floor(tradepost.app.clock.now() / 1000)
    const sign = (path: string) =>
      `t=${t},v1=${device.sign(
        [
          'client-request/v1',
          program.publicId,
          'GET',
          path,
          nonce,
          t,
          hexOf(token),
          hexOf(''),
        ].join('\n'),
      )}`
    const path = `/client/${program.publicId}/strings/${string}`
    const ask = (proof: string) =>
      program.call('GET', `/strings/${string}`, {
        token,
        nonce,
        headers: { 'client-proof': proof },
      })
    expect((await ask(sign(`/client/${program.publicId}/settings`))).status).toBe(401)
    expect((await ask(sign(path))).status).toBe(200)
  })

  test('public ones, and those of devices without a key, need no proof (decision 119)', async () => {
    const { key } = await aKey(seller, { app_id: program.appId })
    const { session } = await program.start({ license_key: key, device: machine() })
    const read = await program.call('GET', `/strings/${string}`, { token: session.token })
    expect(read.status).toBe(200)
    const open = await programOf(tradepost, seller, { allow_public_session: true })
    const { token } = (await open.start({})).session
    expect((await open.call('GET', '/settings', { token })).status).toBe(200)
  })
})

const hexOf = (text: string) => createHash('sha256').update(text).digest('hex')

describe('a copied offline license', () => {
  test('is refused where the private key of its device is not (decision 119)', async () => {
    const wire = await clientsOf(tradepost, seller)
    const { fingerprint } = machine()
    const device = await deviceSigner(await newDeviceKey())
    const online = wire.client({ fingerprint, device })
    await online.start((await aKey(seller, { app_id: wire.app.id })).key)
    const file = await online.licenseFile()
    expect((await wire.client({ fingerprint, device }).checkLicenseFile(file)).level).toBe(0)
    // A copy of the file includes the fingerprint and the public key.
    const thief = await deviceSigner(await newDeviceKey())
    const copies = [
      { ...thief, public_key: device.public_key },
      { public_key: device.public_key, sign: async () => new Uint8Array(64) },
      { public_key: device.public_key, sign: () => Promise.reject(new Error('no key')) },
    ]
    for (const copy of copies) {
      const check = wire.client({ fingerprint, device: copy }).checkLicenseFile(file)
      await expect(check).rejects.toThrow(UntrustedError)
    }
  })

  test.each(deviceKinds)('is proven by a device of %s (decision 119)', async (_, newDevice) => {
    const device = newDevice()
    const signer = {
      public_key: device.public_key,
      sign: async (text: Uint8Array) => bytesOf(device, text),
    }
    const { token } = await begun(device)
    const { license_file } = (
      await program.call('POST', '/license-files', { token, device, body: {} })
    ).json
    const keys = (await made(seller.get(`/apps/${program.appId}/signing-keys`))).signing_keys
    const here = {
      appId: program.publicId,
      fingerprint: machine().fingerprint,
      now_ms: tradepost.app.clock.now(),
      latest_seen_ms: 0,
    }
    expect((await verifyLicenseFile(keys, license_file, { ...here, device: signer })).level).toBe(0)
    await expect(verifyLicenseFile(keys, license_file, here)).rejects.toThrow(UntrustedError)
    const other = newDevice()
    const stolen = { ...signer, sign: async (text: Uint8Array) => bytesOf(other, text) }
    const check = verifyLicenseFile(keys, license_file, { ...here, device: stolen })
    await expect(check).rejects.toThrow(UntrustedError)
  })

  const bytesOf = (device: DeviceKey, text: Uint8Array) =>
    new Uint8Array(Buffer.from(device.sign(Buffer.from(text).toString()), 'base64url'))
})
