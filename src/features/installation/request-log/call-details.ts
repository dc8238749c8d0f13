import { isUtf8 } from 'node:buffer'
import type { Vault } from '../../../kernel/vault.ts'
import { mask } from './mask.rules.ts'
import type { Body } from './schema.ts'
import { callSealContext } from './sealed.ts'

/** Larger bodies are not kept. */
export const BODY_MAX = 16 * 1024

/** The sealed part of a call's row. */
export interface CallDetails {
  user_agent: string
  idempotency_key: boolean
  request_body: Body
  response_body: Body
  /** True if a secret in the path or in the body was masked, so that the call cannot be repeated. */
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

/** A body as the log shows it, and whether a secret in it was masked. */
export function bodyOf(
  content: Buffer | string | undefined,
  bytes: number,
): { body: Body; masked: boolean } {
  if (bytes === 0) return { body: { content: null, bytes, kept: true }, masked: false }
  const parsed = content === undefined ? undefined : parse(content)
  if (!parsed) return { body: { content: null, bytes, kept: false }, masked: false }
  const { value, changed } = mask(parsed.value)
  return { body: { content: value, bytes, kept: true }, masked: changed }
}

/** The code of a refusal, in the answer's JSON. */
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
