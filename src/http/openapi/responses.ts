import { z } from 'zod'
import { CODES, type Code } from '../../kernel/errors.ts'
import type { Endpoint } from '../endpoint.ts'
import { REFUSALS } from './errors.ts'
import type { Json, SchemaRegistry } from './schemas.ts'

const integer = (description: string, example: number) => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example,
})
const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string' },
  example,
})

export const HEADERS = {
  'x-request-id': text('The id of this call; quote it to support.', 'req_0000cB7rTqk2XWm91VzLdE'),
  'RateLimit-Policy': text('The limit `q` of calls in `w` seconds.', '"minute";q=300;w=60'),
  RateLimit: text(
    '`r`: remaining calls. `t`: seconds until the next call is freed.',
    '"minute";r=299;t=60',
  ),
  'x-ratelimit-limit': integer('Calls allowed for the key in 60 seconds.', 300),
  'x-ratelimit-remaining': integer('Remaining calls.', 299),
  'x-ratelimit-reset': integer('Unix time at which the next call is freed.', 1767225660),
  'Retry-After': integer('Seconds to wait before the next call.', 1),
  'Idempotency-Replayed': {
    description: 'Present if this is the stored answer to an earlier call with the same key.',
    schema: { type: 'string', const: 'true' },
  },
}
type Header = keyof typeof HEADERS

/** Absent for a key that is unknown or has no limit. */
const RATE_HEADERS: readonly Header[] = [
  'RateLimit-Policy',
  'RateLimit',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]

const refer = (kind: string, names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/${kind}/${name}` }]))

/** Refusals before the handler runs; they are never stored for an Idempotency-Key (decision 10). */
const TARGET = {
  key: ['MISSING_API_KEY', 'MISSING_STORE_HASH', 'INVALID_API_KEY', 'API_KEY_EXPIRED'],
  access: [
    'INSUFFICIENT_SCOPE',
    'IP_NOT_ALLOWED',
    'STORE_NOT_ALLOWED',
    'STORE_API_NOT_IN_PLAN',
    'FEATURE_NOT_ENABLED',
  ],
  store: ['STORE_NOT_FOUND'],
  body: ['INVALID_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  repeated: ['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'],
  limits: ['RATE_LIMITED', 'STORE_API_MONTHLY_QUOTA_EXCEEDED'],
  ours: ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'],
} as const satisfies Record<string, readonly Code[]>

const NEVER_STORED: ReadonlySet<Code> = new Set(Object.values(TARGET).flat())
const WAITS: ReadonlySet<Code> = new Set([
  ...TARGET.limits,
  'IDEMPOTENCY_IN_PROGRESS',
  'SERVICE_UNAVAILABLE',
])

/** Codes that many operations share for a status; the key is the name of the component. */
const SHARED: Record<string, readonly Code[]> = {
  InvalidJson: ['INVALID_JSON'],
  Unauthorized: TARGET.key,
  Forbidden: TARGET.access,
  StoreNotFound: TARGET.store,
  NotFound: [...TARGET.store, 'NOT_FOUND'],
  IdempotencyInProgress: ['IDEMPOTENCY_IN_PROGRESS'],
  PayloadTooLarge: ['PAYLOAD_TOO_LARGE'],
  UnsupportedMediaType: ['UNSUPPORTED_MEDIA_TYPE'],
  ValidationFailed: ['VALIDATION_FAILED'],
  ValidationFailedOrKeyReused: ['IDEMPOTENCY_KEY_REUSED', 'VALIDATION_FAILED'],
  TooManyRequests: TARGET.limits,
  InternalError: ['INTERNAL_ERROR'],
  ServiceUnavailable: ['SERVICE_UNAVAILABLE'],
}
const NAME_OF = new Map(Object.entries(SHARED).map(([name, codes]) => [codes.join(), name]))

/** The success response, then the refusals by status. */
export function responsesOf(e: Endpoint, book: SchemaRegistry, shared: Json): Json {
  const responses: Json = { [e.status ?? 200]: success(e, book) }
  const codes = codesOf(e)
  for (const status of new Set(codes.map((code) => CODES[code]))) {
    responses[status] = refusal(
      e,
      codes.filter((code) => CODES[code] === status),
      shared,
    )
  }
  return responses
}

export const Success = z.literal(true).describe('Always true.')

/** The answer's fields, with `success`. */
export const answerOf = ({ response }: Endpoint) =>
  z.object({ success: Success, ...response.shape })

function success(e: Endpoint, book: SchemaRegistry): Json {
  const example = e.response.meta()?.example as Json | undefined
  return {
    description: e.status === 201 ? 'Created.' : 'Done.',
    headers: refer('headers', [
      'x-request-id',
      ...RATE_HEADERS,
      ...(e.method === 'POST' ? ['Idempotency-Replayed'] : []),
    ]),
    content: {
      'application/json': {
        schema: book.print(answerOf(e), 'answer'),
        ...(example && { example: { success: true, ...example } }),
      },
    },
  }
}

/** Every code that a call may return, by status. */
function codesOf(e: Endpoint): Code[] {
  const codes: Code[] = [
    ...(e.body ? TARGET.body : []),
    ...TARGET.key,
    ...TARGET.access,
    ...TARGET.store,
    ...(e.params ? (['NOT_FOUND'] as const) : []),
    ...(e.method === 'POST' ? TARGET.repeated : []),
    // A GET without parameters has no input to validate.
    ...(e.query || e.method !== 'GET' ? (['VALIDATION_FAILED'] as const) : []),
    ...e.errors,
    ...TARGET.limits,
    ...TARGET.ours,
  ]
  return [...new Set(codes)].sort((a, b) => CODES[a] - CODES[b])
}

/** Refers to a component in `shared` if several operations have the same refusal. */
function refusal(e: Endpoint, codes: Code[], shared: Json): Json {
  const replayed = e.method === 'POST' && codes.some((code) => !NEVER_STORED.has(code))
  const response = {
    description: codes.map((code) => `- \`${code}\`: ${REFUSALS[code].means}`).join('\n'),
    headers: refer('headers', [
      'x-request-id',
      ...(codes.some((code) => CODES[code] === 401) ? [] : RATE_HEADERS),
      ...(codes.some((code) => WAITS.has(code)) ? ['Retry-After'] : []),
      ...(replayed ? ['Idempotency-Replayed'] : []),
    ]),
    content: {
      'application/json': {
        // Why not also an enum of the codes: generators would make a type of its own of each list.
        schema: { $ref: '#/components/schemas/Error' },
        examples: refer('examples', codes),
      },
    },
  }
  const name = NAME_OF.get(codes.join())
  if (name === undefined) return response
  const fullName = replayed ? `${name}OnPost` : name
  shared[fullName] = response
  return { $ref: `#/components/responses/${fullName}` }
}
