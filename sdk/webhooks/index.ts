import type { WebhookEvent } from './events.gen.ts'

export type * from './events.gen.ts'

/** Headers as `fetch` has them, or as Node's `request.headers`; or `Service-Signature` itself. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Record<string, string | readonly string[] | undefined>
  | string
  | null
  | undefined

export interface VerifyOptions {
  /** How old, or how far ahead, a signature may be, in seconds: a number from 0 on. Default 300. */
  tolerance?: number
  /** The time, in Unix milliseconds, for tests. */
  now?: () => number
}

/** Why a webhook is not believed. */
export type VerificationFault =
  | 'missing_header'
  | 'malformed_header'
  | 'outside_tolerance'
  | 'not_raw'
  | 'no_match'
  | 'not_json'

export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError'
  readonly fault: VerificationFault

  constructor(fault: VerificationFault, message: string) {
    super(message)
    this.fault = fault
  }
}

const HEADER = 'service-signature'
const TOLERANCE_S = 300
/** A rolled secret makes two. More cost a stranger nothing and the receiver an HMAC each. */
const SIGNATURES_MAX = 8
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/**
 * The event of a delivery, if it was signed with your secret and is not old. Give the body as it
 * arrived, before any JSON parser saw it.
 *
 * @throws {WebhookVerificationError} Answer 400 then: it is not from your store, or not from now.
 * @throws {TypeError} Where there is no secret: a variable of the environment that is not set.
 * @throws {RangeError} Where `tolerance` is no number of seconds: any age would pass.
 */
export async function verify(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { tolerance = TOLERANCE_S, now = Date.now }: VerifyOptions = {},
): Promise<WebhookEvent> {
  if (!Number.isFinite(tolerance) || tolerance < 0) {
    throw new RangeError('tolerance: give seconds as a number from 0 on, such as 300.')
  }
  const secrets = secretsOf(secret)
  const { t, signatures } = parse(headerOf(headers))
  // Not `>`: a clock that gives no number would pass.
  if (!(Math.abs(now() / 1_000 - t) <= tolerance)) {
    throw new WebhookVerificationError(
      'outside_tolerance',
      `The signature is over ${tolerance} seconds from now; check the clock of this machine.`,
    )
  }
  const body = bytesOfBody(rawBody)
  const signed = concat(new TextEncoder().encode(`${t}.`), body)
  if (!(await anyMatches(secrets, signatures, signed))) {
    throw new WebhookVerificationError(
      'no_match',
      'No signature fits: another secret, or a body that was parsed and written anew.',
    )
  }
  return asEvent(body)
}

/** An empty key would fit what anybody signs with it. */
function secretsOf(secret: string | readonly string[]): readonly string[] {
  const secrets = Array.isArray(secret) ? secret : [secret]
  if (secrets.length > 0 && secrets.every((item) => typeof item === 'string' && item !== '')) {
    return secrets
  }
  throw new TypeError(
    'secret: give the whole secret of the endpoint, whsec_ included. Is the variable set?',
  )
}

function headerOf(headers: WebhookHeaders): string {
  const value = typeof headers === 'string' ? headers : valueIn(headers ?? {})
  if (typeof value === 'string') return value
  throw new WebhookVerificationError('missing_header', 'There is no Service-Signature header.')
}

function valueIn(headers: Exclude<WebhookHeaders, string | null | undefined>): unknown {
  return isHeaders(headers)
    ? headers.get(HEADER)
    : Object.entries(headers).find(([name]) => name.toLowerCase() === HEADER)?.[1]
}

const isHeaders = (headers: object): headers is { get(name: string): string | null } =>
  typeof (headers as { get?: unknown }).get === 'function'

/** The bytes that were signed; they are gone once a parser has read them. */
function bytesOfBody(body: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (ArrayBuffer.isView(body)) return body
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body)
  throw new WebhookVerificationError(
    'not_raw',
    'The body is no text and no bytes: give it as it arrived, before any parser. With Express, use express.raw({ type: "application/json" }) on this route, before express.json().',
  )
}

/** `t=<unix seconds>,v1=<hex>[,v1=<hex>]`; unknown parts are for later versions. */
function parse(header: string): { t: number; signatures: Uint8Array[] } {
  const parts = header.split(',').map((part) => part.trim().split('='))
  const valuesOf = (name: string) =>
    parts.flatMap(([key, value]) => (key === name && value !== undefined ? [value] : []))
  const [t = ''] = valuesOf('t')
  const signatures = valuesOf('v1').flatMap((hex) => bytesOf(hex) ?? [])
  const isWhole = signatures.length > 0 && signatures.length <= SIGNATURES_MAX
  if (/^\d{1,12}$/.test(t) && isWhole) return { t: Number(t), signatures }
  throw new WebhookVerificationError(
    'malformed_header',
    'Service-Signature is not t=<seconds>,v1=<hex>.',
  )
}

function bytesOf(hex: string): Uint8Array | undefined {
  if (!/^[0-9a-f]{64}$/i.test(hex)) return undefined
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

/** Web Crypto's own comparison takes the same time wherever two signatures differ. */
async function anyMatches(
  secrets: readonly string[],
  signatures: readonly Uint8Array[],
  signed: Uint8Array,
): Promise<boolean> {
  let matches = false
  for (const secret of secrets) {
    const bytes = new TextEncoder().encode(secret)
    const key = await crypto.subtle.importKey('raw', bytes, HMAC, false, ['verify'])
    for (const signature of signatures) {
      const fits = await crypto.subtle.verify('HMAC', key, copyOf(signature), copyOf(signed))
      matches = fits || matches
    }
  }
  return matches
}

/** On a buffer of its own, which is what Web Crypto's types ask for. */
const copyOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)

function concat(item: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(item.length + other.length)
  both.set(item)
  both.set(other, item.length)
  return both
}

function asEvent(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent
  } catch {
    throw new WebhookVerificationError('not_json', 'The signed body is not JSON.')
  }
}
