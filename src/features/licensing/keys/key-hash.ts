import { randomBytes } from 'node:crypto'
import type { Vault } from '../../../kernel/vault.ts'
import type { StoreContext } from '../../../store-context.ts'
import { formOf, normalise } from './key-text.rules.ts'
import type { KeyRow } from './queries/keys.ts'
import { licenseKeySealContext } from './sealed.ts'

/** The hash of a generated key. Case, spaces and confusable letters do not matter. */
export const hashOfMade = (vault: Vault, appId: number, text: string): Buffer =>
  vault.hmac('license_key', `${appId}|made|${normalise(text)}`)

/** The hash of an imported key. Only the exact text matches. */
export const hashOfImported = (vault: Vault, appId: number, text: string): Buffer =>
  vault.hmac('license_key', `${appId}|imported|${text.trim()}`)

/** The hashes to look a text up by; none if its check symbol is wrong. */
export const hashesOf = (vault: Vault, appId: number, text: string): Buffer[] =>
  formOf(text) === 'mistyped'
    ? []
    : [hashOfMade(vault, appId, text), hashOfImported(vault, appId, text)]

export const sealKey = ({ vault, store }: StoreContext, key_hmac: Buffer, text: string): Buffer =>
  vault.seal(licenseKeySealContext(store.id, key_hmac), text)

export const openKey = (
  { vault, store }: StoreContext,
  key: Pick<KeyRow, 'key_hmac' | 'key_enc'>,
): string => vault.open(licenseKeySealContext(store.id, key.key_hmac), key.key_enc).toString()

/** A random number from 0 to 31. It is uniform, because 256 is a multiple of 32. */
export function drawSymbol(): number {
  if (next === pool.length) {
    pool = randomBytes(POOL_BYTES)
    next = 0
  }
  const value = pool[next] ?? 0
  // A symbol of somebody's key does not stay in memory.
  pool[next++] = 0
  return value % 32
}

/** A thousand keys need 24,000 symbols, and a call to the system for each took 100 ms. */
const POOL_BYTES = 4096
let pool = Buffer.alloc(0)
let next = 0
