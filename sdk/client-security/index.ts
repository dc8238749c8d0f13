import type { DeviceSigner } from './device.ts'
import { bytesOf, sha256Hex, toBase64Url } from './encoding.ts'
import type { LicenseAnswer, LicenseDevice, StartFields, ValidateFields } from './license.ts'
import { sendAndRead, withRepeats } from './send.ts'
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

export type { LicenseAnswer, LicenseDevice, StartFields, ValidateFields } from './license.ts'

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
  /** The public keys that are built into the program. */
  keys: readonly TrustedKey[]
  /** Identifies this machine: 16 to 256 ASCII characters, the same at every start. */
  fingerprint: string
  /** The device key. It must be the same at every start, because the server refuses a different key. */
  device?: DeviceSigner | undefined
  /** The maximum time without received bytes, in milliseconds. A large file may take longer in total. */
  timeout_ms?: number | undefined
  fetch?: typeof globalThis.fetch | undefined
}

const NO_LEASE = { wall_ms: 0, run_ms: 0 }

/** The server refused the call with a signed answer. */
export class RefusedError extends Error {
  override name = 'RefusedError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

interface CallInput {
  body?: unknown
  token?: string
  /** True if a repeat is unsafe after a first attempt that may have succeeded. */
  once?: boolean
}

interface TrustedAnswer {
  status: number
  body: Uint8Array
  json: Record<string, unknown>
}

const NONCE_BYTES = 32
const TIMEOUT_MS = 10_000
/** The difference from the server's clock that the server accepts in a proof. */
const CLOCK_SKEW_MAX_S = 300

/**
 * The client of the Client Security API for one program. It fails closed: an answer that is not signed by a
 * trusted key for exactly this call is an error. The client stores no secret, writes no files and logs nothing.
 */
export class ClientSecurity {
  readonly #options: ClientOptions
  #keys: readonly TrustedKey[]
  #token: string | undefined
  /** The seconds by which the server's clock is ahead of the local clock. */
  #offset_s = 0
  /** The latest signed server time, in Unix seconds. */
  #latest_s = 0
  /** The time by which the store's clock is ahead of the server's clock. */
  #storeAhead_ms = 0
  #leaseUntil = NO_LEASE
  #deviceDetails: ValidateFields['device']
  /** The id of the device of the session. */
  #deviceId: number | undefined

  constructor(options: ClientOptions) {
    this.#options = { ...options, url: options.url.replace(/\/+$/, '') }
    this.#keys = [...options.keys]
  }

  /** The latest signed server time, in Unix seconds. Store it for later checks of offline licenses. */
  get latestSeen(): number {
    return this.#latest_s
  }

  /**
   * Returns true during the lease of the last signed `VALID` answer of the session. A signed refusal ends the lease,
   * also that of a validation (decision 184). Both clocks are compared, because the wall clock can be set back and the
   * monotonic clock may stop during sleep.
   */
  mayRun(wall_ms: number = Date.now(), run_ms: number = performance.now()): boolean {
    const until = this.#leaseUntil
    return wall_ms < until.wall_ms && run_ms < until.run_ms
  }

