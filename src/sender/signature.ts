import { createHmac, timingSafeEqual } from 'node:crypto'

/** The tolerance of the reference verifier, in seconds (specification, Events). */
const TOLERANCE_S = 300
const SECRET_PREFIX = 'whsec_'

/**
 * The `Service-Signature` of a body: `t` in Unix seconds, one `v1` for each secret, the newest
 * last (specification, Events; decision 19). The key is the secret's whole text (decision 38).
 */
export function signatureHeader(secrets: readonly string[], t: number, body: Uint8Array): string {
  return `t=${t}${secrets.map((secret) => `,v1=${hmac(secret, t, body)}`).join('')}`
}

/**
 * Verifies as receivers do: any `v1` may match, and `t` is at most 300 s from now (Unix seconds).
 */
export function verifySignature(
  secret: string,
  header: string,
  body: Uint8Array,
  now_s: number,
): boolean {
  const pairs = header.split(',').map((pair) => pair.split('=') as [string, string | undefined])
  const t = Number(pairs.find(([name]) => name === 't')?.[1])
  if (!Number.isInteger(t) || Math.abs(now_s - t) > TOLERANCE_S) return false
  const expected = Buffer.from(hmac(secret, t, body), 'hex')
  return pairs.some(([name, hex = '']) => {
    const signature = Buffer.from(hex, 'hex')
    return (
      name === 'v1' && signature.length === expected.length && timingSafeEqual(signature, expected)
    )
  })
}

/**
 * The headers of Standard Webhooks for the same bytes. The key is the 24 bytes in base64 after
 * `whsec_` (decision 38). Signatures are separated by spaces, the newest last.
 */
export function standardHeaders(
  id: string,
  secrets: readonly string[],
  t: number,
  body: Uint8Array,
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${t}.`).update(body).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(t),
    'webhook-signature': signatures.join(' '),
  }
}

const hmac = (secret: string, t: number, body: Uint8Array): string =>
  createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
