import { CODES, type Code } from '../kernel/errors.ts'
import type { Endpoint } from './endpoint.ts'
import type { Json } from './openapi-schemas.ts'

interface Refusal {
  means: string
  /** A message as a caller may read it; only the code is the contract. */
  error: string
  details?: Json
}

const REFUSALS: Record<Code, Refusal> = {
  INVALID_JSON: {
    means: 'The body is not JSON in UTF-8, or names a key twice.',
    error: 'The body is not JSON: unexpected end of text.',
  },
  MISSING_API_KEY: {
    means: 'The header `x-api-key` is missing.',
    error: 'Send your API key in the header x-api-key.',
  },
  MISSING_STORE_HASH: {
    means: 'The header `x-store-hash` is missing.',
    error: "Send the store's id in the header x-store-hash.",
  },
  INVALID_API_KEY: {
    means: 'The API key is mistyped or was revoked.',
    error: 'This API key is not valid: it is mistyped or was revoked.',
  },
  API_KEY_EXPIRED: {
    means: 'The API key has expired.',
    error: 'This API key expired at 2026-01-31T00:00:00.000Z.',
  },
  INSUFFICIENT_SCOPE: {
    means: 'The API key lacks the permission that `details.required` names.',
    error: 'This API key lacks the permission products:write.',
    details: { required: 'products:write' },
  },
  IP_NOT_ALLOWED: {
    means: 'The API key is limited to other addresses.',
    error: 'This API key may not be used from your address.',
  },
  STORE_NOT_ALLOWED: {
    means: 'The API key is for other stores, or for the other side (live or test) of this one.',
    error: 'This API key is not valid for this store.',
  },
  STORE_API_NOT_IN_PLAN: {
    means: 'The plan of the store does not include the Store API.',
    error: 'The plan free does not include the Store API.',
  },
  FEATURE_NOT_ENABLED: {
    means: 'The store has switched off the feature that `details.feature` names.',
    error: 'affiliates is switched off for this store.',
    details: { feature: 'affiliates' },
  },
  CUSTOMER_BLOCKED: {
    means: 'The customer is on the blocklist.',
    error: 'This customer cannot place orders.',
  },
  NOT_FOUND: {
    means: 'There is no such record in this store.',
    error: 'The record was not found.',
  },
  STORE_NOT_FOUND: {
    means: 'No store has this `x-store-hash`.',
    error: 'There is no store with this x-store-hash.',
  },
  METHOD_NOT_ALLOWED: { means: 'The path has other methods; `Allow` lists them.', error: 'Use GET, HEAD.' },
  INVOICE_PAID: {
    means: 'A paid order cannot be cancelled.',
    error: 'A paid order cannot be cancelled; refund it instead.',
  },
  INVALID_STATE: {
    means: 'The record is in a state that does not allow this; `details.status` says in which.',
    error: 'A cancelled order cannot be changed.',
    details: { status: 'cancelled' },
  },
  OUT_OF_STOCK: {
    means: 'Fewer units are left than were asked for.',
    error: 'Only 2 units are left.',
    details: { product_id: 'aB3dE5gH7jK9', variant_id: 7, available: 2 },
  },
  ENDPOINT_DELETED: {
    means: 'The webhook endpoint of this delivery was deleted.',
    error: 'The endpoint of this delivery was deleted.',
  },
  DELIVERY_IN_PROGRESS: {
    means: 'An attempt of this delivery is under way.',
    error: 'This delivery is being sent; repeat the call in a moment.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    means: 'The first call with this `Idempotency-Key` is still running.',
    error: 'The first call with this Idempotency-Key is still running; repeat yours in a second.',
  },
  PAYLOAD_TOO_LARGE: { means: 'The body is too large.', error: 'Send at most 1048576 bytes.' },
  UNSUPPORTED_MEDIA_TYPE: {
    means: 'The body is of another type than `application/json`.',
    error: 'Send the body as application/json in UTF-8.',
  },
  VALIDATION_FAILED: {
    means: 'A field is missing or invalid; `details.field` names the first, `details.errors` lists all.',
    error: 'This field is required.',
    details: { field: 'name', errors: [{ field: 'name', message: 'This field is required.' }] },
  },
  IDEMPOTENCY_KEY_REUSED: {
    means: 'The `Idempotency-Key` was used with another request in the past 24 hours.',
    error: 'This Idempotency-Key was used with another request; use a new key for a new request.',
  },
  COUPON_INVALID: {
    means: 'The coupon cannot be used; `details.reason` says why.',
    error: 'This coupon expired.',
    details: { reason: 'expired' },
  },
  REFUND_EXCEEDS_PAID: {
    means: 'More would be refunded than was paid.',
    error: 'At most 1999 can be refunded.',
  },
  RATE_LIMITED: {
    means: 'The API key made its calls of this minute; wait as long as `Retry-After` says.',
    error: 'This API key made 300 calls in the past 60 seconds.',
  },
  STORE_API_MONTHLY_QUOTA_EXCEEDED: {
    means: 'The store made the calls that its plan has for the month.',
    error: 'The plan starter allows 10000 calls a month.',
  },
  HEADERS_TOO_LARGE: { means: 'The headers are too large.', error: 'Send at most 16384 bytes of headers.' },
  INTERNAL_ERROR: {
    means: 'Something went wrong on our side; quote `request_id` to support.',
    error: 'Something went wrong on our side.',
  },
  SERVICE_UNAVAILABLE: {
    means: 'The service is busy or restarting; repeat the call as it was.',
    error: 'The service is busy or restarting; repeat the call.',
  },
}

