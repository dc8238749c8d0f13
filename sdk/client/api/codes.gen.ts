// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.

/** The code of a refusal. */
export type RefusalCode =
  | 'INVALID_JSON'
  | 'CALLBACK_REJECTED'
  | 'MISSING_API_KEY'
  | 'MISSING_STORE_HASH'
  | 'INVALID_API_KEY'
  | 'API_KEY_EXPIRED'
  | 'SIGN_IN_REQUIRED'
  | 'SIGN_IN_FAILED'
  | 'CODE_REQUIRED'
  | 'INSUFFICIENT_SCOPE'
  | 'IP_NOT_ALLOWED'
  | 'ORIGIN_NOT_ALLOWED'
  | 'HTTPS_REQUIRED'
  | 'STEP_UP_REQUIRED'
  | 'STORE_NOT_ALLOWED'
  | 'STORE_API_NOT_IN_PLAN'
  | 'FEATURE_NOT_ENABLED'
  | 'CUSTOMER_BLOCKED'
  | 'NOT_FOUND'
  | 'STORE_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'INVOICE_PAID'
  | 'INVALID_STATE'
  | 'OUT_OF_STOCK'
  | 'ENDPOINT_DELETED'
  | 'DELIVERY_IN_PROGRESS'
  | 'IDEMPOTENCY_IN_PROGRESS'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'VALIDATION_FAILED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'COUPON_INVALID'
  | 'REFUND_EXCEEDS_PAID'
  | 'PROVIDER_REFUSED'
  | 'RATE_LIMITED'
  | 'STORE_API_MONTHLY_QUOTA_EXCEEDED'
  | 'HEADERS_TOO_LARGE'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE'

/** An invalid input. */
export interface ErrorProblem {
  /** The path of the input, such as `rates[0].tiers[1].min`. */
  field: string
  /** The problem with this input. */
  message: string
  /** The allowed values, if they are few. */
  allowed?: unknown[]
  /**
   * The rule that the input breaks: `required` (the field is missing, or null where a value is
   * needed), `type` (the value has another type than `expected`), `at_least` (the number is less
   * than `limit`), `at_most` (the number is more than `limit`), `more_than` (the number is not more
   * than `limit`), `less_than` (the number is not less than `limit`), `multiple_of` (the number is
   * not a multiple of `limit`), `max_decimals` (the number has more than `limit` decimals),
   * `min_length` (the text has fewer than `limit` visible characters), `max_length` (the text has
   * more than `limit` characters), `max_bytes` (the value has more than `limit` bytes), `min_items`
   * (the list has fewer than `limit` entries), `max_items` (the list has more than `limit`
   * entries), `max_keys` (the object has more than `limit` keys), `unique` (an entry is in the list
   * twice), `one_of` (the value is none of `allowed`), `format` (the text has another form, such as
   * that of `format`), `unknown_field` (the request has no such field). Later versions may have
   * more.
   */
  rule?: string
  /** The number of the rule, such as the highest value. */
  limit?: number
  /** The type of JSON that `rule: type` asks for. */
  expected?: string
  /** The name of the form that `rule: format` asks for, such as `email`. */
  format?: string
}

/** Further details; the fields depend on the code. */
export interface ErrorDetails {
  /** The first invalid input. */
  field?: string
  /** The reason in one word, such as `taken`. */
  reason?: string
  /** The rule that the whole body breaks: `max_bytes`. */
  rule?: string
  /** The limit that was reached. */
  limit?: number
  /** The change that resolves the problem. */
  hint?: string
  /** The permission that the API key lacks. */
  required?: string
  /** The feature that is turned off. */
  feature?: string
  /** The current state of the record. */
  status?: string
  /** The product that is out of stock. */
  product_id?: string
  /** The variant that is out of stock. */
  variant_id?: number
  /** The units in stock, or the amount in cents that can be used. */
  available?: number
  /** All invalid inputs, at most 20. */
  errors?: ErrorProblem[]
  [name: string]: unknown
}
