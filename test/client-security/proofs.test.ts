import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  deviceSigner,
  newDeviceKey,
  UntrustedError,
  verifyLicenseFile,
} from '../../sdk/client-security/index.ts'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import { createClients } from './clients.ts'
import { createFile, createLicenseKey, createString, newName } from './prepared-calls.ts'
import {
  createProgram,
  type DeviceKey,
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
  // On a slow machine a test could outlast the time in which a proof is valid.
  tradepost.stopClock()
  seller = await createSeller(tradepost)
  program = await createProgram(tradepost, seller)
})
afterAll(() => tradepost.close())

/** Starts a session with a new license, on a device with a public key. */
async function startSession(device: DeviceKey, fields: Json = {}) {
  const license = await createLicenseKey(seller, { app_id: program.appId, ...fields })
  const body = { license_key: license.key, device: newMachine({ public_key: device.public_key }) }
  const { session } = await program.start(body)
  return { license, body, token: session.token as string }
}

const DEVICE_KINDS: [string, () => DeviceKey][] = [
  ['Ed25519', ed25519Device],
  ['P-256', p256Device],
]

describe('the session of a device with a key', () => {
  const stringName = newName('secret')
  const fileName = newName('plugin')
  beforeAll(async () => {
    await createString(seller, { app_id: program.appId, name: stringName })
    await createFile(seller, { app_id: String(program.appId), name: fileName })
  })

  const calls: [string, Json][] = [
    ['POST /sessions/heartbeat', {}],
    ['GET /devices', {}],
    ['DELETE /devices/9007199254740991', {}],
    [`GET /strings/${stringName}`, {}],
    [`GET /files/${fileName}`, {}],
    ['GET /settings', {}],
    ['POST /reports', { body: { kind: 'lag' } }],
    ['POST /license-files', { body: {} }],
    ['POST /deactivate', {}],
    ['DELETE /sessions/current', {}],
  ]

  describe.each(DEVICE_KINDS)('of %s', (_, newDevice) => {
    test.each(calls)(
      'is refused without a proof, or with a wrong or used one, for %s (decision 119)',
      async (call, input) => {
        const device = newDevice()
        const { token } = await startSession(device)
        const [method = '', path = ''] = call.split(' ')
        const send = (options: Json) => program.call(method, path, { token, ...input, ...options })
        const forged = {
          'client-proof': `t=${Math.floor(tradepost.app.clock.now() / 1000)},v1=${'A'.repeat(86)}`,
        }
        const otherDevice = newDevice()
        expect((await send({})).status).toBe(401)
        expect((await send({ headers: forged })).status).toBe(401)
        expect((await send({ device: otherDevice })).status).toBe(401)
        expect((await send({ device, skew_s: 600 })).status).toBe(401)
        const nonce = newNonce()
        const proven = await send({ device, nonce })
        expect(proven.status).not.toBe(401)
        // Either the call ended the session, or its proof is now used.
        expect((await send({ device, nonce })).status).toBe(401)
      },
    )
  })

  test('refuses a proof for another path, method, token or body (decision 119)', async () => {
    const device = ed25519Device()
    const { token } = await startSession(device)
    const nonce = newNonce()
    const t = Math.floor(tradepost.app.clock.now() / 1000)
    const path = `/client/${program.publicId}/strings/${stringName}`
    const signedRequest = { method: 'GET', path, token, body: '' }
    const send = (changes: Partial<typeof signedRequest>) => {
      const request = { ...signedRequest, ...changes }
      const text = [
        'client-request/v1',
        program.publicId,
        request.method,
        request.path,
        nonce,
        t,
        hexOf(request.token),
        hexOf(request.body),
      ].join('\n')
      const headers = { 'client-proof': `t=${t},v1=${device.sign(text)}` }
      return program.call('GET', `/strings/${stringName}`, { token, nonce, headers })
    }
    const otherRequests = [
      { path: `/client/${program.publicId}/settings` },
      { method: 'HEAD' },
      { token: 'x'.repeat(43) },
      { body: '{}' },
    ]
    for (const changes of otherRequests)
      expect((await send(changes)).status, Object.keys(changes)[0]).toBe(401)
    expect((await send({})).status).toBe(200)
  })

  test('needs no proof if it is public, or if its device has no key (decision 119)', async () => {
    const { key } = await createLicenseKey(seller, { app_id: program.appId })
    const { session } = await program.start({ license_key: key, device: newMachine() })
    const read = await program.call('GET', `/strings/${stringName}`, { token: session.token })
    expect(read.status).toBe(200)
    const publicProgram = await createProgram(tradepost, seller, { allow_public_session: true })
    const { token } = (await publicProgram.start({})).session
    expect((await publicProgram.call('GET', '/settings', { token })).status).toBe(200)
  })
})

const hexOf = (text: string) => createHash('sha256').update(text).digest('hex')

describe('a copied license file', () => {
  test('is refused without the private key of its device (decision 119)', async () => {
    const clients = await createClients(tradepost, seller)
    const { fingerprint } = newMachine()
    const device = await deviceSigner(await newDeviceKey())
    const online = clients.createClient({ fingerprint, device })
    await online.start((await createLicenseKey(seller, { app_id: clients.app.id })).key)
    const file = await online.licenseFile()
    expect((await clients.createClient({ fingerprint, device }).checkLicenseFile(file)).level).toBe(
      0,
    )
    // A thief has the file, the fingerprint and the public key of the device.
    const otherSigner = await deviceSigner(await newDeviceKey())
    const copies = [
      { ...otherSigner, public_key: device.public_key },
      { public_key: device.public_key, sign: async () => new Uint8Array(64) },
      { public_key: device.public_key, sign: () => Promise.reject(new Error('no key')) },
    ]
    for (const copy of copies) {
      const check = clients.createClient({ fingerprint, device: copy }).checkLicenseFile(file)
      await expect(check).rejects.toThrow(UntrustedError)
    }
  })

  test.each(DEVICE_KINDS)(
    'is accepted with the %s key of its device only (decision 119)',
    async (_, newDevice) => {
      const device = newDevice()
      const signer = {
        public_key: device.public_key,
        sign: async (text: Uint8Array) => signBytes(device, text),
      }
      const { token } = await startSession(device)
      const { license_file } = (
        await program.call('POST', '/license-files', { token, device, body: {} })
      ).json
      const keys = (await expectSuccess(seller.get(`/apps/${program.appId}/signing-keys`)))
        .signing_keys
      const options = {
        appId: program.publicId,
        fingerprint: newMachine().fingerprint,
        now_ms: tradepost.app.clock.now(),
        latest_seen_ms: 0,
      }
      expect(
        (await verifyLicenseFile(keys, license_file, { ...options, device: signer })).level,
      ).toBe(0)
      await expect(verifyLicenseFile(keys, license_file, options)).rejects.toThrow(UntrustedError)
      const otherDevice = newDevice()
      const otherSigner = {
        ...signer,
        sign: async (text: Uint8Array) => signBytes(otherDevice, text),
      }
      const check = verifyLicenseFile(keys, license_file, { ...options, device: otherSigner })
      await expect(check).rejects.toThrow(UntrustedError)
    },
  )

  const signBytes = (device: DeviceKey, text: Uint8Array) =>
    new Uint8Array(Buffer.from(device.sign(Buffer.from(text).toString()), 'base64url'))
})
