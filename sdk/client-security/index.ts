import type { DeviceSigner } from './device.ts'
import { bytesOf, sha256Hex, toBase64Url } from './encoding.ts'
import { receive, repeating } from './send.ts'
import {
  type LicenseFile,
  requestText,
  type TrustedKey,
  UntrustedError,
  verifyKeySet,
  verifyLicenseFile,
  verifyResponse,
} from './verify.ts'

export { type DeviceKey, type DeviceSigner, deviceSigner, newDeviceKey } from './device.ts'

export {
  type LicenseFile,
  type OfflineCheck,
  type TrustedKey,
  UnknownError,
  UntrustedError,
  verifyKeySet,
  verifyLicenseFile,
  verifyResponse,
} from './verify.ts'

export interface ClientOptions {
  /** The address of the API, such as `https://shop.example.com/security/v1`. */
  url: string
  /** The app's public id. */
  appId: string
  /** The keys that the program was built with. */
  keys: readonly TrustedKey[]
  /** What tells this machine from others: 16 to 256 characters of ASCII, the same at every start. */
  fingerprint: string
  /** The same at every start too: this machine with another key is refused. */
  device?: DeviceSigner
  /** How long an answer may take to begin, and then to go on: a large file may take longer as a whole. */
  timeout_ms?: number
  fetch?: typeof globalThis.fetch
}

/** What a start may tell beside the license key. */
export interface StartFields {
  /** Of the program, such as `1.4.2`: the app may refuse old ones. */
  app_version?: string
  /** SHA-256 of the program in lower-case hex, where the app asks for it. */
  app_checksum?: string
  /** What its holder knows the machine by, and parts of it for apps that match by them. */
  device?: { name?: string; platform?: string; components?: Record<string, string> }
}

/** What the server said of a license. It was signed, so it may be believed. */
export interface LicenseAnswer {
  valid: boolean
  code: string
  message: string
  session?: {
    token?: string
    expires_at: string
    heartbeat_seconds: number
    lease_expires_at: string
  }
  license?: { level: number; entitlements: string[]; expires_at: string | null }
  /** The machine's time. */
  server_time: string
  /** The time of the store's clock, which licenses and leases follow. */
  store_time: string
  config_version: number
}

const NO_LEASE = { wall_ms: 0, run_ms: 0 }

/** The server refused, and signed it. */
export class RefusedError extends Error {
  override name = 'RefusedError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

interface Sent {
  body?: unknown
  token?: string
  /** Whether a repeat would do harm where the first attempt took effect. */
  once?: boolean
}

interface Trusted {
  status: number
  body: Uint8Array
  json: Record<string, unknown>
}

const NONCE_BYTES = 32
const TIMEOUT_MS = 10_000
const SKEW_S = 300

/**
 * A program at the Client Security API. It fails closed: what is not signed by a trusted key for exactly
 * this call is an error, never a yes. It keeps no secret, writes nothing, and logs nothing.
 */
export class ClientSecurity {
  readonly #options: ClientOptions
  #keys: readonly TrustedKey[]
  #token: string | undefined
  #offset_s = 0
  #latest_s = 0
  #storeAhead_ms = 0
  #leaseUntil = NO_LEASE
  #denied = false

  constructor(options: ClientOptions) {
    this.#options = { ...options, url: options.url.replace(/\/+$/, '') }
    this.#keys = [...options.keys]
  }

  /** The latest server time that was signed, Unix seconds. Keep it for checks of offline licenses. */
  get latestSeen(): number {
    return this.#latest_s
  }

  /**
   * Whether the program may go on now without asking: after a signed yes, until the lease that came with
   * it is over, and not after a signed no. Two clocks tell: a wall clock can be put back, and the one
   * that counts the program's running may stand still while the machine sleeps.
   */
  mayRun(wall_ms = Date.now(), run_ms = performance.now()): boolean {
    const until = this.#leaseUntil
    return !this.#denied && wall_ms < until.wall_ms && run_ms < until.run_ms
  }

