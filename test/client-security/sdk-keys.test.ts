import { generateKeyPairSync, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
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

const URL_OF = 'https://shop.example.com/security/v1'
const APP = 'app_0000000000000000000009'
const START_S = 1_800_000_000

type Fetch = typeof globalThis.fetch

const iso = (s: number) => new Date(s * 1000).toISOString()

/** A signing key of an app, with its private key. */
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

/** A key set in the server's format. */
function setOf(signer: Key, keys: TrustedKey[]): string {
  const listed = JSON.stringify(keys)
  const v1 = signer.sign(`key-set/v1\n${APP}\n${listed}`)
  return `{"success":true,"keys":${listed},"signature":{"kid":"${signer.trusted().kid}","v1":"${v1}"}}`
}

const session = { token: 'token', lease_expires_at: iso(START_S + 600) }
const times = { server_time: iso(START_S), store_time: iso(START_S) }
const VALID = { success: true, valid: true, code: 'VALID', session, ...times }

const yes = Buffer.from(JSON.stringify(VALID))

/** A fake server of the app with a settable time, signing key and key set. */
function serverOf(
  at: { key: Key; t: number; set: string },
  bodyOf = (_path: string): Buffer => yes,
): Fetch {
  return async (input, init = {}) => {
    const path = String(input).slice(URL_OF.length)
    if (path.endsWith('/key-set')) return new Response(at.set)
    const body = bodyOf(path)
    const asked = { appId: APP, method: init.method ?? 'GET', path, status: 200, signature: null }
    const headersSent = init.headers as Record<string, string>
    const sent = {
      nonce: headersSent['client-nonce'] ?? '-',
      requestBody: Buffer.from(String(init.body ?? '')),
      token: headersSent.authorization?.replace('Bearer ', ''),
    }
    const v1 = at.key.sign(await responseText({ ...asked, ...sent, body }, String(at.t)))
    const signature = `t=${at.t},kid=${at.key.trusted().kid},v1=${v1}`
    const headers = {
      'content-type': 'application/json',
      'service-response-signature': signature,
    }
    return new Response(new Uint8Array(body), { headers })
  }
}

const clientOf = (fetch: Fetch, keys: TrustedKey[], timeout_ms?: number) =>
  new ClientSecurity({
    url: URL_OF,
    appId: APP,
    keys,
    fingerprint: 'machine-of-keys-01',
    fetch,
    timeout_ms,
  })

describe('a key that has retired', () => {
  const [first, second, third] = [newKey('first'), newKey('second'), newKey('third')]

  test('is not believed after its end, also where it says that it is earlier', async () => {
    const end_s = START_S + 100
    const at = { key: second, t: START_S, set: '' }
    at.set = setOf(first, [first.trusted(iso(end_s)), second.trusted()])
    const client = clientOf(serverOf(at), [first.trusted()])
    expect((await client.validate('KEY')).valid).toBe(true)
    at.key = first
    at.t = end_s - 1
    expect((await client.validate('KEY')).valid).toBe(true)
    at.t = end_s
    await expect(client.validate('KEY')).rejects.toThrow(UntrustedError)
    at.key = second
    at.t = end_s + 1
    expect((await client.validate('KEY')).valid).toBe(true)
    at.key = first
    at.t = START_S
    await expect(client.validate('KEY')).rejects.toThrow(UntrustedError)
  })

  test('is forgotten with the first key set that has it no more', async () => {
    const at = { key: second, t: START_S, set: '' }
    at.set = setOf(first, [first.trusted(), second.trusted()])
    const client = clientOf(serverOf(at), [first.trusted()])
    await client.validate('KEY')
    at.key = third
    at.set = setOf(second, [second.trusted(), third.trusted()])
    expect((await client.validate('KEY')).valid).toBe(true)
    at.key = first
    await expect(client.validate('KEY')).rejects.toThrow(UntrustedError)
    at.key = second
    expect((await client.validate('KEY')).valid).toBe(true)
  })

  test('signs no key set, and an old one gives it no longer life', async () => {
    const end = iso(START_S)
    const known = [first.trusted(end), second.trusted()]
    const old = setOf(first, [first.trusted(), second.trusted()])
    await expect(verifyKeySet(known, APP, old, START_S)).rejects.toThrow(UntrustedError)
    const [again] = await verifyKeySet(known, APP, old, START_S - 1)
    expect(again).toMatchObject({ kid: 'first', not_after: end })
  })

  test('signs no offline license', async () => {
    const { app: appId, ...vectors } = JSON.parse(
      await readFile('sdk/client-security/vectors.json', 'utf8'),
    )
    const { file, fingerprint, valid_at } = vectors.license_file
    const now_ms = Date.parse(valid_at)
    const check = { appId, fingerprint, now_ms, latest_seen_ms: 0 }
    const until = (ms: number) => [
      { ...vectors.trusted_key, not_after: new Date(ms).toISOString() },
    ]
    expect((await verifyLicenseFile(until(now_ms + 1), file, check)).level).toBe(2)
    await expect(verifyLicenseFile(until(now_ms), file, check)).rejects.toThrow(UntrustedError)
  })
})

describe('a large file', () => {
  const key = newKey('only')
  const TIMEOUT_MS = 1_000
  const PARTS = 8

  /** The server, which sends its file byte by byte with a pause before each. */
  async function slowly(wait_ms: number): Promise<Fetch> {
    const bytes = Buffer.alloc(PARTS, 7)
    const file = { sha256: await sha256Hex(bytes) }
    const manifest = Buffer.from(JSON.stringify({ file, grant: 'grant' }))
    const fetch = serverOf({ key, t: START_S, set: '' }, (path) => {
      if (path.includes('/content')) return bytes
      return path.includes('/files/') ? manifest : yes
    })
    return async (input, init) => {
      const response = await fetch(input, init)
      if (!String(input).includes('/content')) return response
      let sent = 0
      const body = new ReadableStream({
        start(controller) {
          init?.signal?.addEventListener('abort', () => controller.error(new Error('aborted')))
        },
        async pull(controller) {
          if (sent === PARTS) return controller.close()
          await pause(wait_ms)
          controller.enqueue(bytes.subarray(sent, ++sent))
        },
      })
      return new Response(body, { headers: { ...plain(response), 'content-type': 'image/png' } })
    }
  }

  const plain = ({ headers }: Response) => Object.fromEntries(headers)

  test('arrives however long it takes as a whole, as long as something comes', async () => {
    const client = clientOf(await slowly(TIMEOUT_MS / 4), [key.trusted()], TIMEOUT_MS)
    await client.start('KEY')
    expect(await client.file('big')).toEqual(new Uint8Array(PARTS).fill(7))
  })

  test('of which nothing comes any more is neither yes nor no', async () => {
    const client = clientOf(await slowly(5_000), [key.trusted()], 500)
    await client.start('KEY')
    await expect(client.file('big')).rejects.toThrow(UnknownError)
  })

  test('whose answer does not even begin is neither yes nor no', async () => {
    const never: Fetch = (_input, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
      })
    await expect(clientOf(never, [key.trusted()], 50).validate('KEY')).rejects.toThrow(UnknownError)
  })
})
