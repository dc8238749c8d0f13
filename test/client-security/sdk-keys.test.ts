import { generateKeyPairSync, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { sha256Hex } from '../../sdk/client-security/encoding.ts'
import {
  ClientSecurity,
  type TrustedKey,
  UnknownError,
  UntrustedError,
  verifyKeySet,
  verifyLicenseFile,
} from '../../sdk/client-security/index.ts'
import { responseText } from '../../sdk/client-security/verify.ts'
import { elapse } from '../until.ts'

const API_URL = 'https://shop.example.com/security/v1'
const APP = 'app_0000000000000000000009'
const START_S = 1_800_000_000

type Fetch = typeof globalThis.fetch

const iso = (s: number) => new Date(s * 1000).toISOString()

/** Creates a signing key of an app. */
function newKey(kid: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  return {
    sign: (text: string) => sign(null, Buffer.from(text), privateKey).toString('base64url'),
    trusted: (not_after: string | null = null): TrustedKey => ({
      kid,
      public_key: raw.toString('base64url'),
      not_after,
    }),
  }
}
type Key = ReturnType<typeof newKey>

/** Returns a key set in the format of the server. */
function signKeySet(signer: Key, keys: TrustedKey[]): string {
  const keysText = JSON.stringify(keys)
  const v1 = signer.sign(`key-set/v1\n${APP}\n${keysText}`)
  return `{"success":true,"keys":${keysText},"signature":{"kid":"${signer.trusted().kid}","v1":"${v1}"}}`
}

const session = { token: 'token', lease_expires_at: iso(START_S + 600) }
const times = { server_time: iso(START_S), store_time: iso(START_S) }
const VALID = { success: true, valid: true, code: 'VALID', session, ...times }

const validBody = Buffer.from(JSON.stringify(VALID))

/** Returns a `fetch` of a fake server. A test changes its time, signing key and key set in `state`. */
function fakeServer(
  state: { key: Key; t: number; set: string },
  bodyOf = (_path: string): Buffer => validBody,
): Fetch {
  return async (input, init = {}) => {
    const path = String(input).slice(API_URL.length)
    if (path.endsWith('/key-set')) return new Response(state.set)
    const body = bodyOf(path)
    const request = { appId: APP, method: init.method ?? 'GET', path, status: 200, signature: null }
    const requestHeaders = init.headers as Record<string, string>
    const secrets = {
      nonce: requestHeaders['client-nonce'] ?? '-',
      requestBody: Buffer.from(String(init.body ?? '')),
      token: requestHeaders.authorization?.replace('Bearer ', ''),
    }
    const v1 = state.key.sign(await responseText({ ...request, ...secrets, body }, String(state.t)))
    const signature = `t=${state.t},kid=${state.key.trusted().kid},v1=${v1}`
    const headers = {
      'content-type': 'application/json',
      'service-response-signature': signature,
    }
    return new Response(new Uint8Array(body), { headers })
  }
}

const clientOf = (fetch: Fetch, keys: TrustedKey[], timeout_ms?: number) =>
  new ClientSecurity({
    url: API_URL,
    appId: APP,
    keys,
    fingerprint: 'machine-of-keys-01',
    fetch,
    timeout_ms,
  })

describe('a retired signing key', () => {
  const [first, second, third] = [newKey('first'), newKey('second'), newKey('third')]

  test('is refused after its end, even for an answer with an earlier time', async () => {
    const end_s = START_S + 100
    const state = { key: second, t: START_S, set: '' }
    state.set = signKeySet(first, [first.trusted(iso(end_s)), second.trusted()])
    const client = clientOf(fakeServer(state), [first.trusted()])
    expect((await client.validate('KEY')).valid).toBe(true)
    state.key = first
    state.t = end_s - 1
    expect((await client.validate('KEY')).valid).toBe(true)
    state.t = end_s
    await expect(client.validate('KEY')).rejects.toThrow(UntrustedError)
    state.key = second
    state.t = end_s + 1
    expect((await client.validate('KEY')).valid).toBe(true)
    state.key = first
    state.t = START_S
    await expect(client.validate('KEY')).rejects.toThrow(UntrustedError)
  })

  test('is not trusted after the first key set that omits it', async () => {
    const state = { key: second, t: START_S, set: '' }
    state.set = signKeySet(first, [first.trusted(), second.trusted()])
    const client = clientOf(fakeServer(state), [first.trusted()])
    await client.validate('KEY')
    state.key = third
    state.set = signKeySet(second, [second.trusted(), third.trusted()])
    expect((await client.validate('KEY')).valid).toBe(true)
    state.key = first
    await expect(client.validate('KEY')).rejects.toThrow(UntrustedError)
    state.key = second
    expect((await client.validate('KEY')).valid).toBe(true)
  })

  test('is not accepted as the signer of a key set, and an old key set does not extend its validity', async () => {
    const end = iso(START_S)
    const trustedKeys = [first.trusted(end), second.trusted()]
    const oldKeySet = signKeySet(first, [first.trusted(), second.trusted()])
    await expect(verifyKeySet(trustedKeys, APP, oldKeySet, START_S)).rejects.toThrow(UntrustedError)
    const [firstKey] = await verifyKeySet(trustedKeys, APP, oldKeySet, START_S - 1)
    expect(firstKey).toMatchObject({ kid: 'first', not_after: end })
  })

  test('is not accepted as the signer of a license file', async () => {
    const { app: appId, ...vectors } = JSON.parse(
      await readFile('sdk/client-security/vectors.json', 'utf8'),
    )
    const { file, fingerprint, valid_at } = vectors.license_file
    const now_ms = Date.parse(valid_at)
    const check = { appId, fingerprint, now_ms, latest_seen_ms: 0 }
    const trustedUntil = (ms: number) => [
      { ...vectors.trusted_key, not_after: new Date(ms).toISOString() },
    ]
    expect((await verifyLicenseFile(trustedUntil(now_ms + 1), file, check)).level).toBe(2)
    await expect(verifyLicenseFile(trustedUntil(now_ms), file, check)).rejects.toThrow(
      UntrustedError,
    )
  })
})

describe('a large file', () => {
  const key = newKey('only')
  const TIMEOUT_MS = 4_000
  /** All parts together take longer than the timeout, and one part takes much less. */
  const PART_MS = 600
  const PARTS = 8

  /** Returns a `fetch` of a server that sends its file byte by byte with pauses. */
  async function slowServer(wait_ms: number): Promise<Fetch> {
    const bytes = Buffer.alloc(PARTS, 7)
    const file = { sha256: await sha256Hex(bytes) }
    const manifest = Buffer.from(JSON.stringify({ file, grant: 'grant' }))
    const fetch = fakeServer({ key, t: START_S, set: '' }, (path) => {
      if (path.includes('/content')) return bytes
      return path.includes('/files/') ? manifest : validBody
    })
    return async (input, init) => {
      const response = await fetch(input, init)
      if (!String(input).includes('/content')) return response
      let sentCount = 0
      const body = new ReadableStream({
        start(controller) {
          init?.signal?.addEventListener('abort', () => controller.error(new Error('aborted')))
        },
        async pull(controller) {
          if (sentCount === PARTS) return controller.close()
          await elapse(wait_ms)
          controller.enqueue(bytes.subarray(sentCount, ++sentCount))
        },
      })
      return new Response(body, {
        headers: { ...headersOf(response), 'content-type': 'image/png' },
      })
    }
  }

  const headersOf = ({ headers }: Response) => Object.fromEntries(headers)

  test('may take longer than the timeout while its bytes arrive', async () => {
    const client = clientOf(await slowServer(PART_MS), [key.trusted()], TIMEOUT_MS)
    await client.start('KEY')
    expect(await client.file('big')).toEqual(new Uint8Array(PARTS).fill(7))
  })

  test('is refused with an UnknownError if its bytes stop for longer than the timeout', async () => {
    const client = clientOf(await slowServer(5_000), [key.trusted()], 500)
    await client.start('KEY')
    await expect(client.file('big')).rejects.toThrow(UnknownError)
  })

  test('is refused with an UnknownError if the answer does not begin within the timeout', async () => {
    const never: Fetch = (_input, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
      })
    await expect(clientOf(never, [key.trusted()], 50).validate('KEY')).rejects.toThrow(UnknownError)
  })
})
