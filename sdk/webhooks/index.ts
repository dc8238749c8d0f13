import type { WebhookEvent } from './events.gen.ts'

export type * from './events.gen.ts'

/** A `Headers` object, Node's `request.headers`, or the value of `Service-Signature`. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Record<string, string | readonly string[] | undefined>
  | string
  | null
  | undefined

export interface VerifyOptions {
  /** Maximum age of a signature, or time ahead, in seconds, 0 or more. Default 300. */
  tolerance?: number
  /** The current time in Unix milliseconds, for tests. */
  now?: () => number
}

/** The reason for a failed verification. */
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
/** During a secret rotation there are two. Each further one would cost the receiver an HMAC. */
const SIGNATURES_MAX = 8
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/**
 * Verifies a delivery and returns its event. Pass the raw body, before any JSON parser changes it.
 *
 * @throws {WebhookVerificationError} If the signature is invalid or too old. Answer with status 400.
 * @throws {TypeError} If `secret` is missing, for example because an environment variable is not set.
 * @throws {RangeError} If `tolerance` is not a number of seconds, because any age would pass.
 */
export async function verify(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { tolerance = TOLERANCE_S, now = Date.now }: VerifyOptions = {},
): Promise<WebhookEvent> {
  if (!Number.isFinite(tolerance) || tolerance < 0) {
    throw new RangeError('tolerance: pass a number of seconds, 0 or more, such as 300.')
  }
  const secrets = secretsOf(secret)
  const { t, signatures } = parse(headerOf(headers))
  // Not `>`: NaN from a broken clock would pass.
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
      'No signature matches. Check the secret, and pass the raw body instead of a parsed one.',
    )
  }
  return asEvent(body)
}

/** Refuses an empty secret: anyone could sign with it. */
function secretsOf(secret: string | readonly string[]): readonly string[] {
  const secrets = Array.isArray(secret) ? secret : [secret]
  if (secrets.length > 0 && secrets.every((item) => typeof item === 'string' && item !== '')) {
    return secrets
  }
  throw new TypeError(
    'secret: pass the whole secret of the endpoint, with whsec_. Check that the environment variable is set.',
  )
}

function headerOf(headers: WebhookHeaders): string {
  const value = typeof headers === 'string' ? headers : valueIn(headers ?? {})
  if (typeof value === 'string') return value
  throw new WebhookVerificationError(
    'missing_header',
    'The Service-Signature header is missing. Pass the headers of the request.',
  )
}

function valueIn(headers: Exclude<WebhookHeaders, string | null | undefined>): unknown {
  return isHeaders(headers)
    ? headers.get(HEADER)
    : Object.entries(headers).find(([name]) => name.toLowerCase() === HEADER)?.[1]
}

const isHeaders = (headers: object): headers is { get(name: string): string | null } =>
  typeof (headers as { get?: unknown }).get === 'function'

/** The signed bytes. They are no longer available after a parser has read the body. */
function bytesOfBody(body: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (ArrayBuffer.isView(body)) return body
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body)
  throw new WebhookVerificationError(
    'not_raw',
    'The body is neither text nor bytes. Pass the raw body, before any parser. With Express, use express.raw({ type: "application/json" }) on this route, before express.json().',
  )
}

/** Reads `t=<unix seconds>,v1=<hex>[,v1=<hex>]`. Unknown parts are ignored, for later versions. */
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
    'The Service-Signature header is malformed. Expected t=<seconds>,v1=<hex>.',
  )
}

function bytesOf(hex: string): Uint8Array | undefined {
  if (!/^[0-9a-f]{64}$/i.test(hex)) return undefined
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

/** Web Crypto compares signatures in constant time. */
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

/** Copies to a new ArrayBuffer, which the types of Web Crypto require. */
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
