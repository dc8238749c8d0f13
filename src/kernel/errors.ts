import { type BrokenRule, brokenRuleIn } from './broken-rule.ts'

/**
 * Every failure that a caller may branch on, with its HTTP status. The code is the contract; the
 * status follows from it. The table is closed (decision 8; specification, "Errors").
 */
export const CODES = {
  INVALID_JSON: 400,
  CALLBACK_REJECTED: 400,
  MISSING_API_KEY: 401,
  MISSING_STORE_HASH: 401,
  INVALID_API_KEY: 401,
  API_KEY_EXPIRED: 401,
  SIGN_IN_REQUIRED: 401,
  SIGN_IN_FAILED: 401,
  CODE_REQUIRED: 401,
  INSUFFICIENT_SCOPE: 403,
  IP_NOT_ALLOWED: 403,
  ORIGIN_NOT_ALLOWED: 403,
  HTTPS_REQUIRED: 403,
  STEP_UP_REQUIRED: 403,
  STORE_NOT_ALLOWED: 403,
  STORE_API_NOT_IN_PLAN: 403,
  FEATURE_NOT_ENABLED: 403,
  CUSTOMER_BLOCKED: 403,
  NOT_FOUND: 404,
  STORE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  INVOICE_PAID: 409,
  INVALID_STATE: 409,
  OUT_OF_STOCK: 409,
  ENDPOINT_DELETED: 409,
  DELIVERY_IN_PROGRESS: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  VALIDATION_FAILED: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  COUPON_INVALID: 422,
  REFUND_EXCEEDS_PAID: 422,
  PROVIDER_REFUSED: 422,
  RATE_LIMITED: 429,
  STORE_API_MONTHLY_QUOTA_EXCEEDED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const

export type Code = keyof typeof CODES

/** Details of a failure: `field` names the invalid input, `hint` the remedy. */
export type RefusalDetails = Record<string, unknown>

/**
 * An expected failure of a call. Any other exception is a bug and becomes INTERNAL_ERROR. Each API
 * renders it in its own form.
 */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: number
  /**
   * Undefined for refusals of the Client Security API that have no code in the table; their status
   * is the contract (decision 9).
   */
  readonly code: Code | undefined
  readonly details: RefusalDetails | undefined
  /** Headers of the answer: `Retry-After`, `Allow`. */
  readonly headers: Record<string, string>

  constructor(
    kind: Code | number,
    message: string,
    details?: RefusalDetails,
    headers: Record<string, string> = {},
  ) {
    super(message)
    this.status = typeof kind === 'number' ? kind : CODES[kind]
    this.code = typeof kind === 'number' ? undefined : kind
    this.details = details
    this.headers = headers
  }
}

const ID_SHOWN_MAX = 100

const shownId = (id: string | number): string => [...String(id)].slice(0, ID_SHOWN_MAX).join('')

/** Returns the text of a 404: the kind of record and the requested id, shortened (decision 132). */
function notFoundText(kind: string, id: string | number | undefined): string {
  const noun = kind.replace(/^The /, '')
  const suffix = id === undefined ? '' : ` ${shownId(id)}`
  return `The ${noun.charAt(0).toLowerCase()}${noun.slice(1)}${suffix} was not found.`
}

/** The refusal for a record that does not exist for the caller. The router adds an id from the path. */
export class NotFoundError extends Refusal {
  readonly kind: string
  readonly id: string | number | undefined

  constructor(kind: string, id?: string | number) {
    super('NOT_FOUND', notFoundText(kind, id))
    this.kind = kind
    this.id = id
  }
}

/** Creates the refusal for a missing record. `id` is needed only if the path does not have it. */
export const notFound = (kind: string, id?: string | number) => new NotFoundError(kind, id)

/** Returns the record, or throws NOT_FOUND. */
export function requireRecord<T>(record: T | undefined, kind: string, id?: string | number): T {
  if (record === undefined) throw notFound(kind, id)
  return record
}

/** Creates the refusal of an input. `field` is its path, such as `rates[0].tiers[1].min`. */
export const invalid = (field: string, message: string, details: RefusalDetails = {}) =>
  new Refusal('VALIDATION_FAILED', message, { field, ...details })

/** Returns the message of a refusal after the name of its field: `name: Write at least one character.` */
export function sentenceOf({ message, details }: Refusal): string {
  const field = details?.field
  return typeof field === 'string' && field !== '' ? `${field}: ${message}` : message
}

/** Returns the error and the details of a refusal in the Store API. `errors` has each invalid field (decision 515). */
export function wordsOf(refusal: Refusal): { error: string; details?: RefusalDetails } {
  const { code, message, details } = refusal
  if (code !== 'VALIDATION_FAILED' || details === undefined)
    return { error: message, ...(details && { details }) }
  const rule = brokenRuleIn(details)
  const { field, allowed } = details
  const problem = { field, message, ...(allowed !== undefined && { allowed }), ...rule }
  const others = Object.entries(details).filter(([name]) => rule === undefined || !(name in rule))
  return {
    error: sentenceOf(refusal),
    details: { ...Object.fromEntries(others), errors: details.errors ?? [problem] },
  }
}

/** Creates the refusal of a body or a file that is too large. */
export const tooLarge = (limit: number) => {
  const details: BrokenRule = { rule: 'max_bytes', limit }
  return new Refusal('PAYLOAD_TOO_LARGE', `Send at most ${limit} bytes.`, { ...details })
}

/** Refuses an expiry in the past, which is probably a mistake. */
export function checkInFuture(end: string | null, now: string): void {
  if (end === null || end > now) return
  throw invalid('expires_at', 'Use a time in the future, or null.')
}

/**
 * Creates the refusal of an id in a body: `This store has no product 7. Send the id of an existing one.` The id is shown
 * as it was sent, shortened (decision 132).
 */
export const unknownId = (
  field: string,
  id: string | number,
  finding: string,
  advice = 'Send the id of an existing one.',
) => invalid(field, `${finding} ${shownId(id)}. ${advice}`)

/** Creates the refusal of a unique value that another record already has. */
export const alreadyTaken = (field: string, message: string) =>
  invalid(field, message, { reason: 'taken' })

export const invalidState = (status: string, message: string) =>
  new Refusal('INVALID_STATE', message, { status })

/** Creates the refusal for a temporary failure. The caller may repeat the call. Only the log has the cause. */
export const unavailable = (message: string, retryAfter_s = 1, cause?: unknown) => {
  const headers = { 'retry-after': String(retryAfter_s) }
  return Object.assign(new Refusal('SERVICE_UNAVAILABLE', message, undefined, headers), { cause })
}

/** Refuses a change if the record does not have the version that the caller expects. */
export function checkVersion(version: number, expected: number | undefined): void {
  if (expected === undefined || expected === version) return
  throw new Refusal(
    412,
    `The record has changed: its version is now ${version}. Read it again, then repeat the change.`,
  )
}
