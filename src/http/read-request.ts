import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { PROBLEMS_MAX } from '../kernel/bounded.ts'
import { fieldPath } from '../kernel/echo.ts'
import { invalid, Refusal } from '../kernel/errors.ts'
import { parseJson, refuseUnstorable } from '../kernel/json.ts'
import { describeIssue, describeParameterIssue } from './describe-issue.ts'
import type { Endpoint } from './endpoint.ts'
import { malformed } from './name-missing.rules.ts'

/** A request before validation. */
export interface RawRequest {
  contentType: string | undefined
  contentEncoding?: string | undefined
  params: unknown
  query: unknown
  body: Uint8Array | undefined
  /** The text fields sent with a file. */
  fields?: Record<string, string> | undefined
}

export const rawOf = ({ headers, params, query, body }: FastifyRequest): RawRequest => ({
  contentType: headers['content-type'],
  contentEncoding: headers['content-encoding'],
  params,
  query,
  body: body as Uint8Array | undefined,
})

export interface Read {
  params: unknown
  query: unknown
  body: unknown
}

/** The shapes that a request is checked against. */
export type Shapes = Pick<Endpoint, 'method' | 'path' | 'params' | 'query' | 'body' | 'upload'>

const NO_BODY = z.strictObject({})
const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/**
 * Validates a request: first the body, then the query, then the path. A malformed id gives the same
 * refusal as a missing record (decision 12).
 */
export function readRequest(e: Shapes, raw: RawRequest): Read {
  const body = e.method === 'GET' ? undefined : readBody(e, raw)
  const query = e.query && check(e.query, raw.query, refuseParameter, describeParameterIssue)
  const params =
    e.params && check(e.params, raw.params, (error) => whyNoRecord(e.path, raw.params, error))
  refuseUnstorable(query)
  return { params, query, body }
}

/** An empty id is probably an unset variable, or a trailing slash on a list. */
const whyNoRecord = (path: string, params: unknown, { issues: [first] }: z.ZodError): Refusal =>
  Object.values(Object(params)).includes('')
    ? new Refusal(
        'NOT_FOUND',
        'An id in the path is empty. Send the id, or remove the trailing slash.',
      )
    : malformed(path, first?.path[0], params)

function readBody(e: Shapes, raw: RawRequest): unknown {
  const { contentType, contentEncoding = 'identity', body, fields } = raw
  if (fields && e.upload) {
    refuseUnstorable(fields)
    return check(e.upload.form, fields, refuse)
  }
  const empty = body === undefined || body.length === 0
  if (!empty && !JSON_TYPE.test(contentType ?? '')) {
    throw wrongType(e)
  }
  if (!empty && contentEncoding.toLowerCase() !== 'identity') {
    throw unsupported('Send the body as it is, without Content-Encoding.')
  }
  if (empty && e.body && e.method === 'PATCH') {
    throw invalid('body', 'Send the fields to change as a JSON object; {} changes nothing.')
  }
  const value = empty ? {} : parseJson(body)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw invalid('', 'The body must be a JSON object.')
  }
  return check(e.body ?? NO_BODY, value, refuse)
}

export function wrongType({ upload }: Pick<Shapes, 'upload'>): Refusal {
  if (!upload) return unsupported('Send the body as application/json in UTF-8.')
  const other = upload.bare ? 'application/octet-stream' : 'application/json in UTF-8'
  return unsupported(`Send a file as multipart/form-data, or the body as ${other}.`)
}

const unsupported = (message: string) => new Refusal('UNSUPPORTED_MEDIA_TYPE', message)

function check(
  shape: z.ZodType,
  value: unknown,
  refusal: (error: z.ZodError) => Refusal,
  say = describeIssue,
) {
  const result = shape.safeParse(value, { error: say })
  if (result.success) return result.data
  throw refusal(result.error)
}

/** The limit for `details.errors`; the whole answer stays below 16 KiB (decision 120). */
const ERRORS_BYTES_MAX = 12 * 1024

/** `field` names the first problem; `errors` lists as many as fit. */
function refuse(error: z.ZodError): Refusal {
  const [first, ...others] = error.issues.slice(0, PROBLEMS_MAX).flatMap(problems)
  if (!first) return invalid('', 'The request is not valid.', { errors: [] })
  const errors = [first]
  let bytes = bytesOf(first)
  for (const problem of others.slice(0, PROBLEMS_MAX - 1)) {
    bytes += bytesOf(problem)
    if (bytes > ERRORS_BYTES_MAX) break
    errors.push(problem)
  }
  return invalid(first.field, first.message, { errors })
}

const bytesOf = (problem: Problem): number => Buffer.byteLength(JSON.stringify(problem))

/** A list parameter is named as a whole, without an index. */
const refuseParameter = (error: z.ZodError): Refusal =>
  refuse(new z.ZodError(error.issues.map((issue) => ({ ...issue, path: issue.path.slice(0, 1) }))))

interface Problem {
  field: string
  message: string
  allowed?: unknown[]
}

function problems(issue: z.core.$ZodIssue): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.message.split('\n').map((message, at) => ({
      field: fieldPath([...issue.path, issue.keys[at] ?? '']),
      message,
    }))
  }
  const { message } = issue
  const field = fieldPath(issue.path)
  return [
    issue.code === 'invalid_value'
      ? { field, message, allowed: [...issue.values] }
      : { field, message },
  ]
}
