import { generateKeyPairSync, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ClientSecurity,
  type DeviceKey,
  deviceSigner,
  newDeviceKey,
  RefusedError,
  type TrustedKey,
  UnknownError,
  UntrustedError,
  verifyKeySet,
  verifyLicenseFile,
  verifyResponse,
} from '../../sdk/client-security/index.ts'
import { requestText, responseText } from '../../sdk/client-security/verify.ts'
import { isSignedBy } from '../../src/features/licensing/sessions/device-key.ts'
import { proofText } from '../../src/features/licensing/sessions/proof.rules.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { machine } from './program.ts'
import { made, type Seller, sellerAt } from './seller.ts'
import { aFile, aKey, fresh } from './walks.ts'

const URL_OF = 'https://shop.example.com/security/v1'

let tradepost: Tradepost
let seller: Seller
let app: Json
let keys: TrustedKey[]
let vectors: Json

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
  app = (await made(seller.post('/apps', { name: 'SDK' }))).app
  keys = (await made(seller.get(`/apps/${app.id}/signing-keys`))).signing_keys
  vectors = JSON.parse(await readFile('sdk/client-security/vectors.json', 'utf8'))
})
afterAll(() => tradepost.close())

type Fetch = typeof globalThis.fetch

/** The real server, without a socket. */
const real: Fetch = async (input, init = {}) => {
  const { pathname, search } = new URL(String(input))
  const { method = 'GET', headers, body } = init
  const response = await tradepost.server.inject({
    method: method as 'GET',
    url: pathname + search,
    headers: headers as Record<string, string>,
    ...(body != null && { payload: String(body) }),
  })
  return new Response(response.rawPayload.length ? new Uint8Array(response.rawPayload) : null, {
    status: response.statusCode,
    headers: response.headers as Record<string, string>,
  })
}

const clientOf = (fetch: Fetch = real, more: Json = {}) =>
  new ClientSecurity({
    url: URL_OF,
    appId: app.public_id,
    keys,
    fingerprint: machine().fingerprint,
    fetch,
    ...more,
  })
const license = async (fields: Json = {}) => (await aKey(seller, { app_id: app.id, ...fields })).key

describe('the client', () => {
  test('starts, sends heartbeats, reads and ends a session, with a signing device', async () => {
    const client = clientOf(real, { device: await deviceSigner(await newDeviceKey()) })
    await made(seller.post('/serverside-strings', { app_id: app.id, name: 'motd', value: 'hi' }))
    const file = await aFile(seller, { app_id: String(app.id) }, 'plugin bytes')
    expect(client.mayRun()).toBe(false)
    expect(await client.start(await license())).toMatchObject({ valid: true, code: 'VALID' })
    expect(client.mayRun()).toBe(true)
    expect((await client.heartbeat()).valid).toBe(true)
    expect(await client.string('motd')).toBe('hi')
    expect(await client.settings()).toEqual({})
    expect(Buffer.from(await client.file(file.name)).toString()).toBe('plugin bytes')
    await client.report('lag')
    expect((await client.licenseFile()).split('.')).toHaveLength(3)
    await client.end()
    expect(client.mayRun()).toBe(false)
  })

  test('is the same device at its next start, by its stored key', async () => {
    const { fingerprint } = machine()
    const license_key = await license({ max_devices: 1 })
    const kept = JSON.stringify(await newDeviceKey())
    const started = async (key: DeviceKey) =>
      clientOf(real, { fingerprint, device: await deviceSigner(key) }).start(license_key)

    expect((await started(JSON.parse(kept))).code).toBe('VALID')
    expect((await started(JSON.parse(kept))).code).toBe('VALID')
    expect((await started(await newDeviceKey())).code).toBe('DEVICE_KEY_MISMATCH')
  })

  test('sends its version, checksum, name and components', async () => {
    const device = await deviceSigner(await newDeviceKey())
    const client = clientOf(real, { device })
    const { key, id } = await aKey(seller, { app_id: app.id })
    const details = { name: 'Studio', platform: 'linux' }
    const answer = await client.start(key, { app_version: '1.4.2', device: details })
    expect(answer.code).toBe('VALID')
    const { devices } = await made(seller.get(`/keys/${id}/devices`))
    expect(devices).toMatchObject([{ ...details, public_key_thumbprint: expect.any(String) }])
    expect((await client.heartbeat()).valid).toBe(true)
  })

  test('accepts its offline license only on this device and at this time', async () => {
    const { fingerprint } = machine()
    const device = await deviceSigner(await newDeviceKey())
    const online = clientOf(real, { fingerprint, device })
    await online.start(await license({ level: 2 }))
    const file = await online.licenseFile()
    const away = (more: Json = {}) =>
      clientOf(() => Promise.reject(new Error('away')), { fingerprint, device, ...more })
    const kept = online.latestSeen

    expect(await away().checkLicenseFile(file, kept)).toMatchObject({ level: 2 })
    const others = [
      away({ fingerprint: machine().fingerprint }),
      away({ device: await deviceSigner(await newDeviceKey()) }),
      away({ device: undefined }),
      away({ appId: 'app_0000000000000000000000' }),
    ]
    for (const other of others) {
      await expect(other.checkLicenseFile(file, kept)).rejects.toThrow(UntrustedError)
    }
    const later = kept + 86_400
    await expect(away().checkLicenseFile(file, later)).rejects.toThrow(
      'clock of this machine was set back',
    )
    const ended = Date.now() + 31 * 86_400_000
    await expect(away().checkLicenseFile(file, kept, ended)).rejects.toThrow('has expired')
  })

  test('follows a rotation of the signing key that a pinned key signed', async () => {
    const client = clientOf()
    await made(seller.post(`/apps/${app.id}/signing-keys`, {}))
    tradepost.forward(1_000)
    expect((await client.start(await license())).valid).toBe(true)
  })

  test('a signed refusal ends the lease', async () => {
    const client = clientOf()
    const key = await license()
    await client.start(key)
    const [row] = (await made(seller.get(`/keys?key=${key}`))).keys
    await made(seller.post(`/keys/${row.id}/ban`, { reason: 'Test' }))
    expect(client.mayRun()).toBe(true)
    await expect(client.heartbeat()).rejects.toThrow(RefusedError)
    expect(client.mayRun()).toBe(false)
  })

  test('an ended session is a signed refusal, for any call', async () => {
    const client = clientOf()
    const key = await license()
    await client.start(key)
    const [row] = (await made(seller.get(`/keys?key=${key}`))).keys
    await made(seller.delete(`/keys/${row.id}/sessions`))
    await expect(client.settings()).rejects.toThrow(RefusedError)
    expect(client.mayRun()).toBe(false)
  })

  test('an outage does not end the lease', async () => {
    let away = false
    const client = clientOf((...sent) => (away ? Promise.reject(new Error('away')) : real(...sent)))
    await client.start(await license())
    away = true
    await expect(client.heartbeat()).rejects.toThrow(UnknownError)
    expect(client.mayRun()).toBe(true)
    expect(client.mayRun(Date.now() + 901_000)).toBe(false)
    // Setting the clock back does not extend the license.
    expect(client.mayRun(Date.now() - 3_600_000, performance.now() + 901_000)).toBe(false)
    const never = clientOf(() => Promise.reject(new Error('away')))
    await expect(never.start('x')).rejects.toThrow(UnknownError)
    expect(never.mayRun()).toBe(false)
  })
})

