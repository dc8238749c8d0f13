import { createHmac, timingSafeEqual } from 'node:crypto'
import { SECOND_MS } from '../../../kernel/time.ts'

// Time-based one-time passwords (RFC 6238): SHA-1, six digits, 30 seconds, as all apps expect.

const STEP_MS = 30 * SECOND_MS
const DIGITS = 6
/** The accepted steps, relative to the current one, because clocks of phones differ. */
const DRIFT = [0, -1, 1]

export const SECRET_BYTES = 20

export const stepAt = (now: number): number => Math.floor(now / STEP_MS)

/** Returns the code of a step (RFC 4226, section 5.3). */
export function codeAt(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0x0f
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** Returns the step of a code, or undefined if the code is wrong or was used. */
export function matchingStep(
  secret: Uint8Array,
  code: string,
  { now, lastStep }: { now: number; lastStep: number },
): number | undefined {
  const codeBytes = Buffer.from(code)
  return DRIFT.map((drift) => stepAt(now) + drift).find((step) => {
    const expected = Buffer.from(codeAt(secret, step))
    return (
      step > lastStep &&
      codeBytes.length === expected.length &&
      timingSafeEqual(codeBytes, expected)
    )
  })
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes bytes in base32 without padding (RFC 4648), as authenticator apps expect it. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let buffer = 0
  let bits = 0
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += BASE32[(buffer >> bits) & 31]
    }
    buffer &= (1 << bits) - 1
  }
  return bits > 0 ? text + BASE32[(buffer << (5 - bits)) & 31] : text
}

/** Returns the URL that authenticator apps read from a QR code. */
export function otpauthUrl(email: string, secret: Uint8Array): string {
  const query = new URLSearchParams({ secret: base32(secret), issuer: 'Tradepost' })
  return `otpauth://totp/${encodeURIComponent(`Tradepost:${email}`)}?${query}`
}
