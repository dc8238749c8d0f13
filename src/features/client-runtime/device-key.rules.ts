const P = 2n ** 255n - 19n
const SIGN_BIT = 2n ** 255n

/**
 * The y of the eight points of small order. Such a key fits a fixed signature of every text, or of
 * many: whoever registers one signs nothing.
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

/** The bytes of base64url without padding; undefined where it is written in another way than it would be. */
export function fromBase64Url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

/** Which kind of public key some bytes are; undefined for none, and for an Ed25519 key that is weak. */
export function kindOfKey(bytes: Uint8Array): DeviceKeyKind | undefined {
  if (bytes.length === P256_BYTES && bytes[0] === 4) return 'p256'
  if (bytes.length !== ED25519_BYTES) return undefined
  const y = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) % SIGN_BIT
  return y < P && !SMALL_ORDER.includes(y) ? 'ed25519' : undefined
}
