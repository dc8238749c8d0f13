import { type DeviceSigner, isProven } from './device.ts'
import { bytesOf, fromBase64Url, sha256Hex } from './encoding.ts'

/** A public key of an app that a program trusts: pinned when it was built, or learned from the key set. */
export interface TrustedKey {
  kid: string
  /** The raw 32 bytes of Ed25519, base64url without padding. */
  public_key: string
  /** What it signs is not believed from then on. */
  not_after?: string | null
}

/** An answer as it arrived, with what was asked. */
export interface ReceivedAnswer {
  appId: string
  method: string
  /** With its query, relative to the API's address: `/client/app_…/validate`. */
  path: string
  /** The `Client-Nonce` that was sent; `-` where none was. */
  nonce: string
  /** The bytes of the request's body, as they were sent; empty if there were none. */
  requestBody: Uint8Array
  /** The session token that was sent; undefined if there was none. */
  token: string | undefined
  status: number
  /** The header `Service-Response-Signature`; null where there is none. */
  signature: string | null
  body: Uint8Array
}

/** Nothing in an answer may be believed: it is not signed by a trusted key, or for another question. */
export class UntrustedError extends Error {
  override name = 'UntrustedError'
}

/** The server could not be asked, or said nothing that may be believed: neither yes nor no. */
export class UnknownError extends Error {
  override name = 'UnknownError'
}

/**
 * Whether a key that is trusted at a moment signed a text. The algorithm is ours and never the message's.
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
 * The text that `Service-Response-Signature` signs. `-` stands for the request's body if the server did
 * not read it whole.
 */
export async function responseText(
  answer: ReceivedAnswer,
  t: string,
  bodyWas: 'read' | 'unread' = 'read',
): Promise<string> {
  const { appId, method, path, nonce, requestBody, token, status, body } = answer
  const asked = bodyWas === 'read' ? await sha256Hex(requestBody) : '-'
  const session = token === undefined ? '-' : await sha256Hex(bytesOf(token))
  const hash = await sha256Hex(body)
  const lines = [appId, method, path, nonce, asked, session, status, t, hash]
  return ['client-response/v1', ...lines].join('\n')
}

/** The text that `Client-Proof` signs. */
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
 * Checks an answer before anything in it is believed, and gives the server's time in Unix seconds. A key
 * that has retired is not believed any more: by the time that the answer says, and by the latest that was
 * ever signed. Our own clock, which may be wrong, is not asked.
 *
 * @throws {UntrustedError} If no trusted key signed the answer for this request.
 * @throws {UnknownError} If the server signed that it did not read the request's body.
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
      `The answer (${answer.status}) is not signed: is the address that of the Client Security API, and the app's public id right?`,
    )
  }
  const at_ms = Math.max(Number(t), latest_s) * 1000
  const fits = async (bodyWas: 'read' | 'unread') =>
    isSigned(keys, { kid, text: await responseText(answer, t, bodyWas), v1 }, at_ms)
  if (await fits('read')) return { t: Number(t), kid }
  if (answer.requestBody.length > 0 && (await fits('unread'))) {
    throw new UnknownError(
      `The server answered ${answer.status} before it had read the request: neither yes nor no.`,
    )
  }
  throw new UntrustedError('The answer is not signed by a trusted key for exactly this request.')
}

/**
 * The keys of a key set that a key signed which is trusted at the latest time that was ever signed. They
 * take the place of those before: what is not among them has retired. `body` is its JSON, as it arrived.
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
    throw new UntrustedError('The key set is not signed by a key that is trusted.')
  }
  const ends = new Map(keys.map((key) => [key.kid, key.not_after]))
  return (JSON.parse(raw) as TrustedKey[]).map((key) => ({
    ...key,
    not_after: sooner(key.not_after, ends.get(key.kid)),
  }))
}

/** An old key set, shown again, gives a key no longer life than is known of it. */
function sooner(item: string | null | undefined, other: string | null | undefined): string | null {
  if (item == null || other == null) return item ?? other ?? null
  return Date.parse(item) < Date.parse(other) ? item : other
}

/** What an offline license says. */
export interface LicenseFile {
  app: string
  key_id: number
  level: number
  entitlements: string[]
  license_expires_at: string | null
  device: { id: number; fingerprint_hash: string | null; public_key_thumbprint: string | null }
  /** By the store's clock, like the ends; a test side's can be moved ahead. */
  issued_at: string
  /** The server's time when it was issued; files of older versions do not say. */
  server_time?: string
  not_before: string
  expires_at: string
  seq: number
}

export interface OfflineCheck {
  appId: string
  /** This machine: its fingerprint, and its key if it has one. */
  fingerprint: string
  device?: DeviceSigner
  now_ms: number
  /** In milliseconds, where `latestSeen` of a program is in seconds. The latest time that was ever seen, online or offline: a clock that went back is not believed. */
  latest_seen_ms: number
  /** How far the store's clock was ahead of the server's at the last answer. The file says it, too. */
  store_ahead_ms?: number
}

const SLACK_MS = 5 * 60_000

/** Checks an offline license for this machine and this moment, or throws. */
export async function verifyLicenseFile(
  keys: readonly TrustedKey[],
  file: string,
  check: OfflineCheck,
): Promise<LicenseFile> {
  const [header = '', payload = '', v1 = '', ...more] = file.split('.')
  const { typ, v, kid } = readPart(header) as { typ?: string; v?: number; kid?: string }
  const text = `license-file/v1\n${header}.${payload}`
  const known = typ === 'license-file' && v === 1 && more.length === 0
  const at_ms = Math.max(check.now_ms, check.latest_seen_ms)
  if (!known || !(await isSigned(keys, { kid: kid ?? '', text, v1 }, at_ms))) {
    throw new UntrustedError('This is no license file of the app.')
  }
  const license = readPart(payload) as LicenseFile
  const why = await whyNotHere(license, check)
  if (why) throw new UntrustedError(why)
  return license
}

function readPart(part: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(fromBase64Url(part)))
  } catch {
    throw new UntrustedError('This is no license file.')
  }
}

async function whyNotHere(license: LicenseFile, check: OfflineCheck): Promise<string | undefined> {
  const { device, issued_at, expires_at, license_expires_at } = license
  const issued_ms = Date.parse(issued_at)
  const ahead_ms = issued_ms - Date.parse(license.server_time ?? issued_at)
  const store_now_ms = check.now_ms + Math.max(ahead_ms, check.store_ahead_ms ?? 0)
  if (license.app !== check.appId) return 'The license is of another app.'
  if (store_now_ms < issued_ms - SLACK_MS) return 'The clock lies before the license.'
  if (check.now_ms < check.latest_seen_ms - SLACK_MS) return 'The clock went back.'
  const ends = [expires_at, license_expires_at].flatMap((end) => (end ? [Date.parse(end)] : []))
  if (ends.some((end) => store_now_ms >= end)) return 'The license has ended.'
  const hash = await sha256Hex(bytesOf(`${check.appId}\n${check.fingerprint}`))
  const { fingerprint_hash, public_key_thumbprint } = device
  if (fingerprint_hash !== null && fingerprint_hash !== hash)
    return 'The license is for another machine.'
  if (public_key_thumbprint !== null && !(await isProven(public_key_thumbprint, check.device))) {
    return 'The license is for a device key that this machine does not have.'
  }
  return fingerprint_hash === null && public_key_thumbprint === null
    ? 'The license is for no machine.'
    : undefined
}
