import { RULES } from '../../kernel/broken-rule.ts'
import type { Code } from '../../kernel/errors.ts'
import type { Json } from './schemas.ts'

interface RefusalText {
  meaning: string
  /** An example message; only the code is part of the contract. */
  error: string
  details?: Json
}

export const REFUSALS: Record<Code, RefusalText> = {
  INVALID_JSON: {
    meaning: 'The body is not JSON in UTF-8, or names a key twice.',
    error: 'The body is not valid JSON at line 1, column 15. Send JSON in UTF-8.',
  },
  CALLBACK_REJECTED: {
    meaning: 'The signature of a callback of a payment provider is missing, wrong or too old.',
    error: 'The signature of this callback is missing or not valid.',
  },
  MISSING_API_KEY: {
    meaning: 'The header `x-api-key` is missing.',
    error: 'Send your API key in the header x-api-key.',
  },
  MISSING_STORE_HASH: {
    meaning: 'The header `x-store-hash` is missing.',
    error: "Send the store's id in the header x-store-hash.",
  },
  INVALID_API_KEY: {
    meaning: 'The API key is mistyped or was revoked.',
    error: 'This API key is mistyped or was revoked. Check it, or create another key.',
  },
  API_KEY_EXPIRED: {
    meaning: 'The API key has expired.',
    error: 'This API key expired at 2026-01-31T00:00:00.000Z. Create another key.',
  },
  SIGN_IN_REQUIRED: {
    meaning: 'The dashboard has no valid session of this browser.',
    error: 'Sign in first: this session does not exist or has ended.',
  },
  SIGN_IN_FAILED: {
    meaning: 'The email address, the password or the code is wrong.',
    error: 'The email address or the password is wrong. Check both, or reset the password.',
  },
  CODE_REQUIRED: {
    meaning: 'The password is right, and the account also needs a code.',
    error: 'Send the code of your authenticator app, or a recovery code, as code.',
  },
  INSUFFICIENT_SCOPE: {
    meaning: 'The API key lacks the permission that `details.required` names.',
    error: 'This API key lacks the permission products:write. Use a key that has it.',
    details: { required: 'products:write' },
  },
  IP_NOT_ALLOWED: {
    meaning: 'The API key may not be used from this address.',
    error:
      'This API key may not be used from 203.0.113.7. Call from an allowed address, or use another key.',
  },
  ORIGIN_NOT_ALLOWED: {
    meaning: 'The call to the dashboard comes from a page at another address.',
    error: 'Calls that change something are accepted from https://shop.example.com only.',
  },
  HTTPS_REQUIRED: {
    meaning: 'The dashboard needs https, except in a browser on the machine of the server.',
    error:
      'Sign-in needs https: set TRADEPOST_PUBLIC_URL to an address that begins with https://, or to http://127.0.0.1:4100 for a browser on this machine.',
  },
  STEP_UP_REQUIRED: {
    meaning: 'The call needs a password or passkey that was given in the last 10 minutes.',
    error: 'Give your password again: POST /dashboard/api/step-up.',
  },
  STORE_NOT_ALLOWED: {
    meaning: 'The API key is for other stores, or for the other side (live or test) of this one.',
    error: 'This API key is not valid for this store. Use a key of this store.',
  },
  STORE_API_NOT_IN_PLAN: {
    meaning: 'The plan of the store does not include the Store API.',
    error: 'The plan free does not include the Store API. Choose another plan.',
  },
  FEATURE_NOT_ENABLED: {
    meaning: 'The store has turned off the feature that `details.feature` names.',
    error:
      'affiliates is switched off for this store. Switch it on with PATCH /affiliates/program and {"enabled": true}.',
    details: { feature: 'affiliates' },
  },
  CUSTOMER_BLOCKED: {
    meaning: 'The customer is on the blocklist.',
    error: 'This customer is on the blocklist. Remove the entry to accept the order.',
  },
  NOT_FOUND: {
    meaning: 'There is no such record in this store.',
    error: 'The order ord_0000000000000000000001 was not found.',
  },
  STORE_NOT_FOUND: {
    meaning: 'No store has this `x-store-hash`.',
    error: 'No store has this x-store-hash. Check the store id.',
  },
  METHOD_NOT_ALLOWED: {
    meaning: 'The path does not support this method; `Allow` lists those it supports.',
    error: 'Use GET, HEAD.',
  },
  INVOICE_PAID: {
    meaning: 'A paid order cannot be cancelled.',
    error: 'A paid order cannot be cancelled; refund it instead.',
  },
  INVALID_STATE: {
    meaning: 'The state of the record does not allow this; `details.status` names the state.',
    error: 'A cancelled order cannot be changed.',
    details: { status: 'cancelled' },
  },
  OUT_OF_STOCK: {
    meaning:
      'The order, or a line that is delivered, needs more units than are in stock. For a line, `details.missing` is the number of units to add.',
    error: 'Only 2 left of Game (Standard); order 2 or fewer.',
    details: { product_id: 'aB3dE5gH7jK9', variant_id: 7, available: 2 },
  },
  ENDPOINT_DELETED: {
    meaning: 'The webhook endpoint of this delivery was deleted.',
    error: 'The endpoint of this delivery was deleted.',
  },
  DELIVERY_IN_PROGRESS: {
    meaning: 'An attempt of this delivery is under way.',
    error: 'This delivery is being sent; repeat the call in a moment.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    meaning: 'The first call with this `Idempotency-Key` is still running.',
    error: 'The first call with this Idempotency-Key is still running; repeat yours in a second.',
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The body is too large.',
    error: 'Send at most 1048576 bytes.',
    details: { rule: 'max_bytes', limit: 1_048_576 },
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: 'The type of the body is not `application/json`.',
    error: 'Send the header Content-Type: application/json, and the body as JSON in UTF-8.',
  },
  VALIDATION_FAILED: {
    meaning:
      'A field is missing or invalid; `details.field` names the first, `details.errors` lists all.',
    error: 'name: This field is required.',
    details: {
      field: 'name',
      errors: [{ field: 'name', message: 'This field is required.', rule: 'required' }],
    },
  },
  IDEMPOTENCY_KEY_REUSED: {
    meaning: 'The `Idempotency-Key` was used with another request in the past 24 hours.',
    error: 'This Idempotency-Key was used with another request; use a new key for a new request.',
  },
  COUPON_INVALID: {
    meaning: 'The coupon cannot be used; `details.reason` says why.',
    error: 'This coupon has expired. Order without it.',
    details: { reason: 'expired' },
  },
  REFUND_EXCEEDS_PAID: {
    meaning: 'The refund is larger than the amount paid.',
    error: 'At most 1999 can be refunded.',
  },
  PROVIDER_REFUSED: {
    meaning:
      'The payment provider refused the payment; `details.provider_code` is its code of the reason.',
    error: 'Stripe does not support this currency.',
    details: { provider_code: 'currency_not_supported' },
  },
  RATE_LIMITED: {
    meaning:
      'The API key reached its limit of calls per minute; wait for the seconds in `Retry-After`.',
    error:
      'This API key made 300 calls in the past 60 seconds. Wait for the seconds in Retry-After.',
  },
  STORE_API_MONTHLY_QUOTA_EXCEEDED: {
    meaning: "The store used up its plan's calls of this month.",
    error:
      'The plan starter allows 10000 calls a month, and all are used. Wait for the next month, or choose another plan.',
  },
  HEADERS_TOO_LARGE: {
    meaning: 'The headers are too large.',
    error: 'Send at most 16384 bytes of headers.',
  },
  INTERNAL_ERROR: {
    meaning: 'An internal error occurred; quote `request_id` to support.',
    error:
      'An internal error occurred. Repeat the call, and report the request id if it fails again.',
  },
  SERVICE_UNAVAILABLE: {
    meaning: 'The service is busy or restarting; repeat the call as it was.',
    error: 'The service is busy or restarting; repeat the call.',
  },
}

