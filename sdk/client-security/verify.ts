import { type DeviceSigner, provesKey } from './device.ts'
import { bytesOf, fromBase64Url, sha256Hex } from './encoding.ts'

/** A public key that a program trusts. It is built into the program or was received in a key set. */
export interface TrustedKey {
  kid: string
  /** The raw 32 bytes of Ed25519, base64url without padding. */
  public_key: string
  /** The moment from which signatures of the key are refused. */
  not_after?: string | null
}

/** An answer as it arrived, with the request that it answers. */
export interface ReceivedAnswer {
  appId: string
  method: string
  /** Path and query, relative to the API's base address: `/client/app_…/validate`. */
  path: string
  /** The `Client-Nonce` of the request; `-` if it had none. */
  nonce: string
  /** The bytes of the request body; empty if there was none. */
  requestBody: Uint8Array
  /** The session token of the request; undefined if it had none. */
  token: string | undefined
  status: number
  /** The header `Service-Response-Signature`; null if it is missing. */
  signature: string | null
  body: Uint8Array
}

/** The answer cannot be trusted: no trusted key signed it for this request. */
export class UntrustedError extends Error {
  override name = 'UntrustedError'
}

/** The server could not be reached or gave no usable answer, so it is unknown whether the license is valid. */
export class UnknownError extends Error {
  override name = 'UnknownError'
}

/**
 * Returns true if a key that is trusted at this time signed the text. The algorithm is fixed and never taken from
 * the message.
 */
export async function isSigned(
  keys: readonly TrustedKey[],
  { kid, text, v1 }: { kid: string; text: string; v1: string },
  at_ms: number,
): Promise<boolean> {
  const key = keys.find((item) => item.kid === kid && isTrustedAt(item, at_ms))
  const raw = key && fromBase64Url(key.public_key)
  const signature = fromBase64Url(v1)
  if (raw?.length !== 32 || signature?.length !== 64) return false
  const imported = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify'])
  return crypto.subtle.verify('Ed25519', imported, signature, bytesOf(text))
}

const isTrustedAt = ({ not_after }: TrustedKey, at_ms: number): boolean =>
  not_after == null || Date.parse(not_after) > at_ms

/**
 * Returns the text that `Service-Response-Signature` signs. `-` replaces the hash of the request body if the
 * server did not read the whole body.
 */
export async function responseText(
  answer: ReceivedAnswer,
  t: string,
  bodyState: 'read' | 'unread' = 'read',
): Promise<string> {
  const { appId, method, path, nonce, requestBody, token, status, body } = answer
  const bodyHash = bodyState === 'read' ? await sha256Hex(requestBody) : '-'
  const session = token === undefined ? '-' : await sha256Hex(bytesOf(token))
  const hash = await sha256Hex(body)
  const lines = [appId, method, path, nonce, bodyHash, session, status, t, hash]
  return ['client-response/v1', ...lines].join('\n')
}

/** Returns the text that `Client-Proof` signs. */
export async function requestText(call: {
  appId: string
  method: string
  path: string
  nonce: string
  t: number
  token: string
  body: Uint8Array
}): Promise<string> {
  const { appId, method, path, nonce, t, token, body } = call
  const hashes = [await sha256Hex(bytesOf(token)), await sha256Hex(body)]
  return ['client-request/v1', appId, method, path, nonce, t, ...hashes].join('\n')
}

/**
 * Verifies an answer and returns the server's time in Unix seconds. The key must be trusted both at the time in
 * the answer and at the latest signed time ever seen. The local clock is not used, because it may be wrong.
 *
 * @throws {UntrustedError} If no trusted key signed the answer for this request.
 * @throws {UnknownError} If the server signed that it did not read the request body.
 */
export async function verifyResponse(
  keys: readonly TrustedKey[],
  answer: ReceivedAnswer,
  latest_s = 0,
): Promise<{ t: number; kid: string }> {
  const [, t, kid, v1] =
    /^t=(\d{1,12}),kid=([\w-]+),v1=([\w-]{86})$/.exec(answer.signature ?? '') ?? []
  if (t === undefined || kid === undefined || v1 === undefined) {
    throw new UntrustedError(
      `The answer (${answer.status}) is not signed. Check the address of the Client Security API and the app's public id.`,
    )
  }
  const at_ms = Math.max(Number(t), latest_s) * 1000
  const isSignedWith = async (bodyState: 'read' | 'unread') =>
    isSigned(keys, { kid, text: await responseText(answer, t, bodyState), v1 }, at_ms)
  if (await isSignedWith('read')) return { t: Number(t), kid }
  if (answer.requestBody.length > 0 && (await isSignedWith('unread'))) {
    throw new UnknownError(
      `The server answered ${answer.status} before it had read the request. Try again later.`,
    )
  }
  throw new UntrustedError('The answer is not signed by a trusted key for exactly this request.')
}

/**
 * Verifies a key set and returns its keys, which replace all earlier keys. The signing key of the set must be
 * trusted at the latest signed time ever seen. `body` is the JSON as it arrived.
 */
