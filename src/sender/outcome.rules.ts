type ErrorCode =
  | 'dns_error'
  | 'connection_refused'
  | 'connection_reset'
  | 'tls_error'
  | 'timeout'
  | 'blocked_address'
  | 'http_status'
  | 'invalid_response'

/** The result of one attempt. */
export interface Outcome {
  ok: boolean
  status_code: number | null
  error_code: ErrorCode | null
  /** `<code>: <sentence that is safe to show>`; null on success (decision 40). */
  error: string | null
  /** At most 4 KiB of UTF-8 without NUL; null without an answer or a body (decision 28). */
  response_body: string | null
  /** The time from the start, including DNS, to the end of the header block or to the failure. */
  duration_ms: number
  /**
   * Set if no request was sent, because no connection or file descriptor was available. The attempt does not
   * count against the receiver.
   */
  unsent?: true
}

/** A failure whose message is a sentence that is safe to show. */
export class SendFailure extends Error {
  override name = 'SendFailure'
  readonly error_code: ErrorCode
  /** True if this machine caused the failure. */
  readonly isLocal: boolean

  constructor(error_code: ErrorCode, sentence: string, isLocal = false) {
    super(sentence)
    this.error_code = error_code
    this.isLocal = isLocal
  }
}

const REFUSED = ['connection_refused', 'The receiver refused the connection.'] as const
const UNREACHABLE = ['connection_refused', 'The receiver could not be reached.'] as const
const RESET = ['connection_reset', 'The connection broke before an answer came.'] as const
const TIMEOUT = ['timeout', 'The receiver did not answer in time.'] as const
const NOT_TLS = ['tls_error', 'No TLS connection could be made.'] as const
const UNTRUSTED = ['tls_error', "The receiver's certificate is not trusted."] as const

/** This machine has no file descriptors or memory for another socket. */
const LOCAL_CODES = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'])

/** Error messages contain addresses, so only error codes are used. */
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

/** Converts any network error to a failure that is safe to show. */
export function failureOf(error: unknown): SendFailure {
  if (error instanceof SendFailure) return error
  const { code = '' } = error as Error & { code?: string }
  if (LOCAL_CODES.has(code)) {
    return new SendFailure(
      'connection_refused',
      'This server has no file descriptor or memory left for a connection.',
      true,
    )
  }
  if (code.startsWith('ERR_SSL_')) return new SendFailure(...NOT_TLS)
  return new SendFailure(...(FAILURES[code] ?? RESET))
}

/** Converts an error of the TLS handshake to a failure that is safe to show. */
export function tlsFailureOf(error: unknown): SendFailure {
  const failure = FAILURES[(error as { code?: string }).code ?? '']
  return new SendFailure(...(failure ?? NOT_TLS))
}

/** Returns the outcome of an attempt without an answer. */
export const failedOutcome = (failure: SendFailure, duration_ms: number): Outcome => ({
  ok: false,
  status_code: null,
  error_code: failure.error_code,
  error: `${failure.error_code}: ${failure.message}`,
  response_body: null,
  duration_ms,
})

/** Returns the outcome of an attempt whose status arrived in time. 2xx is a success even if the body failed (decision 16). */
export function answeredOutcome(
  status_code: number,
  response_body: string,
  duration_ms: number,
): Outcome {
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

/**
 * Decodes body bytes to text for the database: at most `max` bytes of UTF-8, no NUL, invalid bytes
 * replaced.
 */
export function bodyText(bytes: Uint8Array, max: number): string {
  if (bytes.length === 0) return ''
  const text = decode(bytes, max)
  // Each invalid byte becomes three, so the text may no longer fit.
  const shortText = Buffer.byteLength(text) > max ? decode(Buffer.from(text), max) : text
  return shortText.replaceAll('\0', '')
}

function decode(bytes: Uint8Array, max: number): string {
  const { buffer, byteOffset, length } = bytes
  if (length <= max) return Buffer.from(buffer, byteOffset, length).toString()
  // `stream` drops a character that was cut in half.
  return new TextDecoder().decode(bytes.subarray(0, max), { stream: true })
}
