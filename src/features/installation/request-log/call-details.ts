import { isUtf8 } from 'node:buffer'
import type { Vault } from '../../../kernel/vault.ts'
import { mask } from './mask.rules.ts'
import type { Body } from './schema.ts'
import { callSealContext } from './sealed.ts'

/** The log does not store larger bodies. */
export const BODY_BYTES_MAX = 16 * 1024

/** The sealed part of a call's row. */
interface CallDetails {
  user_agent: string
  idempotency_key: boolean
  request_body: Body
  response_body: Body
  /** True if a secret in the path or the body was masked, or the path was cut, so that the call cannot be repeated. */
  masked: boolean
}

export const sealDetails = (
  vault: Vault,
  storeId: number,
  requestId: string,
  details: CallDetails,
): Buffer => vault.seal(callSealContext(storeId, requestId), JSON.stringify(details))

export const openDetails = (
  vault: Vault,
  storeId: number,
  requestId: string,
  sealed: Buffer,
): CallDetails => JSON.parse(vault.open(callSealContext(storeId, requestId), sealed).toString())

/** Returns a body with masked secrets for the log. */
export function bodyOf(
  content: Buffer | string | undefined,
  bytes: number,
): { body: Body; isMasked: boolean } {
  if (bytes === 0) return { body: { content: null, bytes, kept: true }, isMasked: false }
  const parsed = content === undefined ? undefined : parse(content)
  if (!parsed) return { body: { content: null, bytes, kept: false }, isMasked: false }
  const { value, changed } = mask(parsed.value)
  return { body: { content: value, bytes, kept: true }, isMasked: changed }
}

/** Returns the error code in the JSON of an answer, or null. */
export function codeIn(content: unknown): string | null {
  const code = (content as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^[A-Z_]{3,60}$/.test(code) ? code : null
}

function parse(content: Buffer | string): { value: unknown } | undefined {
  if (Buffer.isBuffer(content) && !isUtf8(content)) return undefined
  try {
    return { value: JSON.parse(content.toString()) }
  } catch {
    return undefined
  }
}