export async function verifyKeySet(
  keys: readonly TrustedKey[],
  appId: string,
  body: string,
  latest_s = 0,
): Promise<TrustedKey[]> {
  const raw = /"keys":(\[[^\]]*\]),"signature":/.exec(body)?.[1]
  const { signature } = JSON.parse(body) as { signature?: { kid?: string; v1?: string } }
  const { kid = '', v1 = '' } = signature ?? {}
  const text = `key-set/v1\n${appId}\n${raw}`
  if (raw === undefined || !(await isSigned(keys, { kid, text, v1 }, latest_s * 1000))) {
    throw new UntrustedError('The key set is not signed by a trusted key.')
  }
  const ends = new Map(keys.map((key) => [key.kid, key.not_after]))
  return (JSON.parse(raw) as TrustedKey[]).map((key) => ({
    ...key,
    not_after: earlierTime(key.not_after, ends.get(key.kid)),
  }))
}

/** Returns the earlier time. With it, a replayed old key set cannot extend the trust in a key. */
function earlierTime(
  left: string | null | undefined,
  right: string | null | undefined,
): string | null {
  if (left == null || right == null) return left ?? right ?? null
  return Date.parse(left) < Date.parse(right) ? left : right
}

/** The payload of an offline license. */
export interface LicenseFile {
  app: string
  key_id: number
  level: number
  entitlements: string[]
  license_expires_at: string | null
  device: { id: number; fingerprint_hash: string | null; public_key_thumbprint: string | null }
  /** Store time, like `not_before` and `expires_at`. The clock of a test side can be advanced. */
  issued_at: string
  /** The server's time when the file was issued; missing in files of older versions. */
  server_time?: string
  not_before: string
  expires_at: string
  seq: number
}

export interface OfflineCheck {
  appId: string
  /** The fingerprint of this machine, and its device key if it has one. */
  fingerprint: string
  device?: DeviceSigner
  now_ms: number
  /** The latest time ever seen, online or offline, in milliseconds. `latestSeen` of the client is in seconds. */
  latest_seen_ms: number
  /** The milliseconds by which the store's clock was ahead of the server's at the last answer. */
  store_ahead_ms?: number
}

/** A correct clock may be behind by this time. */
const SLACK_MS = 5 * 60_000

/** Verifies an offline license for this machine and time. Throws an UntrustedError if it is not valid. */
export async function verifyLicenseFile(
  keys: readonly TrustedKey[],
  file: string,
  check: OfflineCheck,
): Promise<LicenseFile> {
  const [header = '', payload = '', v1 = '', ...more] = file.split('.')
  const { typ, v, kid } = readPart(header) as { typ?: string; v?: number; kid?: string }
  const text = `license-file/v1\n${header}.${payload}`
  const isLicenseFile = typ === 'license-file' && v === 1 && more.length === 0
  const at_ms = Math.max(check.now_ms, check.latest_seen_ms)
  if (!isLicenseFile || !(await isSigned(keys, { kid: kid ?? '', text, v1 }, at_ms))) {
    throw new UntrustedError('The license file is not signed by a trusted key of this app.')
  }
  const license = readPart(payload) as LicenseFile
  const error = await offlineError(license, check)
  if (error) throw new UntrustedError(error)
  return license
}

function readPart(part: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(fromBase64Url(part)))
  } catch {
    throw new UntrustedError('The license file is malformed.')
  }
}

async function offlineError(
  license: LicenseFile,
  check: OfflineCheck,
): Promise<string | undefined> {
  const { device, issued_at, expires_at, license_expires_at } = license
  const issued_ms = Date.parse(issued_at)
  const ahead_ms = issued_ms - Date.parse(license.server_time ?? issued_at)
  const store_now_ms = check.now_ms + Math.max(ahead_ms, check.store_ahead_ms ?? 0)
  if (license.app !== check.appId) return 'The license file was issued for another app.'
  if (store_now_ms < issued_ms - SLACK_MS)
    return 'The clock of this machine is before the issue of the license file. Set the clock.'
  if (check.now_ms < check.latest_seen_ms - SLACK_MS)
    return 'The clock of this machine was set back. Set the clock.'
  const ends = [expires_at, license_expires_at].flatMap((end) => (end ? [Date.parse(end)] : []))
  if (ends.some((end) => store_now_ms >= end)) return 'The license file has expired. Get a new one.'
  const hash = await sha256Hex(bytesOf(`${check.appId}\n${check.fingerprint}`))
  const { fingerprint_hash, public_key_thumbprint } = device
  if (fingerprint_hash !== null && fingerprint_hash !== hash)
    return 'The license file was issued for another machine.'
  if (public_key_thumbprint !== null && !(await provesKey(public_key_thumbprint, check.device))) {
    return 'The license file requires a device key that this machine does not have.'
  }
  return fingerprint_hash === null && public_key_thumbprint === null
    ? 'The license file is not bound to a machine.'
    : undefined
}
