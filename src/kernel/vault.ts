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

/**
 * The context of a secret: its column, its store, and a value of its row that is known before the
 * insert.
 */
export interface SealContext {
  /** `table.column`; also names the sub-key, so that each column has its own. */
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
  /** Seals with another key from now on; values sealed with earlier keys still open. */
  sealWith(key: Uint8Array): void
  /** A keyed hash for lookups of a secret; the pepper is not stored in the database in clear. */
  hmac(purpose: string, text: string): Buffer
}

/** The public name of a master key. */
export const kidOf = (key: Uint8Array): string =>
  createHash('sha256')
    .update('tradepost kid')
    .update(key)
    .digest('hex')
    .slice(0, KID_BYTES * 2)

/** `keys`: 32 bytes each; the first seals, all open. `pepper`: unique to the installation. */
export function createVault(keys: readonly Uint8Array[], pepper: Uint8Array): Vault {
  const [first] = keys
  if (!first) throw new RangeError('A vault needs a key.')
  let sealing = kidOf(first)
  const masters = new Map(keys.map((key) => [kidOf(key), key]))
  const subKeys = new Map<string, KeyObject>()

  function subKey(kid: string, purpose: string): KeyObject {
    const name = `${kid}|${purpose}`
    const existing = subKeys.get(name)
    if (existing) return existing
    const master = masters.get(kid)
    if (!master) throw missingKey(kid)
    const created = derive(master, purpose)
    subKeys.set(name, created)
    return created
  }

  return {
    get kid() {
      return sealing
    },

    sealWith(key) {
      masters.set(kidOf(key), key)
      sealing = kidOf(key)
    },

    seal(context, plain) {
      const nonce = nextNonce()
      const key = subKey(sealing, context.column)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bytesOf(context))
      const text = typeof plain === 'string' ? Buffer.from(plain) : plain
      const sealed = Buffer.allocUnsafe(HEADER_BYTES + text.byteLength + TAG_BYTES)
      sealed[0] = VERSION
      sealed.write(sealing, 1, 'hex')
      nonce.copy(sealed, 1 + KID_BYTES)
      cipher.update(text).copy(sealed, HEADER_BYTES)
      // In GCM, `update` has returned the whole text; `final` computes the tag.
      cipher.final()
      cipher.getAuthTag().copy(sealed, HEADER_BYTES + text.byteLength)
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
      const text = decipher.update(bytes.subarray(HEADER_BYTES, end))
      // In GCM, `update` has returned the whole text; `final` verifies the tag.
      decipher.final()
      return text
    },

    hmac: (purpose, text) => createHmac('sha256', hmacKey(purpose)).update(text).digest(),
  }

  function hmacKey(purpose: string): KeyObject {
    const name = `pepper|${purpose}`
    const key = subKeys.get(name) ?? derive(pepper, purpose)
    subKeys.set(name, key)
    return key
  }
}

const NONCES = 256
let nonces = Buffer.alloc(0)

/**
 * Random bytes are generated in batches; one request for each nonce costs as much as the cipher.
 */
function nextNonce(): Buffer {
  if (nonces.length === 0) nonces = randomBytes(NONCES * NONCE_BYTES)
  const nonce = nonces.subarray(0, NONCE_BYTES)
  nonces = nonces.subarray(NONCE_BYTES)
  return nonce
}

const derive = (key: Uint8Array, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `tradepost ${purpose}`, 32)))

const bytesOf = ({ column, storeId, row }: SealContext): Buffer =>
  Buffer.from(`${column}|${storeId}|${row}`)

const missingKey = (kid: string) =>
  new Error(
    `This value was sealed with the master key ${kid}, which is missing. Add it to TRADEPOST_SECRETS_KEY.`,
  )
