const P = 2n ** 255n - 19n
const SIGN_BIT = 2n ** 255n

/**
 * The y coordinates of the eight points of small order. With such a key, one fixed signature verifies for
 * many texts, so it would prove nothing.
 */
const SMALL_ORDER: readonly bigint[] = [
  0n,
  1n,
  P - 1n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
]

const ED25519_BYTES = 32
const P256_BYTES = 65

export type DeviceKeyKind = 'ed25519' | 'p256'

/** Decodes base64url without padding. Returns undefined unless the text is in canonical form. */
export function fromBase64Url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

const D = (P - ((121665n * inverse(121666n)) % P)) % P

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let [square, rest] = [base % P, exponent]; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % P
    square = (square * square) % P
  }
  return result
}

function inverse(number: bigint): bigint {
  return power(number, P - 2n)
}

/**
 * True if 32 bytes encode a point of Ed25519: x² = (y²-1)/(dy²+1) has a root. Node accepts any 32 bytes
 * as a key, but no signature of a key that is not a point can be verified.
 */
export function isPoint(bytes: Uint8Array): boolean {
  const y = yOf(bytes)
  return power((y * y - 1n + P) * (D * y * y + 1n), (P - 1n) / 2n) === 1n
}

const yOf = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) % SIGN_BIT

/** The kind of a public key. Undefined if the bytes are not a key, or a weak Ed25519 key. */
export function kindOfKey(bytes: Uint8Array): DeviceKeyKind | undefined {
  if (bytes.length === P256_BYTES && bytes[0] === 4) return 'p256'
  if (bytes.length !== ED25519_BYTES) return undefined
  const y = yOf(bytes)
  return y < P && !SMALL_ORDER.includes(y) ? 'ed25519' : undefined
}