  /** R2: starts a session. */
  async start(license_key: string, fields: StartFields = {}): Promise<LicenseAnswer> {
    const { fingerprint, device } = this.#options
    const key = device && { public_key: device.public_key }
    const body = { license_key, ...fields, device: { ...fields.device, fingerprint, ...key } }
    const answer = await this.#license('/sessions', { body, once: true })
    this.#token = answer.session?.token
    return answer
  }

  /** R3: tells that the program runs. */
  heartbeat(): Promise<LicenseAnswer> {
    return this.#license('/sessions/heartbeat', { token: this.#session() })
  }

  /** R5: asks what a license is worth, without a session. */
  async validate(license_key: string): Promise<LicenseAnswer> {
    const { json } = await this.#ask('POST', '/validate', { body: { license_key } })
    return json as unknown as LicenseAnswer
  }

  /** R4: frees the seat. */
  async end(): Promise<void> {
    const token = this.#session()
    this.#token = undefined
    this.#leaseUntil = NO_LEASE
    await this.#ask('DELETE', '/sessions/current', { token, once: true })
  }

  /** R7: one server-side string. */
  async string(name: string): Promise<string> {
    const path = `/strings/${encodeURIComponent(name)}`
    const { json } = await this.#ask('GET', path, { token: this.#session() })
    return (json.string as { value: string }).value
  }

  /** R9: all settings that the license reaches. */
  async settings(): Promise<Record<string, unknown>> {
    const { json } = await this.#ask('GET', '/settings', {
      ...(this.#token && { token: this.#token }),
    })
    return json.settings as Record<string, unknown>
  }

  /** R8: the bytes of a file, checked against its manifest before anything sees them. */
  async file(name: string): Promise<Uint8Array> {
    const path = `/files/${encodeURIComponent(name)}`
    const { json } = await this.#ask('GET', path, { token: this.#session() })
    const { sha256 } = json.file as { sha256: string }
    const grant = encodeURIComponent(String(json.grant))
    const { body } = await this.#ask('GET', `${path}/content?grant=${grant}`, {})
    if ((await sha256Hex(body)) === sha256) return body
    throw new UntrustedError('The file is not the one of the manifest.')
  }

  /** R10: tells of an attempt to cheat. */
  async report(kind: string, detail = ''): Promise<void> {
    const token = this.#session()
    await this.#ask('POST', '/reports', { token, body: { kind, detail }, once: true })
  }