export const REQUEST_ID = 'req_0000cB7rTqk2XWm91VzLdE'

/** An example of a refusal for each code. */
export const ERROR_EXAMPLES: Json = Object.fromEntries(
  Object.entries(REFUSALS).map(([code, { meaning, error, details }]) => {
    const value = {
      success: false,
      code,
      error,
      ...(details && { details }),
      request_id: REQUEST_ID,
    }
    return [code, { summary: meaning, value }]
  }),
)

const listOf = (meanings: Record<string, string>): string =>
  Object.entries(meanings)
    .map(([name, meaning]) => `\`${name}\` (${meaning})`)
    .join(', ')

const PROBLEM = {
  type: 'object',
  required: ['field', 'message'],
  properties: {
    field: {
      type: 'string',
      description: 'The path of the input, such as `rates[0].tiers[1].min`.',
    },
    message: { type: 'string', description: 'The problem with this input.' },
    allowed: {
      type: 'array',
      items: {},
      description: 'The allowed values, if they are few.',
    },
    rule: {
      type: 'string',
      description: `The rule that the input breaks: ${listOf(RULES)}. Later versions may have more.`,
    },
    limit: { type: 'number', description: 'The number of the rule, such as the highest value.' },
    expected: { type: 'string', description: 'The type of JSON that `rule: type` asks for.' },
    format: {
      type: 'string',
      description: 'The name of the form that `rule: format` asks for, such as `email`.',
    },
  },
}

const DETAILS = {
  type: 'object',
  description: 'Further details; the fields depend on the code.',
  properties: {
    field: { type: 'string', description: 'The first invalid input.' },
    errors: { type: 'array', items: PROBLEM, description: 'All invalid inputs, at most 20.' },
    reason: { type: 'string', description: 'The reason in one word, such as `taken`.' },
    rule: { type: 'string', description: 'The rule that the whole body breaks: `max_bytes`.' },
    limit: { type: 'number', description: 'The limit that was reached.' },
    hint: { type: 'string', description: 'The change that resolves the problem.' },
    required: { type: 'string', description: 'The permission that the API key lacks.' },
    feature: { type: 'string', description: 'The feature that is turned off.' },
    status: { type: 'string', description: 'The current state of the record.' },
    product_id: { type: 'string', description: 'The product that is out of stock.' },
    variant_id: {
      type: 'integer',
      format: 'int64',
      description: 'The variant that is out of stock.',
    },
    available: {
      type: 'integer',
      format: 'int64',
      description: 'The units in stock, or the amount in cents that can be used.',
    },
  },
  additionalProperties: true,
}

export const ERROR_SCHEMA = {
  type: 'object',
  description: 'The body of every refusal. Branch on `code`; the text of `error` may change.',
  required: ['success', 'code', 'error', 'request_id'],
  properties: {
    success: { type: 'boolean', description: 'Always false.' },
    code: { type: 'string', description: 'The error code, for programs.' },
    error: { type: 'string', description: 'The error message, for people.' },
    details: DETAILS,
    request_id: {
      type: 'string',
      pattern: '^req_',
      description: 'The id of the call, to quote in a support request.',
    },
  },
}
