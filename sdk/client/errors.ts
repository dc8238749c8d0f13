import type { ErrorDetails, RefusalCode } from './api/codes.gen.ts'

/**
 * The code of a failed call: a code of the Store API, or one of the client. `REFUSED`: the Client Security API,
 * which has no codes, refused the call. `NO_ANSWER`: the server could not be reached, or the connection broke.
 * `TIMED_OUT`: no answer arrived in time. `UNREADABLE_ANSWER`: the answer is not from the API, but for example
 * from a proxy.
 */
export type TradepostErrorCode =
  | RefusalCode
  | 'REFUSED'
  | 'NO_ANSWER'
  | 'TIMED_OUT'
  | 'UNREADABLE_ANSWER'

/** The fields of a TradepostError. */
export interface Failure {
  /** The method of the client, such as `orders.create`. */
  operation: string
  /** The HTTP status; 0 if there was no answer. */
  status: number
  code: TradepostErrorCode
  message: string
  details?: ErrorDetails | undefined
  requestId?: string | undefined
  retryAfter_s?: number | undefined
  idempotencyKey?: string | undefined
  cause?: unknown
}

/** The error of a call that the server refused or did not answer. Each kind of error has a subclass. */
export class TradepostError extends Error {
  override name = 'TradepostError'
  /** The called method of the client, such as `orders.create`. */
  readonly operation: string
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number
  /** The error code, such as `OUT_OF_STOCK`; it distinguishes errors of one kind. */
  readonly code: TradepostErrorCode
  /** The path of the first invalid field, such as `rates[0].tiers[1].min`. */
  readonly field: string | undefined
  /** Further details; the fields depend on the code, such as `available` for OUT_OF_STOCK. */
  readonly details: ErrorDetails | undefined
  /** The id of this call (`req_…`), for support and for the request log of the dashboard. */
  readonly requestId: string | undefined
  /** The value of Retry-After, in seconds. */
  readonly retryAfter_s: number | undefined
  /** The idempotency key of a POST. It is safe to repeat the call with this key. */
  readonly idempotencyKey: string | undefined

  constructor({ message, cause, ...failure }: Failure) {
    const { field } = failure.details ?? {}
    super(withField(message, field), cause === undefined ? undefined : { cause })
    this.operation = failure.operation
    this.status = failure.status
    this.code = failure.code
    this.field = typeof field === 'string' ? field : undefined
    this.details = failure.details
    this.requestId = failure.requestId
    this.retryAfter_s = failure.retryAfter_s
    this.idempotencyKey = failure.idempotencyKey
  }
}

/** Logs often show only the message, so it must begin with the field. Older servers do not name it. */
const withField = (message: string, field: unknown): string =>
  typeof field !== 'string' || field === '' || message.startsWith(`${field}: `)
    ? message
    : `${field}: ${message}`

/** The input is invalid (422, or another status below 500 without its own class). An unchanged repeat fails too. */
export class ValidationError extends TradepostError {
  override name = 'ValidationError'
}

/** The API key is missing, mistyped, revoked or expired (401). */
export class AuthenticationError extends TradepostError {
  override name = 'AuthenticationError'
}

/** The API key may not make this call (403); `details.required` names a missing permission. */
export class PermissionError extends TradepostError {
  override name = 'PermissionError'
}

/** No such record exists in this store (404). */
export class NotFoundError extends TradepostError {
  override name = 'NotFoundError'
}

/** The state of the record does not allow the call, such as OUT_OF_STOCK (409), or its version differs (412). */
export class ConflictError extends TradepostError {
  override name = 'ConflictError'
}

/** The key made too many calls (429). Wait for `retryAfter_s` seconds. */
export class RateLimitError extends TradepostError {
  override name = 'RateLimitError'
}

/** The server failed or is unavailable (500 and above). A call that changes records may have taken effect. */
export class ServerError extends TradepostError {
  override name = 'ServerError'
}

/**
 * No answer of the API arrived: the server was not reached, the connection broke, the timeout passed, or
 * another server answered. A call that changes records may have taken effect.
 */
export class ConnectionError extends TradepostError {
  override name = 'ConnectionError'
}

const CLASSES: Record<number, typeof TradepostError> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: ConflictError,
  429: RateLimitError,
}

const CONNECTION_CODES: readonly TradepostErrorCode[] = [
  'NO_ANSWER',
  'TIMED_OUT',
  'UNREADABLE_ANSWER',
]

/** Returns the error of a failure, as an instance of the right subclass. */
export function errorOf(failure: Failure): TradepostError {
  const { status, code } = failure
  if (status >= 500) return new ServerError(failure)
  if (CONNECTION_CODES.includes(code)) return new ConnectionError(failure)
  return new (CLASSES[status] ?? ValidationError)(failure)
}
