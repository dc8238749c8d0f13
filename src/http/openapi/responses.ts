import { z } from 'zod'
import { CODES, type Code } from '../../kernel/errors.ts'
import type { Endpoint } from '../endpoint.ts'
import { REFUSALS, REQUEST_ID } from './errors.ts'
import type { Json, SchemaRegistry } from './schemas.ts'

const integerHeader = (description: string, example: number) => ({
  description,
  schema: { type: 'integer', format: 'int64', minimum: 0 },
  example,
})
const textHeader = (description: string, example: string) => ({
  description,
  schema: { type: 'string' },
  example,
})

export const HEADERS = {
  'x-request-id': textHeader('The id of the call, to quote in a support request.', REQUEST_ID),
  'RateLimit-Policy': textHeader(
    'The limit of calls: `q` calls in `w` seconds.',
    '"minute";q=300;w=60',
  ),
  RateLimit: textHeader(
    'The remaining calls `r`, and the seconds `t` until another call becomes available.',
    '"minute";r=299;t=60',
  ),
  'x-ratelimit-limit': integerHeader('The calls that the key may make in 60 seconds.', 300),
  'x-ratelimit-remaining': integerHeader('The remaining calls of the key.', 299),
  'x-ratelimit-reset': integerHeader(
    'The Unix time at which another call becomes available.',
    1767225660,
  ),
  'Retry-After': integerHeader('The seconds to wait before the next call.', 1),
  'Idempotency-Replayed': {
    description: 'Present if this is the stored answer to an earlier call with the same key.',
    schema: { type: 'string', const: 'true' },
  },
}
type Header = keyof typeof HEADERS

/** The headers of the rate limit. Answers to a key that is unknown or has no limit lack them. */
const RATE_HEADERS: readonly Header[] = [
  'RateLimit-Policy',
  'RateLimit',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]

/** Returns references to components of a kind, by name. */
export const referencesTo = (kind: string, names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/${kind}/${name}` }]))

/** The refusals before the handler runs. They are not stored for an Idempotency-Key (decision 10). */
const EARLY_CODES = {
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
  failures: ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'],
} as const satisfies Record<string, readonly Code[]>

const NEVER_STORED: ReadonlySet<Code> = new Set(Object.values(EARLY_CODES).flat())
const HAS_RETRY_AFTER: ReadonlySet<Code> = new Set([
  ...EARLY_CODES.limits,
  'IDEMPOTENCY_IN_PROGRESS',
  'SERVICE_UNAVAILABLE',
])

/** The groups of codes that many operations have for a status, by the name of their component. */
const SHARED: Record<string, readonly Code[]> = {
  InvalidJson: ['INVALID_JSON'],
  Unauthorized: EARLY_CODES.key,
  Forbidden: EARLY_CODES.access,
  StoreNotFound: EARLY_CODES.store,
  NotFound: [...EARLY_CODES.store, 'NOT_FOUND'],
  IdempotencyInProgress: ['IDEMPOTENCY_IN_PROGRESS'],
  PayloadTooLarge: ['PAYLOAD_TOO_LARGE'],
  UnsupportedMediaType: ['UNSUPPORTED_MEDIA_TYPE'],
  ValidationFailed: ['VALIDATION_FAILED'],
  ValidationFailedOrKeyReused: ['IDEMPOTENCY_KEY_REUSED', 'VALIDATION_FAILED'],
  TooManyRequests: EARLY_CODES.limits,
  InternalError: ['INTERNAL_ERROR'],
  ServiceUnavailable: ['SERVICE_UNAVAILABLE'],
}
const NAME_OF = new Map(Object.entries(SHARED).map(([name, codes]) => [codes.join(), name]))

/** Returns the responses of an operation by status: the success, and the refusals. */
export function responsesOf(endpoint: Endpoint, registry: SchemaRegistry, shared: Json): Json {
  const success = successResponse(endpoint, registry)
  const responses: Json = { [endpoint.status ?? 200]: success }
  if (endpoint.isExisting) responses[200] = { ...success, description: 'It existed already.' }
  const codes = codesOf(endpoint)
  for (const status of new Set(codes.map((code) => CODES[code]))) {
    responses[status] = refusalResponse(
      endpoint,
      codes.filter((code) => CODES[code] === status),
      shared,
    )
  }
  return responses
}

const Success = z.literal(true).describe('Always true.')

/** Returns the shape of an answer: the fields of the endpoint and `success`. */
export const answerOf = ({ response }: Pick<Endpoint, 'response'>) =>
  z.object({ success: Success, ...response.shape })

function successResponse(endpoint: Endpoint, registry: SchemaRegistry): Json {
  const example = endpoint.response.meta()?.example as Json | undefined
  return {
    description: endpoint.status === 201 ? 'Created.' : 'Done.',
    headers: referencesTo('headers', [
      'x-request-id',
      ...RATE_HEADERS,
      ...(endpoint.method === 'POST' ? ['Idempotency-Replayed'] : []),
    ]),
    content: {
      'application/json': {
        schema: registry.print(answerOf(endpoint), 'answer'),
        ...(example && { example: { success: true, ...example } }),
      },
    },
  }
}

/** Returns every code that a call may be refused with, sorted by status. */
function codesOf(endpoint: Endpoint): Code[] {
  const codes: Code[] = [
    ...(endpoint.body ? EARLY_CODES.body : []),
    ...EARLY_CODES.key,
    ...EARLY_CODES.access,
    ...EARLY_CODES.store,
    ...(endpoint.params ? (['NOT_FOUND'] as const) : []),
    ...(endpoint.method === 'POST' ? EARLY_CODES.repeated : []),
    // A GET without parameters has no input to validate.
    ...(endpoint.query || endpoint.method !== 'GET' ? (['VALIDATION_FAILED'] as const) : []),
    ...endpoint.errors,
    ...EARLY_CODES.limits,
    ...EARLY_CODES.failures,
  ]
  return [...new Set(codes)].sort((code, other) => CODES[code] - CODES[other])
}

/** Describes the refusals of a status. A common group becomes a component in `shared` and is referenced. */
function refusalResponse(endpoint: Endpoint, codes: Code[], shared: Json): Json {
  const isStored = endpoint.method === 'POST' && codes.some((code) => !NEVER_STORED.has(code))
  const response = {
    description: codes.map((code) => `- \`${code}\`: ${REFUSALS[code].meaning}`).join('\n'),
    headers: referencesTo('headers', [
      'x-request-id',
      ...(codes.some((code) => CODES[code] === 401) ? [] : RATE_HEADERS),
      ...(codes.some((code) => HAS_RETRY_AFTER.has(code)) ? ['Retry-After'] : []),
      ...(isStored ? ['Idempotency-Replayed'] : []),
    ]),
    content: {
      'application/json': {
        // The schema has no enum of the codes, because generators would create a type for each list.
        schema: { $ref: '#/components/schemas/Error' },
        examples: referencesTo('examples', codes),
      },
    },
  }
  const name = NAME_OF.get(codes.join())
  if (name === undefined) return response
  const fullName = isStored ? `${name}OnPost` : name
  shared[fullName] = response
  return { $ref: `#/components/responses/${fullName}` }
}