  /** Starts a session. */
  async start(license_key: string, fields: StartFields = {}): Promise<LicenseAnswer> {
    const body = { license_key, ...fields, device: this.#describeDevice(fields) }
    const answer = await this.#callLicense('/sessions', { body, once: true })
    this.#renewLease(answer)
    this.#token = answer.session?.token
    this.#deviceId = answer.device?.id
    return answer
  }

  /** Extends the lease of the session. */
  async heartbeat(): Promise<LicenseAnswer> {
    const token = this.#sessionToken()
    const answer = await this.#callLicense('/sessions/heartbeat', { token })
    this.#renewLease(answer)
    return answer
  }

  /**
   * Validates a license for this machine. It starts no session, activates no device and renews no lease. Before the
   * first start on this machine the code is `NOT_ACTIVATED`. An answer other than `VALID` ends the lease.
   */
  validate(license_key: string, fields: ValidateFields = {}): Promise<LicenseAnswer> {
    const body = { license_key, device: this.#describeDevice(fields) }
    return this.#callLicense('/validate', { body })
  }

  /** Ends the session. */
  async end(): Promise<void> {
    const token = this.#sessionToken()
    this.#forgetSession()
    await this.#call('DELETE', '/sessions/current', { token, once: true })
  }

  /**
   * Removes this machine from the license, so that another one can use it, and ends the session. Throws a
   * RefusedError with the status 409, and keeps the session, if the license allows no further change of devices now.
   */
  async deactivate(): Promise<void> {
    await this.#call('POST', '/deactivate', { token: this.#sessionToken(), once: true })
    this.#forgetSession()
  }

  /** Lists the devices of the license, newest first. */
  async devices(): Promise<LicenseDevice[]> {
    const { json } = await this.#call('GET', '/devices', { token: this.#sessionToken() })
    return json.devices as LicenseDevice[]
  }

  /**
   * Removes a device from the license, such as a lost one. Throws a RefusedError with the status 409 if the license
   * allows no further reset or change of devices now, or if the device is banned.
   */
  async freeDevice(id: number): Promise<void> {
    await this.#call('DELETE', `/devices/${id}`, { token: this.#sessionToken(), once: true })
    if (id === this.#deviceId) this.#forgetSession()
  }

  /** Reads a server-side string. */
  async string(name: string): Promise<string> {
    const path = `/strings/${encodeURIComponent(name)}`
    const { json } = await this.#call('GET', path, { token: this.#sessionToken() })
    return (json.string as { value: string }).value
  }

  /** Reads all settings that the license may read. */
  async settings(): Promise<Record<string, unknown>> {
    const { json } = await this.#call('GET', '/settings', {
      ...(this.#token && { token: this.#token }),
    })
    return json.settings as Record<string, unknown>
  }

  /** Downloads a file. Its bytes are checked against the manifest before they are returned. */
  async file(name: string): Promise<Uint8Array> {
    const path = `/files/${encodeURIComponent(name)}`
    const { json } = await this.#call('GET', path, { token: this.#sessionToken() })
    const { sha256 } = json.file as { sha256: string }
    const grant = encodeURIComponent(String(json.grant))
    const { body } = await this.#call('GET', `${path}/content?grant=${grant}`, {})
    if ((await sha256Hex(body)) === sha256) return body
    throw new UntrustedError('The file does not match its manifest. Download it again.')
  }

  /** Reports an attempt to tamper with the program. */
  async report(kind: string, detail = ''): Promise<void> {
    const token = this.#sessionToken()
    await this.#call('POST', '/reports', { token, body: { kind, detail }, once: true })
  }

  /** Gets an offline license for this device. */
  async licenseFile(ttl_seconds?: number): Promise<string> {
    const body = { fingerprint: this.#options.fingerprint, ...(ttl_seconds && { ttl_seconds }) }
    const token = this.#sessionToken()
    const { json } = await this.#call('POST', '/license-files', { token, body })
    return String(json.license_file)
  }

  /**
   * Verifies an offline license for this machine, without a network call. `latest_seen` is the
   * `latestSeen` that the program stored before.
   *
   * @throws {UntrustedError} If the license is not valid on this machine at this time.
   */
  async checkLicenseFile(
    file: string,
    latest_seen = 0,
    now_ms: number = Date.now(),
  ): Promise<LicenseFile> {
    const { appId, fingerprint, device } = this.#options
    const latest_seen_ms = Math.max(this.#latest_s, latest_seen) * 1000
    const times = { now_ms, latest_seen_ms, store_ahead_ms: this.#storeAhead_ms }
    const check = { appId, fingerprint, ...times, ...(device && { device }) }
    return verifyLicenseFile(this.#keys, file, check)
  }

  #sessionToken(): string {
    if (this.#token === undefined)
      throw new RefusedError(401, 'There is no session. Call start first.')
    return this.#token
  }

  /** Forgets a session that has ended, and its lease. */
  #forgetSession() {
    this.#token = undefined
    this.#deviceId = undefined
    this.#leaseUntil = NO_LEASE
  }

  /** Returns the `device` of a call about a license. */
  #describeDevice({ device: details = this.#deviceDetails }: ValidateFields) {
    this.#deviceDetails = details
    const { fingerprint, device } = this.#options
    return { ...details, fingerprint, ...(device && { public_key: device.public_key }) }
  }

  /** Calls the server about a license. A signed refusal ends the lease. */
  async #callLicense(path: string, input: CallInput): Promise<LicenseAnswer> {
    const { json } = await this.#call('POST', path, input)
    const answer = json as unknown as LicenseAnswer
    if (!answer.valid) this.#leaseUntil = NO_LEASE
    this.#storeAhead_ms = Date.parse(answer.store_time) - Date.parse(answer.server_time)
    return answer
  }

  #renewLease({ valid, session, store_time }: LicenseAnswer) {
    const remaining_ms = Date.parse(session?.lease_expires_at ?? '') - Date.parse(store_time)
    // Stores the duration of the lease, not its end, so that a wrong local clock does not matter.
    this.#leaseUntil =
      valid && remaining_ms > 0
        ? { wall_ms: Date.now() + remaining_ms, run_ms: performance.now() + remaining_ms }
        : NO_LEASE
  }

  async #call(method: string, path: string, input: CallInput): Promise<TrustedAnswer> {
    const offsetBefore_s = this.#offset_s
    const attempt = () => withRepeats(() => this.#attempt(method, path, input), input)
    const trustedAnswer = await attempt()
    // Corrects a wrong local clock once, by the signed server time.
    const wasCorrected =
      input.token &&
      trustedAnswer.status === 401 &&
      Math.abs(this.#offset_s - offsetBefore_s) > CLOCK_SKEW_MAX_S
    const { status, json, body } = wasCorrected ? await attempt() : trustedAnswer
    if (status < 300) return { status, json, body }
    // A 401 or 403 means that the session has ended, also for a grant, which ends with its session.
    if ([401, 403].includes(status)) this.#leaseUntil = NO_LEASE
    throw new RefusedError(status, String(json.error ?? 'The server refused the call.'))
  }

  async #attempt(method: string, pathBelowApp: string, input: CallInput): Promise<TrustedAnswer> {
    const { url, appId, timeout_ms = TIMEOUT_MS, fetch = globalThis.fetch } = this.#options
    const path = `/client/${appId}${pathBelowApp}`
    const nonce = toBase64Url(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)))
    const payload = input.body === undefined ? undefined : JSON.stringify(input.body)
    const headers = {
      'client-nonce': nonce,
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...(input.token && { authorization: `Bearer ${input.token}` }),
      ...(input.token && (await this.#proof({ method, path, nonce, payload, token: input.token }))),
    }
    // Redirects are refused, because an answer from another address is not signed for this call.
    const request = {
      method,
      headers,
      redirect: 'error',
      ...(payload !== undefined && { body: payload }),
    } as const
    const { response, body } = await sendAndRead(fetch, `${url}${path}`, { request, timeout_ms })
    const { status } = response
    const answer = {
      appId,
      method,
      path,
      nonce,
      status,
      body,
      token: input.token,
      requestBody: bytesOf(payload ?? ''),
      signature: response.headers.get('service-response-signature'),
    }
    const { t } = await this.#verify(answer)
    this.#latest_s = Math.max(this.#latest_s, t)
    this.#offset_s = t - Math.floor(Date.now() / 1000)
    return { status, body, json: asJson(response, body) }
  }

  /** Verifies an answer. An unknown key is looked up in the key set, which a trusted key must have signed. */
  async #verify(answer: Parameters<typeof verifyResponse>[1]): Promise<{ t: number }> {
    const kid = /kid=([\w-]+)/.exec(answer.signature ?? '')?.[1]
    const isKnown = kid === undefined || this.#keys.some((key) => key.kid === kid)
    if (!isKnown) this.#keys = await this.#fetchKeySet()
    return verifyResponse(this.#keys, answer, this.#latest_s)
  }

  async #fetchKeySet(): Promise<TrustedKey[]> {
    const { url, appId, fetch = globalThis.fetch, timeout_ms = TIMEOUT_MS } = this.#options
    const options = { request: { redirect: 'error' }, timeout_ms } as const
    const { body } = await sendAndRead(fetch, `${url}/client/${appId}/key-set`, options)
    try {
      const text = new TextDecoder().decode(body)
      return await verifyKeySet(this.#keys, appId, text, this.#latest_s)
    } catch (error) {
      if (error instanceof UntrustedError) throw error
      throw new UntrustedError('The key set is not valid JSON.')
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
    const { payload, ...proofCall } = call
    const text = await requestText({ ...proofCall, appId, t, body: bytesOf(payload ?? '') })
    return { 'client-proof': `t=${t},v1=${toBase64Url(await device.sign(bytesOf(text)))}` }
  }
}

function asJson(response: Response, body: Uint8Array): Record<string, unknown> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return isJson ? (JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>) : {}
}
