import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { PROBLEMS_MAX } from '../kernel/bounded.ts'
import type { BrokenRule } from '../kernel/broken-rule.ts'
import { fieldPath } from '../kernel/echo.ts'
import { invalid, Refusal } from '../kernel/errors.ts'
import { parseJson, refuseUnstorable } from '../kernel/json.ts'
import { describeIssue, describeParameterIssue, kindOf } from './describe-issue.ts'
import type { Endpoint } from './endpoint.ts'
import { malformedId } from './name-missing.rules.ts'
import { ruleOfIssue } from './rule-of-issue.ts'

/** A request before validation. */
interface RawRequest {
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

export interface RequestInput extends RequestContents {
  params: unknown
}

interface RequestContents {
  query: unknown
  body: unknown
}

/** The shapes that a request is checked against. */
export type RequestShapes = Pick<
  Endpoint,
  'method' | 'path' | 'params' | 'query' | 'body' | 'upload'
>

const NO_BODY = z.strictObject({})
const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** Validates a request: first the body, then the query, then the path. */
export function readRequest(endpoint: RequestShapes, raw: RawRequest): RequestInput {
  return { ...readContents(endpoint, raw), params: readParams(endpoint, raw.params) }
}

/** Validates the body and the query. */
export function readContents(endpoint: RequestShapes, raw: RawRequest): RequestContents {
  const body = endpoint.method === 'GET' ? undefined : readBody(endpoint, raw)
  const query =
    endpoint.query && checkShape(endpoint.query, raw.query, refuseParameter, describeParameterIssue)
  refuseUnstorable(query, 'query')
  return { query, body }
}

/** Validates the path. A malformed id gives the same refusal as a missing record (decision 12). */
export const readParams = ({ path, params }: RequestShapes, rawParams: unknown): unknown =>
  params && checkShape(params, rawParams, (error) => refusalOfPath(path, rawParams, error))

/** Returns the refusal of an invalid path. An empty id is probably an unset variable or a trailing slash. */
const refusalOfPath = (path: string, params: unknown, { issues: [first] }: z.ZodError): Refusal =>
  Object.values(Object(params)).includes('')
    ? new Refusal(
        'NOT_FOUND',
        'An id in the path is empty. Send the id, or remove the trailing slash.',
      )
    : malformedId(path, first?.path[0], params)

function readBody(endpoint: RequestShapes, raw: RawRequest): unknown {
  const { contentType, contentEncoding = 'identity', body, fields } = raw
  if (fields && endpoint.upload) {
    refuseUnstorable(fields)
    return checkShape(endpoint.upload.form, fields, invalidInput)
  }
  const isEmpty = body === undefined || body.length === 0
  if (!isEmpty && !JSON_TYPE.test(contentType ?? '')) {
    throw wrongType(endpoint)
  }
  if (!isEmpty && contentEncoding.toLowerCase() !== 'identity') {
    throw unsupportedType('Send the body as it is, without Content-Encoding.')
  }
  if (isEmpty && endpoint.body && endpoint.method === 'PATCH') {
    throw invalid('body', missingBodyText(endpoint.body), { rule: 'required' })
  }
  const value = isEmpty ? {} : parseJson(body)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    const message = `Send the fields of the request in one JSON object, not ${kindOf(value)}.`
    throw invalid('body', message, { rule: 'type', expected: 'object' })
  }
  return checkShape(endpoint.body ?? NO_BODY, value, invalidInput)
}

/** Returns the message for a PATCH without a body. `{}` is named where it is accepted. */
const missingBodyText = (body: z.ZodType): string =>
  body.safeParse({}).success
    ? 'Send the fields to change as a JSON object; {} changes nothing.'
    : 'Send the fields to change as a JSON object.'

export function wrongType({ upload }: Pick<RequestShapes, 'upload'>): Refusal {
  if (!upload) {
    return unsupportedType(
      'Send the header Content-Type: application/json, and the body as JSON in UTF-8.',
    )
  }
  const bodyType = upload.bare ? 'application/octet-stream' : 'application/json in UTF-8'
  return unsupportedType(`Send a file as multipart/form-data, or the body as ${bodyType}.`)
}

const unsupportedType = (message: string) => new Refusal('UNSUPPORTED_MEDIA_TYPE', message)

/** Checks a body against a shape that depends on the path, such as that of a named payment provider. */
export const readBodyAs = <S extends z.ZodType>(shape: S, body: unknown): z.output<S> =>
  checkShape(shape, body, invalidInput) as z.output<S>

function checkShape(
  shape: z.ZodType,
  value: unknown,
  toRefusal: (error: z.ZodError) => Refusal,
  describe = describeIssue,
) {
  // A missing field is recognised by its input.
  const result = shape.safeParse(value, { error: describe, reportInput: true })
  if (result.success) return result.data
  throw toRefusal(result.error)
}

/** The limit of `details.errors`, so that an answer is smaller than 16 KiB (decision 120). */
const ERRORS_BYTES_MAX = 12 * 1024

/** Returns a refusal whose `field` names the first problem and whose `errors` lists as many as fit. */
function invalidInput(error: z.ZodError): Refusal {
  const issues = error.issues.filter(isTightest).slice(0, PROBLEMS_MAX)
  const [first, ...others] = issues.flatMap(problemsOf)
  if (!first) return invalid('body', 'The request is not valid.')
  const errors = [first]
  let bytes = bytesOf(first)
  for (const problem of others.slice(0, PROBLEMS_MAX - 1)) {
    bytes += bytesOf(problem)
    if (bytes > ERRORS_BYTES_MAX) break
    errors.push(problem)
  }
  return invalid(first.field, first.message, { errors })
}

/**
 * Returns false for the limit of all integers, 2^53, if a limit of the field itself is broken too. A caller who keeps to
 * the former would be refused again.
 */
const isTightest = (issue: z.core.$ZodIssue, _: number, issues: readonly z.core.$ZodIssue[]) =>
  !('note' in issue) ||
  !issues.some((other) => other !== issue && fieldPath(other.path) === fieldPath(issue.path))

const bytesOf = (problem: Problem): number => Buffer.byteLength(JSON.stringify(problem))

/** Returns the refusal of query parameters. A list parameter is named without an index. */
const refuseParameter = (error: z.ZodError): Refusal =>
  invalidInput(
    new z.ZodError(error.issues.map((issue) => ({ ...issue, path: issue.path.slice(0, 1) }))),
  )

interface Problem extends Partial<BrokenRule> {
  field: string
  message: string
  allowed?: unknown[]
}

function problemsOf(issue: z.core.$ZodIssue): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.message.split('\n').map((message, index) => ({
      field: fieldPath([...issue.path, issue.keys[index] ?? '']),
      message,
      ...ruleOfIssue(issue),
    }))
  }
  const { message } = issue
  // A problem of the whole body has no path.
  const field = fieldPath(issue.path) || 'body'
  const allowed = issue.code === 'invalid_value' && { allowed: [...issue.values] }
  return [{ field, message, ...allowed, ...ruleOfIssue(issue) }]
}
