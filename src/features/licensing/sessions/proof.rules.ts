import { SECOND_MS } from '../../../kernel/time.ts'
import { fromBase64Url } from './device-key.rules.ts'

/** How far the clock of a device may be from ours. */
const SKEW_MS = 300 * SECOND_MS
/** How long a nonce is remembered: as long as a proof with it could be believed. */
export const NONCE_MS = 2 * SKEW_MS

const NONCE_BYTES_MIN = 16
const NONCE_BYTES_MAX = 64

/** `t=…,v1=…`, once. */
export function readProof(header: string | undefined): { t: string; v1: string } | undefined {
  const [, t, v1] = /^t=([1-9]\d{0,11}),v1=([A-Za-z0-9_-]{86})$/.exec(header ?? '') ?? []
  return t !== undefined && v1 !== undefined ? { t, v1 } : undefined
}

export const isWithinSkew = (t: string, machine_ms: number): boolean =>
  Math.abs(Number(t) * SECOND_MS - machine_ms) <= SKEW_MS

/** What a device signs of a call. */
export interface ProvenCall {
  publicId: string
  method: string
  /** With its query, relative to the API's address. */
  path: string
  nonce: string
  t: string
  tokenHash: string
  bodyHash: string
}

/** The text of `Client-Proof` (decision 119). */
export const proofText = (call: ProvenCall): string =>
  [
    'client-request/v1',
    call.publicId,
    call.method,
    call.path,
    call.nonce,
    call.t,
    call.tokenHash,
    call.bodyHash,
  ].join('\n')

/** Whether a nonce is 16 to 64 bytes, written in the one way that base64url without padding has. */
export function isNonce(header: string | undefined): header is string {
  const bytes = header === undefined ? undefined : fromBase64Url(header)
  return bytes !== undefined && bytes.length >= NONCE_BYTES_MIN && bytes.length <= NONCE_BYTES_MAX
}
