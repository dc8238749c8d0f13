import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/** The length of a master key and of the pepper. */
export const KEY_BYTES = 32
const VERSION = 1
const KID_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEADER_BYTES = 1 + KID_BYTES + NONCE_BYTES
/** The name of the pepper among the keys. The name of a master key is hexadecimal. */
const PEPPER = 'pepper'

/**
 * The context of a secret: its column, its store, and a value of its row that is chosen before the
 * insert.
 */
export interface SealContext {
  /** `table.column`. Each column has a separate sub-key. */
  column: string
  storeId: number
  row: string
}

/**
 * Encrypts stored secrets and hashes secrets for lookups. A sealed value is `version 1 | key id 4 |
 * nonce 12 | ciphertext | tag 16`, AES-256-GCM. Its context is authenticated, so a value moved to
 * another row, column or store does not open.
 */
export interface Vault {
  seal(context: SealContext, plain: string | Uint8Array): Buffer
  /** Throws if the value was changed or moved, or if its master key is missing. */
  open(context: SealContext, sealed: Uint8Array): Buffer
  /** The public name of the key that seals. */
  readonly kid: string
  /** Seals with another key from now on. Values that were sealed with earlier keys can still be opened. */
  sealWith(key: Uint8Array): void
  /** Returns a keyed hash for lookups of a secret. Its key is derived from the pepper. */
  hmac(purpose: string, text: string): Buffer
}

/** Returns the public name of a master key. */
export const kidOf = (key: Uint8Array): string =>
  createHash('sha256')
    .update('tradepost kid')
    .update(key)
    .digest('hex')
    .slice(0, KID_BYTES * 2)

/**
 * Creates a vault. `keys` have 32 bytes each: the first one seals, and all of them open. `pepper` is
 * unique to the installation.
 */
export function createVault(keys: readonly Uint8Array[], pepper: Uint8Array): Vault {
  const [first] = keys
  if (!first) throw new RangeError('A vault needs a key.')
  let sealingKid = kidOf(first)
  const mainKeys = new Map(keys.map((key) => [kidOf(key), key])).set(PEPPER, pepper)
  const subKeys = new Map<string, KeyObject>()

  /** Returns a key for one purpose, derived from a master key or from the pepper. */
  function subKey(name: string, purpose: string): KeyObject {
    const subKeyName = `${name}|${purpose}`
    const existingKey = subKeys.get(subKeyName)
    if (existingKey) return existingKey
    const mainKey = mainKeys.get(name)
    if (!mainKey) throw missingKey(name)
    const newKey = deriveKey(mainKey, purpose)
    subKeys.set(subKeyName, newKey)
    return newKey
  }

  return {
    get kid() {
      return sealingKid
    },

    sealWith(key) {
      sealingKid = kidOf(key)
      mainKeys.set(sealingKid, key)
    },

    seal(context, plain) {
      const nonce = nextNonce()
      const key = subKey(sealingKid, context.column)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bytesOf(context))
      const plainBytes = typeof plain === 'string' ? Buffer.from(plain) : plain
      const sealed = Buffer.allocUnsafe(HEADER_BYTES + plainBytes.byteLength + TAG_BYTES)
      sealed[0] = VERSION
      sealed.write(sealingKid, 1, 'hex')
      nonce.copy(sealed, 1 + KID_BYTES)
      cipher.update(plainBytes).copy(sealed, HEADER_BYTES)
      // In GCM, `update` has returned the whole text; `final` computes the tag.
      cipher.final()
      cipher.getAuthTag().copy(sealed, HEADER_BYTES + plainBytes.byteLength)
      return sealed
    },

    open(context, sealed) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
      if (bytes[0] !== VERSION) throw new Error('This value was not sealed by a vault.')
      const key = subKey(bytes.toString('hex', 1, 1 + KID_BYTES), context.column)
      const nonce = bytes.subarray(1 + KID_BYTES, HEADER_BYTES)
      const end = bytes.length - TAG_BYTES
      const decipher = createDecipheriv('aes-256-gcm', key, nonce)
        .setAAD(bytesOf(context))
        .setAuthTag(bytes.subarray(end))
      const plainBytes = decipher.update(bytes.subarray(HEADER_BYTES, end))
      // In GCM, `update` has returned the whole text; `final` verifies the tag.
      decipher.final()
      return plainBytes
    },

    hmac: (purpose, text) => createHmac('sha256', subKey(PEPPER, purpose)).update(text).digest(),
  }
}

const NONCES_PER_BATCH = 256
let nonceBatch = Buffer.alloc(0)

/**
 * Returns random bytes, which are generated in batches: a request for each nonce would cost as much as
 * the encryption.
 */
function nextNonce(): Buffer {
  if (nonceBatch.length === 0) nonceBatch = randomBytes(NONCES_PER_BATCH * NONCE_BYTES)
  const nonce = nonceBatch.subarray(0, NONCE_BYTES)
  nonceBatch = nonceBatch.subarray(NONCE_BYTES)
  return nonce
}

const deriveKey = (key: Uint8Array, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `tradepost ${purpose}`, KEY_BYTES)))

const bytesOf = ({ column, storeId, row }: SealContext): Buffer =>
  Buffer.from(`${column}|${storeId}|${row}`)

const missingKey = (kid: string) =>
  new Error(
    `This value was sealed with the master key ${kid}, which is missing. Add it to TRADEPOST_SECRETS_KEY.`,
  )
