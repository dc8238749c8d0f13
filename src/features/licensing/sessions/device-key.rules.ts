const FIELD_PRIME = 2n ** 255n - 19n
const SIGN_BIT = 2n ** 255n

/**
 * The y coordinates of the eight points of small order. With such a key, one signature is valid for many
 * texts, so a signature would prove nothing.
 */
const SMALL_ORDER: readonly bigint[] = [
  0n,
  1n,
  FIELD_PRIME - 1n,
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

const CURVE_D = (FIELD_PRIME - ((121665n * inverse(121666n)) % FIELD_PRIME)) % FIELD_PRIME

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let [square, bits] = [base % FIELD_PRIME, exponent]; bits > 0n; bits >>= 1n) {
    if (bits & 1n) result = (result * square) % FIELD_PRIME
    square = (square * square) % FIELD_PRIME
  }
  return result
}

function inverse(number: bigint): bigint {
  return power(number, FIELD_PRIME - 2n)
}

/**
 * Returns true if 32 bytes encode a point of Ed25519: x² = (y²-1)/(dy²+1) has a root. Node accepts any 32 bytes
 * as a key, but no signature of a key that is not a point can be verified.
 */
export function isPoint(bytes: Uint8Array): boolean {
  const y = yCoordinate(bytes)
  return power((y * y - 1n + FIELD_PRIME) * (CURVE_D * y * y + 1n), (FIELD_PRIME - 1n) / 2n) === 1n
}

const yCoordinate = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) % SIGN_BIT

/** Returns the kind of a public key; undefined if the bytes are no key or a weak Ed25519 key. */
export function kindOfKey(bytes: Uint8Array): DeviceKeyKind | undefined {
  if (bytes.length === P256_BYTES && bytes[0] === 4) return 'p256'
  if (bytes.length !== ED25519_BYTES) return undefined
  const y = yCoordinate(bytes)
  return y < FIELD_PRIME && !SMALL_ORDER.includes(y) ? 'ed25519' : undefined
}
