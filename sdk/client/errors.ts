import type { RefusalCode } from './api/codes.gen.ts'

/**
 * The reason for a failed call. In addition to the codes of the API, the client has three codes:
 * `NO_ANSWER` (the server could not be reached, or the connection broke), `TIMED_OUT`, and
 * `UNREADABLE_ANSWER` (the answer is not one of the Store API, such as the page of a proxy).
 */
export type TradepostErrorCode = RefusalCode | 'NO_ANSWER' | 'TIMED_OUT' | 'UNREADABLE_ANSWER'

export interface Failure {
  /** The HTTP status; 0 if no answer came. */
  status: number
  code: TradepostErrorCode
  message: string
  details?: Record<string, unknown> | undefined
  request_id?: string | undefined
  retry_after_s?: number | undefined
  idempotency_key?: string | undefined
  cause?: unknown
}

/** A call that the server refused or did not answer. */
export class TradepostError extends Error {
  override name = 'TradepostError'
  /** The HTTP status; 0 if no answer came. */
  readonly status: number
  /** The error code; use it to tell errors apart. */
  readonly code: TradepostErrorCode
  /** The path of the invalid field, such as `rates[0].tiers[1].min`. */
  readonly field: string | undefined
  /** Further details of the error, such as `available` for OUT_OF_STOCK. */
  readonly details: Record<string, unknown> | undefined
  /** The id of this call, for support requests. */
  readonly request_id: string | undefined
  /** The value of Retry-After, in seconds. */
  readonly retry_after_s: number | undefined
  /** The idempotency key of a POST. It is safe to repeat the call with this key. */
  readonly idempotency_key: string | undefined

  constructor({ message, cause, ...failure }: Failure) {
    const { field } = failure.details ?? {}
    // Adds the field: a log often shows only the message, such as "This field is required."
    const text = typeof field === 'string' && field !== '' ? `${field}: ${message}` : message
    super(text, cause === undefined ? undefined : { cause })
    this.status = failure.status
    this.code = failure.code
    this.field = typeof field === 'string' ? field : undefined
    this.details = failure.details
    this.request_id = failure.request_id
    this.retry_after_s = failure.retry_after_s
    this.idempotency_key = failure.idempotency_key
  }
}
