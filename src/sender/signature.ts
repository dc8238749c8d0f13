import { createHmac, timingSafeEqual } from 'node:crypto'

/** The tolerance of the reference verifier, in seconds (specification, Events). */
export const TOLERANCE_S = 300
export const SECRET_PREFIX = 'whsec_'

/**
 * Returns the `Service-Signature` of a body: `t` in Unix seconds, and one `v1` for each secret, the newest last
 * (specification, Events; decision 19). The key is the whole text of the secret (decision 38).
 */
export function signatureHeader(
  secrets: readonly string[],
  signedAt_s: number,
  body: Uint8Array,
): string {
  return `t=${signedAt_s}${secrets.map((secret) => `,v1=${hmac(secret, signedAt_s, body)}`).join('')}`
}

/** Verifies a signature as receivers do: any `v1` may match, and `t` is at most 300 s from `now_s`. */
export function verifySignature(
  secret: string,
  header: string,
  body: Uint8Array,
  now_s: number,
): boolean {
  const pairs = header.split(',').map((pair) => pair.split('=') as [string, string | undefined])
  const signedAt_s = Number(pairs.find(([name]) => name === 't')?.[1])
  if (!Number.isInteger(signedAt_s) || Math.abs(now_s - signedAt_s) > TOLERANCE_S) return false
  const expected = Buffer.from(hmac(secret, signedAt_s, body), 'hex')
  return pairs.some(([name, hex = '']) => {
    const signature = Buffer.from(hex, 'hex')
    return (
      name === 'v1' && signature.length === expected.length && timingSafeEqual(signature, expected)
    )
  })
}

/**
 * Returns the headers of Standard Webhooks for the same bytes. The key is the 24 bytes in base64 after
 * `whsec_` (decision 38). Signatures are separated by spaces, the newest last.
 */
export function standardHeaders(
  id: string,
  secrets: readonly string[],
  signedAt_s: number,
  body: Uint8Array,
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${signedAt_s}.`).update(body).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(signedAt_s),
    'webhook-signature': signatures.join(' '),
  }
}

const hmac = (secret: string, signedAt_s: number, body: Uint8Array): string =>
  createHmac('sha256', secret).update(`${signedAt_s}.`).update(body).digest('hex')