/** Refusals of the door, which are never stored for a repeated Idempotency-Key (decision 10). */
const AT_THE_DOOR = {
  key: ['MISSING_API_KEY', 'MISSING_STORE_HASH', 'INVALID_API_KEY', 'API_KEY_EXPIRED'],
  access: [
    'INSUFFICIENT_SCOPE',
    'IP_NOT_ALLOWED',
    'STORE_NOT_ALLOWED',
    'STORE_API_NOT_IN_PLAN',
    'FEATURE_NOT_ENABLED',
    'STORE_NOT_FOUND',
  ],
  body: ['INVALID_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  idempotency: ['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'],
  limits: ['RATE_LIMITED', 'STORE_API_MONTHLY_QUOTA_EXCEEDED'],
  ours: ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'],
} as const satisfies Record<string, readonly Code[]>

const NEVER_STORED: ReadonlySet<Code> = new Set(Object.values(AT_THE_DOOR).flat())

/** Sets of codes that many operations share, and what the component is called. */
const SHARED = new Map<string, string>(
  Object.entries({
    InvalidJson: ['INVALID_JSON'],
    Unauthorized: AT_THE_DOOR.key,
    Forbidden: AT_THE_DOOR.access.filter((code) => CODES[code] === 403),
    StoreNotFound: ['STORE_NOT_FOUND'],
    NotFound: ['STORE_NOT_FOUND', 'NOT_FOUND'],
    IdempotencyInProgress: ['IDEMPOTENCY_IN_PROGRESS'],
    PayloadTooLarge: ['PAYLOAD_TOO_LARGE'],
    UnsupportedMediaType: ['UNSUPPORTED_MEDIA_TYPE'],
    ValidationFailed: ['VALIDATION_FAILED'],
    ValidationFailedOrKeyReused: ['IDEMPOTENCY_KEY_REUSED', 'VALIDATION_FAILED'],
    TooManyRequests: AT_THE_DOOR.limits,
    InternalError: ['INTERNAL_ERROR'],
    ServiceUnavailable: ['SERVICE_UNAVAILABLE'],
  }).map(([name, codes]) => [codes.join(), name]),
)

/** Every code that a call of this endpoint may be answered with. */
function codesOf(e: Endpoint): Code[] {
  const isPost = e.method === 'POST'
  const codes: Code[] = [
    ...(e.body ? AT_THE_DOOR.body : []),
    ...AT_THE_DOOR.key,
    ...AT_THE_DOOR.access,
    ...(e.params ? (['NOT_FOUND'] as const) : []),
    ...(isPost ? AT_THE_DOOR.idempotency : []),
    ...(e.query || e.method !== 'GET' ? (['VALIDATION_FAILED'] as const) : []),
    ...e.errors,
    ...AT_THE_DOOR.limits,
    ...AT_THE_DOOR.ours,
  ]
  return [...new Set(codes)].sort((a, b) => CODES[a] - CODES[b])
}

/** The refusals of an operation by status; those that many share are put into `shared`. */
export function errorResponses(e: Endpoint, shared: Json): Json {
  const responses: Json = {}
  for (const [status, codes] of Map.groupBy(codesOf(e), (code) => CODES[code])) {
    const isReplayed = e.method === 'POST' && codes.some((code) => !NEVER_STORED.has(code))
    const response = errorResponse(status, codes, isReplayed)
    const name = SHARED.get(codes.join())
    if (name === undefined) {
      responses[status] = response
      continue
    }
    const fullName = isReplayed ? `${name}OnPost` : name
    shared[fullName] = response
    responses[status] = { $ref: `#/components/responses/${fullName}` }
  }
  return responses
}

const REQUEST_ID = 'req_0000cB7rTqk2XWm91VzLdE'
const WAITS: ReadonlySet<Code> = new Set([
  ...AT_THE_DOOR.limits,
  'IDEMPOTENCY_IN_PROGRESS',
  'SERVICE_UNAVAILABLE',
])

function errorResponse(status: number, codes: Code[], isReplayed: boolean): Json {
  const code = { description: 'Which of the refusals it is.', enum: codes }
  return {
    description: codes.map((one) => `- \`${one}\`: ${REFUSALS[one].means}`).join('\n'),
    headers: headers(
      'x-request-id',
      // A key that is not known has no limit to tell of.
      ...(status === 401 ? [] : RATE_HEADERS),
      ...(codes.some((one) => WAITS.has(one)) ? ['Retry-After'] : []),
      ...(isReplayed ? ['Idempotency-Replayed'] : []),
    ),
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code } }] },
        examples: Object.fromEntries(codes.map((one) => [one, { $ref: `#/components/examples/${one}` }])),
      },
    },
  }
}
