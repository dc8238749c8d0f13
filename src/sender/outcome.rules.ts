export type ErrorCode =
  | 'dns_error'
  | 'connection_refused'
  | 'connection_reset'
  | 'tls_error'
  | 'timeout'
  | 'blocked_address'
  | 'http_status'
  | 'invalid_response'

/** What became of one attempt. */
export interface Outcome {
  ok: boolean
  status_code: number | null
  error_code: ErrorCode | null
  /** `<code>: <sentence that is safe to show>`; null on success (decision 40). */
  error: string | null
  /** At most 4 KiB of UTF-8 without NUL; null where no answer came, or one without a body (decision 28). */
  response_body: string | null
  /** From the start, DNS included, to the end of the header block or to the failure. */
  duration_ms: number
  /** Nothing was sent for want of a connection or of open files: the receiver is not to blame. */
  unsent?: true
}

/** A failure in words of ours: its message is a sentence that is safe to show. */
export class SendFailure extends Error {
  override name = 'SendFailure'
  readonly error_code: ErrorCode
  /** Whether it lies with this machine. */
  readonly ours: boolean

  constructor(error_code: ErrorCode, sentence: string, ours = false) {
    super(sentence)
    this.error_code = error_code
    this.ours = ours
  }
}

const REFUSED = ['connection_refused', 'The receiver refused the connection.'] as const
const UNREACHABLE = ['connection_refused', 'The receiver could not be reached.'] as const
const RESET = ['connection_reset', 'The connection broke before an answer came.'] as const
const TIMEOUT = ['timeout', 'The receiver did not answer in time.'] as const
const NOT_TLS = ['tls_error', 'No TLS connection could be made.'] as const
const UNTRUSTED = ['tls_error', "The receiver's certificate is not trusted."] as const

/** This machine has no files, or no memory, left for another socket. */
const OURS = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'])

/** Texts of errors name addresses, so only their codes are read. */
const FAILURES: Record<string, readonly [ErrorCode, string]> = {
  ECONNREFUSED: REFUSED,
  EHOSTUNREACH: UNREACHABLE,
  EHOSTDOWN: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENETDOWN: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  ECONNRESET: RESET,
  ECONNABORTED: RESET,
  EPIPE: RESET,
  ETIMEDOUT: TIMEOUT,
  EPROTO: NOT_TLS,
  CERT_HAS_EXPIRED: ['tls_error', "The receiver's certificate has expired."],
  CERT_NOT_YET_VALID: ['tls_error', "The receiver's certificate is not valid yet."],
  CERT_REVOKED: ['tls_error', "The receiver's certificate has been revoked."],
  ERR_TLS_CERT_ALTNAME_INVALID: ['tls_error', 'The certificate is not for this host name.'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['tls_error', "The receiver's certificate is self-signed."],
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
}

/** Any error of the way there and back, in our words. */
export function failureOf(error: unknown): SendFailure {
  if (error instanceof SendFailure) return error
  const { code = '' } = error as Error & { code?: string }
  if (OURS.has(code)) {
    return new SendFailure('connection_refused', 'This server has no room for a connection.', true)
  }
  if (code.startsWith('ERR_SSL_')) return new SendFailure(...NOT_TLS)
  return new SendFailure(...(FAILURES[code] ?? RESET))
}

/** An error between the TCP handshake and the end of the TLS handshake, in our words. */
export function tlsFailureOf(error: unknown): SendFailure {
  const known = FAILURES[(error as { code?: string }).code ?? '']
  return new SendFailure(...(known ?? NOT_TLS))
}

/** The outcome where no answer came. */
export const failed = (failure: SendFailure, duration_ms: number): Outcome => ({
  ok: false,
  status_code: null,
  error_code: failure.error_code,
  error: `${failure.error_code}: ${failure.message}`,
  response_body: null,
  duration_ms,
})

/** The outcome once a status came in time: 2xx is a success, whatever its body did (decision 16). */
export function answered(status_code: number, response_body: string, duration_ms: number): Outcome {
  const ok = status_code >= 200 && status_code < 300
  return {
    ok,
    status_code,
    error_code: ok ? null : 'http_status',
    error: ok ? null : `http_status: The receiver answered ${status_code}${hintOf(status_code)}.`,
    response_body: response_body || null,
    duration_ms,
  }
}

const hintOf = (status_code: number): string =>
  status_code >= 300 && status_code < 400 ? '; redirects are not followed' : ''

/** Body bytes as text a database takes: at most `max` bytes of UTF-8, no NUL, broken bytes replaced. */
export function bodyText(bytes: Uint8Array, max: number): string {
  if (bytes.length === 0) return ''
  const text = decode(bytes, max)
  // Each broken byte becomes three, so what fitted before may not any more.
  const short = Buffer.byteLength(text) > max ? decode(Buffer.from(text), max) : text
  return short.replaceAll('\0', '')
}

function decode(bytes: Uint8Array, max: number): string {
  const { buffer, byteOffset, length } = bytes
  if (length <= max) return Buffer.from(buffer, byteOffset, length).toString()
  // `stream` leaves out a character that the cut went through.
  return new TextDecoder().decode(bytes.subarray(0, max), { stream: true })
}
