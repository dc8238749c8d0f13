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
  /** The maximum difference between the time of a signature and now, in seconds. Default 300. */
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
/** The maximum number of signatures, because each costs an HMAC. During a secret rotation there are two. */
const SIGNATURES_MAX = 8
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/**
 * Verifies a delivery and returns its event. Pass the raw body, before any JSON parser changes it.
 *
 * @throws {WebhookVerificationError} If the signature is invalid or too old. Answer with status 400.
 * @throws {TypeError} If `secret` is missing, for example because an environment variable is not set.
 * @throws {RangeError} If `tolerance` is not a number of seconds.
 */
export async function verify(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[] | undefined,
  { tolerance = TOLERANCE_S, now = Date.now }: VerifyOptions = {},
): Promise<WebhookEvent> {
  if (!Number.isFinite(tolerance) || tolerance < 0) {
    throw new RangeError('tolerance: pass a number of seconds, 0 or more, such as 300.')
  }
  const secrets = secretsOf(secret)
  const { t, signatures } = parse(headerOf(headers))
  // With `>`, NaN from a broken clock would pass.
  if (!(Math.abs(now() / 1_000 - t) <= tolerance)) {
    throw new WebhookVerificationError(
      'outside_tolerance',
      `The signature is over ${tolerance} seconds from now. Check the clock of this machine.`,
    )
  }
  const body = bytesOfBody(rawBody)
  const signedBytes = concat(new TextEncoder().encode(`${t}.`), body)
  if (!(await anyMatches(secrets, signatures, signedBytes))) {
    throw new WebhookVerificationError(
      'no_match',
      'No signature matches. Check the secret, and pass the raw body instead of a parsed one.',
    )
  }
  return parseEvent(body)
}

/** Refuses an empty secret, because anyone could sign with it. */
function secretsOf(secret: string | readonly string[] | undefined): readonly string[] {
  const secrets: readonly string[] = typeof secret === 'string' ? [secret] : (secret ?? [])
  if (secrets.length > 0 && secrets.every((item) => typeof item === 'string' && item !== '')) {
    return secrets
  }
  throw new TypeError(
    'secret: pass the whole secret of the endpoint, with whsec_. Check that the environment variable is set.',
  )
}

function headerOf(headers: WebhookHeaders): string {
  const value = typeof headers === 'string' ? headers : readHeader(headers ?? {})
  if (typeof value === 'string') return value
  throw new WebhookVerificationError(
    'missing_header',
    'The Service-Signature header is missing. Pass the headers of the request.',
  )
}

function readHeader(headers: Exclude<WebhookHeaders, string | null | undefined>): unknown {
  return isHeaders(headers)
    ? headers.get(HEADER)
    : Object.entries(headers).find(([name]) => name.toLowerCase() === HEADER)?.[1]
}

const isHeaders = (headers: object): headers is { get(name: string): string | null } =>
  typeof (headers as { get?: unknown }).get === 'function'

/** Returns the bytes of the body. A parsed body is refused, because the signed bytes are lost. */
function bytesOfBody(body: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (ArrayBuffer.isView(body)) return body
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body)
  throw new WebhookVerificationError(
    'not_raw',
    'The body is neither text nor bytes. Pass the raw body, before any parser. With Express, use express.raw({ type: "application/json" }) on this route, before express.json().',
  )
}

/** Parses `t=<unix seconds>,v1=<hex>[,v1=<hex>]`. Ignores unknown parts, which later versions may add. */
function parse(header: string): { t: number; signatures: Uint8Array[] } {
  const parts = header.split(',').map((part) => part.trim().split('='))
  const valuesOf = (name: string) =>
    parts.flatMap(([key, value]) => (key === name && value !== undefined ? [value] : []))
  const [t = ''] = valuesOf('t')
  const signatures = valuesOf('v1').flatMap((hex) => bytesOf(hex) ?? [])
  const hasSignatures = signatures.length > 0 && signatures.length <= SIGNATURES_MAX
  if (/^\d{1,12}$/.test(t) && hasSignatures) return { t: Number(t), signatures }
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
  signedBytes: Uint8Array,
): Promise<boolean> {
  let matches = false
  for (const secret of secrets) {
    const bytes = new TextEncoder().encode(secret)
    const key = await crypto.subtle.importKey('raw', bytes, HMAC, false, ['verify'])
    for (const signature of signatures) {
      const isMatch = await crypto.subtle.verify(
        'HMAC',
        key,
        copyOf(signature),
        copyOf(signedBytes),
      )
      matches = isMatch || matches
    }
  }
  return matches
}

/** Copies to a new ArrayBuffer, which the types of Web Crypto require. */
const copyOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  const result = new Uint8Array(first.length + second.length)
  result.set(first)
  result.set(second, first.length)
  return result
}

function parseEvent(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent
  } catch {
    throw new WebhookVerificationError('not_json', 'The signed body is not JSON.')
  }
}
