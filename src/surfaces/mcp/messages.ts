import { invalid, Refusal, wordsOf } from '../../kernel/errors.ts'
import { parseJson } from '../../kernel/json.ts'

/** A request of JSON-RPC, or a notification, which has no id and gets no answer. */
export interface RpcMessage {
  id: string | number | undefined
  method: string
  params: Record<string, unknown>
}

/** The codes of JSON-RPC 2.0. */
export const RPC_CODES = {
  json: -32_700,
  request: -32_600,
  method: -32_601,
  params: -32_602,
  /** For a call that the server refuses, such as one without a key. */
  refused: -32_000,
} as const

/** The refusal of one request, which becomes the `error` of its answer. */
export class RpcError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Reads a message. Throws for a batch, which the protocol has no longer. */
export function readMessage(contentType: string | undefined, body: unknown): RpcMessage {
  if (!/^application\/json\b/i.test(contentType ?? '') || !Buffer.isBuffer(body))
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'Send the message as application/json in UTF-8.')
  const value = parseJson(body)
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw invalid('body', 'Send one message of JSON-RPC as a JSON object. A batch is not accepted.')
  const { jsonrpc, id, method, params = {} } = value as Record<string, unknown>
  if (jsonrpc !== '2.0') throw invalid('jsonrpc', 'Write "2.0".')
  if (typeof method !== 'string') throw invalid('method', 'Name a method, such as tools/list.')
  if (id !== undefined && !isId(id))
    throw invalid(
      'id',
      'Write a text or a number up to 2^53 - 1, or leave it out for a notification.',
    )
  if (params === null || typeof params !== 'object' || Array.isArray(params))
    throw invalid('params', 'Write a JSON object.')
  return { id, method, params: params as Record<string, unknown> }
}

/** A larger number would come back as another one, which the caller could not match. */
const isId = (id: unknown): id is string | number =>
  typeof id === 'string' || (typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER)

/** A larger body is parsed only if `parseJson` allows it, because parsing takes longer then. */
const ID_BYTES_MAX = 64 * 1024
const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/** Returns the id of a body that is a message, however invalid its other parts are; null if it cannot be read. */
export function readableId(body: unknown): string | number | null {
  if (!Buffer.isBuffer(body)) return null
  try {
    // `parseJson` also refuses JSON with a repeated key, deep nesting or NUL.
    const value = body.length > ID_BYTES_MAX ? parseJson(body) : JSON.parse(UTF_8.decode(body))
    const { id } = Object(value)
    return isId(id) ? id : null
  } catch {
    return null
  }
}

/** Returns a refusal as a message. `data` has the code, the details and the request id of the Store API. */
export function refusalMessage(
  refusal: Refusal,
  id: string | number | null,
  request_id: string,
): string {
  const { code = 'INVALID_STATE' } = refusal
  const { error: message, details } = wordsOf(refusal)
  const rpcCode =
    code === 'INVALID_JSON'
      ? RPC_CODES.json
      : code === 'VALIDATION_FAILED'
        ? RPC_CODES.request
        : RPC_CODES.refused
  const data = { code, ...(details && { details }), request_id }
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: rpcCode, message, data } })
}

export const resultMessage = (id: RpcMessage['id'], result: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result })

export const errorMessage = (id: RpcMessage['id'], { code, message }: RpcError): string =>
  JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } })
