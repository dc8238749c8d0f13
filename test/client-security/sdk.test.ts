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
import { fromNow_ms, now_s } from '../clock.ts'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import { type Fetch, fetchFrom } from './clients.ts'
import { createFile, createLicenseKey, newName } from './prepared-calls.ts'
import { newMachine } from './program.ts'
import { createSeller, type Seller } from './seller.ts'

const API_URL = 'https://shop.example.com/security/v1'

let tradepost: Tradepost
let seller: Seller
let app: Json
let keys: TrustedKey[]
let vectors: Json

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
  app = (await expectSuccess(seller.post('/apps', { name: 'SDK' }))).app
  keys = (await expectSuccess(seller.get(`/apps/${app.id}/signing-keys`))).signing_keys
  vectors = JSON.parse(await readFile('sdk/client-security/vectors.json', 'utf8'))
})
afterAll(() => tradepost.close())

/** Calls the real server without a socket. */
const realFetch: Fetch = (...args) => fetchFrom(tradepost)(...args)

const clientOf = (fetch: Fetch = realFetch, options: Json = {}) =>
  new ClientSecurity({
    url: API_URL,
    appId: app.public_id,
    keys,
    fingerprint: newMachine().fingerprint,
    fetch,
    ...options,
  })
const createKey = async (fields: Json = {}) =>
  (await createLicenseKey(seller, { app_id: app.id, ...fields })).key

