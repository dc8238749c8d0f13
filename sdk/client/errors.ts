import type { RefusalCode } from './api/codes.gen.ts'

/**
 * Why a call failed. Beside the codes of the API there are three of the client's own:
 * `NO_ANSWER` (the server could not be reached, or the connection broke), `TIMED_OUT`, and
 * `UNREADABLE_ANSWER` (something between the client and the shop answered in its place).
 */
export type TradepostErrorCode = RefusalCode | 'NO_ANSWER' | 'TIMED_OUT' | 'UNREADABLE_ANSWER'

export interface Failure {
  /** Of the HTTP answer; 0 where none came. */
  status: number
  code: TradepostErrorCode
  message: string
  details?: Record<string, unknown> | undefined
  request_id?: string | undefined
  retry_after_s?: number | undefined
  idempotency_key?: string | undefined
  cause?: unknown
}

/** A call that failed: refused by the shop, or without an answer of it. */
export class TradepostError extends Error {
  override name = 'TradepostError'
  /** Of the HTTP answer; 0 where none came. */
  readonly status: number
  /** What to branch on. */
  readonly code: TradepostErrorCode
  /** The input at fault, written `rates[0].tiers[1].min`. */
  readonly field: string | undefined
  /** What else the code tells, such as `available` of OUT_OF_STOCK. */
  readonly details: Record<string, unknown> | undefined
  /** Of this call; quote it to support. */
  readonly request_id: string | undefined
  /** How long the shop asks to wait, in seconds. */
  readonly retry_after_s: number | undefined
  /** The key of a POST. The same call with this key is safe even if the first one took effect. */
  readonly idempotency_key: string | undefined

  constructor({ message, cause, ...failure }: Failure) {
    const { field } = failure.details ?? {}
    // In a log the text often stands alone: "This field is required." of what?
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
