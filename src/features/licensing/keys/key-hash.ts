import { randomBytes } from 'node:crypto'
import type { Vault } from '../../../kernel/vault.ts'
import type { StoreContext } from '../../../store-context.ts'
import { formOf, normalise } from './key-text.rules.ts'
import type { KeyRow } from './queries/keys.ts'
import { licenseKeySealContext } from './sealed.ts'

/** Returns the hash of a generated key. Case, spaces and confusable letters make no difference. */
export const hmacOfKeyText = (vault: Vault, appId: number, text: string): Buffer =>
  vault.hmac('license_key', `${appId}|made|${normalise(text)}`)

/** Returns the hash of an imported key. Only the exact text matches. */
export const hmacOfImportedKey = (vault: Vault, appId: number, text: string): Buffer =>
  vault.hmac('license_key', `${appId}|imported|${text.trim()}`)

/** Returns the hashes under which a key with this text may be stored; none if its check symbol is wrong. */
export const candidateHashes = (vault: Vault, appId: number, text: string): Buffer[] =>
  formOf(text) === 'mistyped'
    ? []
    : [hmacOfKeyText(vault, appId, text), hmacOfImportedKey(vault, appId, text)]

export const sealKey = ({ vault, store }: StoreContext, key_hmac: Buffer, text: string): Buffer =>
  vault.seal(licenseKeySealContext(store.id, key_hmac), text)

export const openKey = (
  { vault, store }: StoreContext,
  key: Pick<KeyRow, 'key_hmac' | 'key_enc'>,
): string => vault.open(licenseKeySealContext(store.id, key.key_hmac), key.key_enc).toString()

/** Random bytes are read in blocks: one system call per symbol took 100 ms for 1,000 keys. */
const POOL_BYTES = 4096
let randomPool = Buffer.alloc(0)
let poolPosition = 0

/** Returns a random number from 0 to 31. It is uniform, because 256 is a multiple of 32. */
export function drawNumber(): number {
  if (poolPosition === randomPool.length) {
    randomPool = randomBytes(POOL_BYTES)
    poolPosition = 0
  }
  const value = randomPool[poolPosition] ?? 0
  // Clears the characters of the key from memory.
  randomPool[poolPosition++] = 0
  return value % 32
}
