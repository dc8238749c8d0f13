import { z } from 'zod'
import { DateTime, Line, PageQuery, PathId } from '../../../kernel/shapes.ts'

const RequestId = z
  .string()
  .regex(/^req_[0-9A-Za-z]{22}$/, 'Use the x-request-id of a call, such as req_ and 22 characters.')

export const CallPath = z.object({ id: Line(64).describe('The `x-request-id` of the call.') })

const CallFields = {
  request_id: z.string().describe('The `x-request-id` of the answer.'),
  created_at: DateTime.describe("The time of the answer, by the machine's clock."),
  api: z.enum(['store', 'security']).describe('`security` is the Client Security API.'),
  method: z.string().describe('The HTTP method.'),
  path: z.string().describe('The path and the query. Secrets are masked.'),
  operation: z
    .string()
    .nullable()
    .describe('The operation, such as `orders.create`; null for an unknown path.'),
  status: z.int().describe('The HTTP status of the answer.'),
  error_code: z.string().nullable().describe('The code of a refusal, such as `NOT_FOUND`.'),
  duration_ms: z.int().describe('The duration of the call in milliseconds.'),
  api_key: z
    .object({
      id: z.int().describe('The id of the key.'),
      name: z.string().describe('The name of the key.'),
      last4: z.string().describe('The last four characters of the key.'),
    })
    .describe('The API key of the call.'),
  address: z.string().describe('The IP address of the caller.'),
}

export const ApiCall = z
  .object(CallFields)
  .meta({ id: 'ApiCall', description: 'A call of one of the APIs with an API key.' })
export type ApiCall = z.output<typeof ApiCall>

export const Body = z
  .object({
    content: z
      .unknown()
      .describe('The JSON value with masked secrets; null if the body is empty or not kept.'),
    bytes: z.int().describe('The length of the body in bytes.'),
    kept: z
      .boolean()
      .describe(
        'False if the log has no content: a body over 16 KB, a file, or text that is not JSON.',
      ),
  })
  .meta({ id: 'LoggedBody', description: 'The body of a call or of an answer.' })
export type Body = z.output<typeof Body>

export const ApiCallInFull = z
  .object({
    ...CallFields,
    user_agent: z.string().describe('The `User-Agent` header of the call.'),
    idempotency_key: z.boolean().describe('True if the call had an Idempotency-Key.'),
    request_body: Body,
    response_body: Body,
    replayable: z.boolean().describe('True if `POST …/replay` can repeat the call.'),
    why_not: z.string().nullable().describe('The reason why the call cannot be repeated.'),
  })
  .meta({ id: 'ApiCallInFull', description: 'A call with its bodies.' })
export type ApiCallInFull = z.output<typeof ApiCallInFull>

export const CallQuery = z.object({
  limit: PageQuery.limit,
  cursor: RequestId.optional().describe('The `next_cursor` of the previous page.'),
  status: z
    .string()
    .regex(/^[1-5](?:xx|\d\d)$/, 'Use a status such as 422, or a class such as 4xx.')
    .optional()
    .describe('Only calls with this status, such as `422`, or class, such as `4xx`.'),
  operation: Line(64).optional().describe('Only calls of this operation, such as `orders.create`.'),
  api_key_id: PathId.optional().describe('Only calls with this API key.'),
  request_id: Line(64).optional().describe('Only the call with this id.'),
})
export type CallQuery = z.output<typeof CallQuery>

export const Replay = z
  .object({
    request_id: z.string().describe('The `x-request-id` of the new call.'),
    status: z.int().describe('The HTTP status of the answer.'),
    error_code: z.string().nullable().describe('The code of a refusal.'),
    duration_ms: z.int().describe('The duration of the call in milliseconds.'),
    response_body: Body,
  })
  .meta({ id: 'ReplayedCall', description: 'The answer to a repeated call.' })
export type Replay = z.output<typeof Replay>

export const KeyMinute = z
  .object({
    id: z.int().describe('The id of the key.'),
    name: z.string().describe('The name of the key.'),
    last4: z.string().describe('The last four characters of the key.'),
    limit: z.int().describe('The calls that the key may make in 60 seconds; 0 means no limit.'),
    used: z.int().describe('The calls of the key in the past 60 seconds.'),
  })
  .meta({ id: 'KeyMinute', description: 'The calls of a key in the past minute.' })
export type KeyMinute = z.output<typeof KeyMinute>

export const KeyUsage = z
  .object({
    since: DateTime.describe('The start of the counted period, at most 30 days ago.'),
    complete: z.boolean().describe('True if 30 days were counted.'),
    operations: z
      .array(
        z.object({
          operation: z.string().describe('The operation, such as `orders.create`.'),
          permission: z.string().describe('The permission that the operation needs.'),
          calls: z.int().describe('The number of calls in the period.'),
          refused: z.int().describe('The number of calls that were answered with 4xx or 5xx.'),
          last_used_at: DateTime.describe('The time of the last call.'),
        }),
      )
      .describe('The operations that were called, the most frequent first.'),
    used_permissions: z.array(z.string()).describe('Permissions of the key that were used.'),
    unused_permissions: z.array(z.string()).describe('Permissions of the key that were not used.'),
  })
  .meta({ id: 'ApiKeyUsage', description: 'The use of an API key in the past 30 days.' })
export type KeyUsage = z.output<typeof KeyUsage>