/** A fake server that has everything except the private key of the app. */
describe('a fake server is refused', () => {
  const yes = JSON.stringify({ success: true, valid: true, code: 'VALID', message: '' })
  const answer = (body: string, signature?: string, status = 200) =>
    new Response(body, {
      status,
      headers: {
        'content-type': 'application/json',
        ...(signature && { 'service-response-signature': signature }),
      },
    })

  async function forged(init: RequestInit, path: string, kid: string): Promise<string> {
    const { privateKey } = generateKeyPairSync('ed25519')
    const headers = init.headers as Record<string, string>
    const t = String(Math.floor(Date.now() / 1000))
    const text = await responseText(
      {
        appId: app.public_id,
        method: init.method ?? 'GET',
        path,
        nonce: headers['client-nonce'] ?? '-',
        requestBody: Buffer.from(String(init.body ?? '')),
        token: headers.authorization?.replace('Bearer ', ''),
        status: 200,
        signature: null,
        body: Buffer.from(yes),
      },
      t,
    )
    return `t=${t},kid=${kid},v1=${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
  }
  const pathOf = (input: unknown) => new URL(String(input)).pathname.replace('/security/v1', '')

  const forgeries: [string, () => Promise<Fetch>][] = [
    ['without a signature', async () => async () => answer(yes)],
    [
      'with a key of its own under the name of the real one',
      async () =>
        async (input, init = {}) =>
          answer(yes, await forged(init, pathOf(input), keys[0]?.kid ?? '')),
    ],
    [
      'with a key of its own and a key set of its own',
      async () =>
        async (input, init = {}) => {
          if (!String(input).endsWith('/key-set')) {
            return answer(yes, await forged(init, pathOf(input), 'its-own-key'))
          }
          const set = {
            keys: [{ ...keys[0], kid: 'its-own-key' }],
            signature: { kid: 'its-own-key', v1: 'A'.repeat(86) },
          }
          return answer(JSON.stringify({ success: true, ...set }))
        },
    ],
    [
      'with an answer that it recorded before',
      async () => {
        const recorded: Response[] = []
        const record: Fetch = async (...sent) => {
          const response = await real(...sent)
          recorded.push(response.clone())
          return response
        }
        await clientOf(record).start(await license())
        return async () => recorded[0]?.clone() ?? answer(yes)
      },
    ],
    [
      'with a real no that it turned into a yes',
      async () =>
        async (...sent) => {
          const response = await real(...sent)
          const signature = response.headers.get('service-response-signature') ?? undefined
          return answer((await response.text()).replace('"valid":false', '"valid":true'), signature)
        },
    ],
    [
      'with another status',
      async () =>
        async (...sent) => {
          const response = await real(...sent)
          const signature = response.headers.get('service-response-signature') ?? undefined
          return answer(await response.text(), signature, 201)
        },
    ],
  ]
  test.each(forgeries)('%s', async (_, fake) => {
    const client = clientOf(await fake())
    await expect(client.start('WRONG-KEY')).rejects.toThrow(UntrustedError)
    expect(client.mayRun()).toBe(false)
    expect(client.latestSeen).toBe(0)
  })

  test('with other bytes for a file, even where the answer is signed', async () => {
    const name = fresh('file')
    await made(
      seller.call('POST', `/serverside-files?name=${name}&app_id=${app.id}`, {
        raw: 'real bytes',
        headers: { 'content-type': 'application/octet-stream' },
      }),
    )
    const swap: Fetch = async (input, init = {}) => {
      if (!String(input).includes('/content')) return real(input, init)
      return real(input, { ...init, headers: { ...init.headers, range: 'bytes=0-3' } })
    }
    const client = clientOf(swap)
    await client.start(await license())
    await expect(client.file(name)).rejects.toThrow(UntrustedError)
  })
})

describe('the vectors, which another language can run', () => {
  const trusted = () => [vectors.trusted_key] as TrustedKey[]

  test('a response', async () => {
    const { body, request_body, signed_text, ...answer } = vectors.response
    const requestBody = Buffer.from(request_body)
    const received = { ...answer, appId: vectors.app, body: Buffer.from(body), requestBody }
    expect((await verifyResponse(trusted(), received)).kid).toBe(vectors.trusted_key.kid)
    expect(await responseText(received, '1800000000')).toBe(signed_text)
    const changes = [
      { body: Buffer.from(`${body} `) },
      { requestBody: Buffer.from(`${request_body} `) },
      { token: `${answer.token}A` },
      { token: undefined },
    ]
    for (const change of changes) {
      const changed = verifyResponse(trusted(), { ...received, ...change })
      await expect(changed).rejects.toThrow(UntrustedError)
    }
  })

  test('a refusal before the body was read, which neither confirms nor denies the license (decision 117)', async () => {
    const { body, request_body, signed_text, ...answer } = vectors.unread_response
    const requestBody = Buffer.from(request_body)
    const received = { ...answer, appId: vectors.app, body: Buffer.from(body), requestBody }
    expect(await responseText(received, '1800000000', 'unread')).toBe(signed_text)
    await expect(verifyResponse(trusted(), received)).rejects.toThrow(UnknownError)
    const nothing = { ...received, requestBody: Buffer.alloc(0) }
    await expect(verifyResponse(trusted(), nothing)).rejects.toThrow(UntrustedError)
  })

  test('a proof, which the server accepts too', async () => {
    const { request } = vectors
    const text = await requestText({
      ...request,
      appId: vectors.app,
      body: Buffer.from(request.body),
    })
    expect(text).toBe(request.signed_text)
    const lines = request.signed_text.split('\n')
    const [, , , , , , tokenHash = '', bodyHash = ''] = lines
    const { method, path, nonce } = request
    const publicId = vectors.app
    const t = String(request.t)
    expect(proofText({ publicId, method, path, nonce, t, tokenHash, bodyHash })).toBe(text)
    const raw = Buffer.from(request.device_public_key, 'base64url')
    const v1 = request.proof.split('v1=')[1]
    expect(isSignedBy(raw, text, v1)).toBe(true)
    expect(isSignedBy(raw, `${text} `, v1)).toBe(false)
  })

  test('a key set', async () => {
    const set = await verifyKeySet(trusted(), vectors.app, vectors.key_set.body)
    expect(set).toHaveLength(2)
    const changed = vectors.key_set.body.replace('"not_after":null', '"not_after":"x"')
    await expect(verifyKeySet(trusted(), vectors.app, changed)).rejects.toThrow(UntrustedError)
  })

  test('a license file, for its machine and its time only', async () => {
    const { file, fingerprint, valid_at } = vectors.license_file
    const now_ms = Date.parse(valid_at)
    const check = { appId: vectors.app, fingerprint, now_ms, latest_seen_ms: 0 }
    const DAY = 86_400_000
    expect((await verifyLicenseFile(trusted(), file, check)).level).toBe(2)
    const refused = [
      { ...check, fingerprint: 'another-machine-of-somebody' },
      { ...check, appId: 'app_0000000000000000000002' },
      { ...check, now_ms: now_ms + 7 * DAY },
      { ...check, now_ms: now_ms - 2 * DAY },
      { ...check, latest_seen_ms: now_ms + DAY },
    ]
    for (const item of refused) {
      await expect(verifyLicenseFile(trusted(), file, item)).rejects.toThrow(UntrustedError)
    }
    const forged = `${file.slice(0, -4)}AAAA`
    await expect(verifyLicenseFile(trusted(), forged, check)).rejects.toThrow(UntrustedError)
  })
})
