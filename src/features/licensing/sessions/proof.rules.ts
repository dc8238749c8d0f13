import { SECOND_MS } from '../../../kernel/time.ts'
import { fromBase64Url } from './device-key.rules.ts'

/** The largest accepted difference between the clocks of device and server. */
const SKEW_MS = 300 * SECOND_MS
/** The time for which a nonce is stored: as long as a proof with it could be accepted. */
export const NONCE_MS = 2 * SKEW_MS

const NONCE_BYTES_MIN = 16
const NONCE_BYTES_MAX = 64

/** Reads `t=…,v1=…`. Returns undefined if the header has another form. */
export function readProof(header: string | undefined): { t: string; v1: string } | undefined {
  const [, t, v1] = /^t=([1-9]\d{0,11}),v1=([A-Za-z0-9_-]{86})$/.exec(header ?? '') ?? []
  return t !== undefined && v1 !== undefined ? { t, v1 } : undefined
}

export const isWithinSkew = (t: string, machine_ms: number): boolean =>
  Math.abs(Number(t) * SECOND_MS - machine_ms) <= SKEW_MS

/** The parts of a call that a device signs. */
interface ProvenCall {
  publicId: string
  method: string
  /** Path and query, relative to the API's base address. */
  path: string
  nonce: string
  t: string
  tokenHash: string
  bodyHash: string
}

/** Returns the text that `Client-Proof` signs (decision 119). */
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

/** Returns true if a nonce is 16 to 64 bytes in canonical base64url without padding. */
export function isNonce(header: string | undefined): header is string {
  const bytes = header === undefined ? undefined : fromBase64Url(header)
  return bytes !== undefined && bytes.length >= NONCE_BYTES_MIN && bytes.length <= NONCE_BYTES_MAX
}