  /** R11: an offline license for this device. */
  async licenseFile(ttl_seconds?: number): Promise<string> {
    const body = { fingerprint: this.#options.fingerprint, ...(ttl_seconds && { ttl_seconds }) }
    const token = this.#session()
    const { json } = await this.#ask('POST', '/license-files', { token, body })
    return String(json.license_file)
  }

  /**
   * What an offline license says, if it holds for this machine now; asks nobody. `latest_seen` is the
   * `latestSeen` that the program kept from before.
   *
   * @throws {UntrustedError} Where it does not hold.
   */
  async checkLicenseFile(file: string, latest_seen = 0, now_ms = Date.now()): Promise<LicenseFile> {
    const { appId, fingerprint, device } = this.#options
    const latest_seen_ms = Math.max(this.#latest_s, latest_seen) * 1000
    const times = { now_ms, latest_seen_ms, store_ahead_ms: this.#storeAhead_ms }
    const check = { appId, fingerprint, ...times, ...(device && { device }) }
    return verifyLicenseFile(this.#keys, file, check)
  }

  #session(): string {
    if (this.#token === undefined) throw new RefusedError(401, 'There is no session.')
    return this.#token
  }

  /** A signed answer moves the lease; a signed no ends it, whatever came before. */
  async #license(path: string, sent: Sent): Promise<LicenseAnswer> {
    const { json } = await this.#ask('POST', path, sent)
    const answer = json as unknown as LicenseAnswer
    this.#denied = !answer.valid
    const store_ms = Date.parse(answer.store_time)
    this.#storeAhead_ms = store_ms - Date.parse(answer.server_time)
    const left_ms = Date.parse(answer.session?.lease_expires_at ?? '') - store_ms
    // By our own clocks: how long, not until when, so that a wrong clock does not matter.
    this.#leaseUntil =
      answer.valid && left_ms > 0
        ? { wall_ms: Date.now() + left_ms, run_ms: performance.now() + left_ms }
        : NO_LEASE
    return answer
  }

  async #ask(method: string, path: string, sent: Sent): Promise<Trusted> {
    const before = this.#offset_s
    const attempt = () => repeating(() => this.#attempt(method, path, sent), sent)
    const trusted = await attempt()
    // A wrong clock of ours is corrected once, by the time that the server signed.
    const moved = sent.token && trusted.status === 401 && Math.abs(this.#offset_s - before) > SKEW_S
    const { status, json, body } = moved ? await attempt() : trusted
    if (status < 300) return { status, json, body }
    // Whatever was asked: a session that has ended is a signed no.
    const asSession = sent.token !== undefined || path === '/sessions'
    if (asSession && [401, 403].includes(status)) this.#denied = true
    throw new RefusedError(status, String(json.error ?? 'The server refused.'))
  }

  async #attempt(method: string, tail: string, sent: Sent): Promise<Trusted> {
    const { url, appId, timeout_ms = TIMEOUT_MS, fetch = globalThis.fetch } = this.#options
    const path = `/client/${appId}${tail}`
    const nonce = toBase64Url(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)))
    const payload = sent.body === undefined ? undefined : JSON.stringify(sent.body)
    const headers = {
      'client-nonce': nonce,
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...(sent.token && { authorization: `Bearer ${sent.token}` }),
      ...(sent.token && (await this.#proof({ method, path, nonce, payload, token: sent.token }))),
    }
    // An answer from elsewhere is nobody's: redirects are refused.
    const request = {
      method,
      headers,
      redirect: 'error',
      ...(payload !== undefined && { body: payload }),
    } as const
    const { response, body } = await receive(fetch, `${url}${path}`, { request, timeout_ms })
    const { status } = response
    const answer = {
      ...{ appId, method, path, nonce, status, body, token: sent.token },
      requestBody: bytesOf(payload ?? ''),
      signature: response.headers.get('service-response-signature'),
    }
    const { t } = await this.#verify(answer)
    this.#latest_s = Math.max(this.#latest_s, t)
    this.#offset_s = t - Math.floor(Date.now() / 1000)
    return { status, body, json: asJson(response, body) }
  }

  /** An unknown key may be a new one: the key set says so, if a trusted key signed it. */
  async #verify(answer: Parameters<typeof verifyResponse>[1]): Promise<{ t: number }> {
    const kid = /kid=([\w-]+)/.exec(answer.signature ?? '')?.[1]
    const known = kid === undefined || this.#keys.some((key) => key.kid === kid)
    if (!known) this.#keys = await this.#learn()
    return verifyResponse(this.#keys, answer, this.#latest_s)
  }

  async #learn(): Promise<TrustedKey[]> {
    const { url, appId, fetch = globalThis.fetch, timeout_ms = TIMEOUT_MS } = this.#options
    const how = { request: { redirect: 'error' }, timeout_ms } as const
    const { body } = await receive(fetch, `${url}/client/${appId}/key-set`, how)
    try {
      const text = new TextDecoder().decode(body)
      return await verifyKeySet(this.#keys, appId, text, this.#latest_s)
    } catch (error) {
      if (error instanceof UntrustedError) throw error
      throw new UntrustedError('The key set cannot be read.')
    }
  }

  async #proof(call: {
    method: string
    path: string
    nonce: string
    payload: string | undefined
    token: string
  }): Promise<Record<string, string>> {
    const { appId, device } = this.#options
    if (!device) return {}
    const t = Math.floor(Date.now() / 1000) + this.#offset_s
    const { payload, ...rest } = call
    const text = await requestText({ ...rest, appId, t, body: bytesOf(payload ?? '') })
    return { 'client-proof': `t=${t},v1=${toBase64Url(await device.sign(bytesOf(text)))}` }
  }
}

function asJson(response: Response, body: Uint8Array): Record<string, unknown> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return isJson ? (JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>) : {}
}