describe('the client', () => {
  test('starts a session on a device with a key, sends heartbeats, reads values, and ends the session', async () => {
    const client = clientOf(realFetch, { device: await deviceSigner(await newDeviceKey()) })
    await expectSuccess(
      seller.post('/serverside-strings', { app_id: app.id, name: 'motd', value: 'hi' }),
    )
    const file = await createFile(seller, { app_id: String(app.id) }, 'plugin bytes')
    expect(client.mayRun()).toBe(false)
    expect(await client.start(await createKey())).toMatchObject({ valid: true, code: 'VALID' })
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

  test('counts as the same device at its next start if the key of the device was stored', async () => {
    const { fingerprint } = newMachine()
    const license_key = await createKey({ max_devices: 1 })
    const storedValue = JSON.stringify(await newDeviceKey())
    const startWith = async (key: DeviceKey) =>
      clientOf(realFetch, { fingerprint, device: await deviceSigner(key) }).start(license_key)

    expect((await startWith(JSON.parse(storedValue))).code).toBe('VALID')
    expect((await startWith(JSON.parse(storedValue))).code).toBe('VALID')
    expect((await startWith(await newDeviceKey())).code).toBe('DEVICE_KEY_MISMATCH')
  })

  test('sends its version, the name and platform of its device, and a public key', async () => {
    const device = await deviceSigner(await newDeviceKey())
    const client = clientOf(realFetch, { device })
    const { key, id } = await createLicenseKey(seller, { app_id: app.id })
    const details = { name: 'Studio', platform: 'linux' }
    const answer = await client.start(key, { app_version: '1.4.2', device: details })
    expect(answer.code).toBe('VALID')
    const { devices } = await expectSuccess(seller.get(`/keys/${id}/devices`))
    expect(devices).toMatchObject([{ ...details, public_key_thumbprint: expect.any(String) }])
    expect((await client.heartbeat()).valid).toBe(true)
  })

  test('accepts its license file only on its device, and only before its end', async () => {
    const { fingerprint } = newMachine()
    const device = await deviceSigner(await newDeviceKey())
    const online = clientOf(realFetch, { fingerprint, device })
    await online.start(await createKey({ level: 2 }))
    const file = await online.licenseFile()
    const offlineClient = (options: Json = {}) =>
      clientOf(() => Promise.reject(new Error('offline')), { fingerprint, device, ...options })
    const { latestSeen } = online

    expect(await offlineClient().checkLicenseFile(file, latestSeen)).toMatchObject({ level: 2 })
    const otherClients = [
      offlineClient({ fingerprint: newMachine().fingerprint }),
      offlineClient({ device: await deviceSigner(await newDeviceKey()) }),
      offlineClient({ device: undefined }),
      offlineClient({ appId: 'app_0000000000000000000000' }),
    ]
    for (const otherClient of otherClients) {
      await expect(otherClient.checkLicenseFile(file, latestSeen)).rejects.toThrow(UntrustedError)
    }
    const later = latestSeen + 86_400
    await expect(offlineClient().checkLicenseFile(file, later)).rejects.toThrow(
      'clock of this machine was set back',
    )
    const afterEnd = fromNow_ms(31 * 86_400_000)
    await expect(offlineClient().checkLicenseFile(file, latestSeen, afterEnd)).rejects.toThrow(
      'has expired',
    )
  })

  test('trusts a new signing key if a pinned key signed the key set', async () => {
    const client = clientOf()
    await expectSuccess(seller.post(`/apps/${app.id}/signing-keys`, {}))
    tradepost.forward(1_000)
    expect((await client.start(await createKey())).valid).toBe(true)
  })

  test('ends its lease after a signed refusal', async () => {
    const client = clientOf()
    const key = await createKey()
    await client.start(key)
    const [licenseKey] = (await expectSuccess(seller.get(`/keys?key=${key}`))).keys
    await expectSuccess(seller.post(`/keys/${licenseKey.id}/ban`, { reason: 'Test' }))
    expect(client.mayRun()).toBe(true)
    await expect(client.heartbeat()).rejects.toThrow(RefusedError)
    expect(client.mayRun()).toBe(false)
  })

  test('treats the answer to a call of an ended session as a signed refusal', async () => {
    const client = clientOf()
    const key = await createKey()
    await client.start(key)
    const [licenseKey] = (await expectSuccess(seller.get(`/keys?key=${key}`))).keys
    await expectSuccess(seller.delete(`/keys/${licenseKey.id}/sessions`))
    await expect(client.settings()).rejects.toThrow(RefusedError)
    expect(client.mayRun()).toBe(false)
  })

  test('keeps its lease during an outage', async () => {
    let isOffline = false
    const client = clientOf((...args) =>
      isOffline ? Promise.reject(new Error('offline')) : realFetch(...args),
    )
    await client.start(await createKey())
    isOffline = true
    await expect(client.heartbeat()).rejects.toThrow(UnknownError)
    expect(client.mayRun()).toBe(true)
    expect(client.mayRun(fromNow_ms(901_000))).toBe(false)
    // Setting the clock of the machine back does not extend the lease.
    expect(client.mayRun(fromNow_ms(-3_600_000), performance.now() + 901_000)).toBe(false)
    const unstartedClient = clientOf(() => Promise.reject(new Error('offline')))
    await expect(unstartedClient.start('x')).rejects.toThrow(UnknownError)
    expect(unstartedClient.mayRun()).toBe(false)
  })
})

// The fake servers have everything except the private key of the app.
describe('the client refuses a fake server', () => {
  const validBody = JSON.stringify({ success: true, valid: true, code: 'VALID', message: '' })
  const answer = (body: string, signature?: string, status = 200) =>
    new Response(body, {
      status,
      headers: {
        'content-type': 'application/json',
        ...(signature && { 'service-response-signature': signature }),
      },
    })

  async function forgeSignature(init: RequestInit, path: string, kid: string): Promise<string> {
    const { privateKey } = generateKeyPairSync('ed25519')
    const headers = init.headers as Record<string, string>
    const t = String(now_s())
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
        body: Buffer.from(validBody),
      },
      t,
    )
    return `t=${t},kid=${kid},v1=${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
  }
  const pathOf = (input: unknown) => new URL(String(input)).pathname.replace('/security/v1', '')

  const forgeries: [string, () => Promise<Fetch>][] = [
    ['that does not sign', async () => async () => answer(validBody)],
    [
      'that signs with its own key under the kid of the real key',
      async () =>
        async (input, init = {}) =>
          answer(validBody, await forgeSignature(init, pathOf(input), keys[0]?.kid ?? '')),
    ],
    [
      'that signs with its own key and has its own key set',
      async () =>
        async (input, init = {}) => {
          if (!String(input).endsWith('/key-set')) {
            return answer(validBody, await forgeSignature(init, pathOf(input), 'its-own-key'))
          }
          const set = {
            keys: [{ ...keys[0], kid: 'its-own-key' }],
            signature: { kid: 'its-own-key', v1: 'A'.repeat(86) },
          }
          return answer(JSON.stringify({ success: true, ...set }))
        },
    ],
    [
      'that replays a recorded answer',
      async () => {
        const recorded: Response[] = []
        const record: Fetch = async (...args) => {
          const response = await realFetch(...args)
          recorded.push(response.clone())
          return response
        }
        await clientOf(record).start(await createKey())
        return async () => recorded[0]?.clone() ?? answer(validBody)
      },
    ],
    [
      'that turns a real denial into a confirmation',
      async () =>
        async (...args) => {
          const response = await realFetch(...args)
          const signature = response.headers.get('service-response-signature') ?? undefined
          return answer((await response.text()).replace('"valid":false', '"valid":true'), signature)
        },
    ],
    [
      'that changes the status of a real answer',
      async () =>
        async (...args) => {
          const response = await realFetch(...args)
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

  test('that answers a request for a whole file with a signed range of the file', async () => {
    const name = newName('file')
    await expectSuccess(
      seller.call('POST', `/serverside-files?name=${name}&app_id=${app.id}`, {
        raw: 'real bytes',
        headers: { 'content-type': 'application/octet-stream' },
      }),
    )
    const fetchRange: Fetch = async (input, init = {}) => {
      if (!String(input).includes('/content')) return realFetch(input, init)
      return realFetch(input, { ...init, headers: { ...init.headers, range: 'bytes=0-3' } })
    }
    const client = clientOf(fetchRange)
    await client.start(await createKey())
    await expect(client.file(name)).rejects.toThrow(UntrustedError)
  })
})

describe('the test vectors for clients in any language', () => {
  const trusted = () => [vectors.trusted_key] as TrustedKey[]

  test('contain an answer', async () => {
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

  test('contain a refusal of an unread body, which is an UnknownError (decision 117)', async () => {
    const { body, request_body, signed_text, ...answer } = vectors.unread_response
    const requestBody = Buffer.from(request_body)
    const received = { ...answer, appId: vectors.app, body: Buffer.from(body), requestBody }
    expect(await responseText(received, '1800000000', 'unread')).toBe(signed_text)
    await expect(verifyResponse(trusted(), received)).rejects.toThrow(UnknownError)
    const withoutBody = { ...received, requestBody: Buffer.alloc(0) }
    await expect(verifyResponse(trusted(), withoutBody)).rejects.toThrow(UntrustedError)
  })

  test('contain a proof, which the server also accepts', async () => {
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

  test('contain a key set', async () => {
    const set = await verifyKeySet(trusted(), vectors.app, vectors.key_set.body)
    expect(set).toHaveLength(2)
    const changed = vectors.key_set.body.replace('"not_after":null', '"not_after":"x"')
    await expect(verifyKeySet(trusted(), vectors.app, changed)).rejects.toThrow(UntrustedError)
  })

  test('contain a license file, which is valid for its device, its app and its time only', async () => {
    const { file, fingerprint, valid_at } = vectors.license_file
    const now_ms = Date.parse(valid_at)
    const check = { appId: vectors.app, fingerprint, now_ms, latest_seen_ms: 0 }
    const DAY = 86_400_000
    expect((await verifyLicenseFile(trusted(), file, check)).level).toBe(2)
    const otherChecks = [
      { ...check, fingerprint: 'another-machine-of-somebody' },
      { ...check, appId: 'app_0000000000000000000002' },
      { ...check, now_ms: now_ms + 7 * DAY },
      { ...check, now_ms: now_ms - 2 * DAY },
      { ...check, latest_seen_ms: now_ms + DAY },
    ]
    for (const item of otherChecks) {
      await expect(verifyLicenseFile(trusted(), file, item)).rejects.toThrow(UntrustedError)
    }
    const forged = `${file.slice(0, -4)}AAAA`
    await expect(verifyLicenseFile(trusted(), forged, check)).rejects.toThrow(UntrustedError)
  })
})
