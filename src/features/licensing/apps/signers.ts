import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type { Db } from '../../../db/database.ts'
import { iso } from '../../../kernel/time.ts'
import type { Vault } from '../../../kernel/vault.ts'
import * as q from './queries.ts'
import { signingKeySealContext } from './sealed.ts'

/** A signing key. Programs verify its signatures with the public half. */
export interface Signer {
  kid: string
  /** Raw, 32 bytes. */
  public_key: Buffer
  not_before: string
  not_after: string | null
  /** base64url without padding, 64 bytes. */
  sign(text: string): string
}

/** Returns the keys of an app that are trusted now or later, oldest first. */
export async function openSigners(
  db: Db,
  vault: Vault,
  { storeId, appId, now_ms }: { storeId: number; appId: number; now_ms: number },
): Promise<Signer[]> {
  const rows = await q.selectSigningKeys(db, storeId, appId)
  const now = iso(now_ms)
  return rows
    .filter((row) => row.not_after === null || row.not_after > now)
    .sort((a, b) => (a.not_before < b.not_before ? -1 : 1))
    .map((row) => asSigner(row, vault, storeId))
}

function asSigner(row: q.SigningKeyRow, vault: Vault, storeId: number): Signer {
  const { kid, public_key, not_before, not_after } = row
  let key: KeyObject | undefined
  return {
    kid,
    public_key,
    not_before,
    not_after,
    sign(text) {
      key ??= createPrivateKey({
        key: vault.open(signingKeySealContext(storeId, kid), row.private_enc),
        format: 'der',
        type: 'pkcs8',
      })
      return sign(null, Buffer.from(text), key).toString('base64url')
    },
  }
}

/**
 * Returns the keys that have started. If none has, because the machine's clock was set back, returns the
 * first key.
 */
const startedSigners = (signers: readonly Signer[], now_ms: number): readonly Signer[] => {
  const now = iso(now_ms)
  const started = signers.filter((item) => item.not_before <= now)
  return started.length > 0 ? started : signers.slice(0, 1)
}

/** Returns the key that signs at a moment: the newest key that has started. */
export function signerAt(signers: readonly Signer[], now_ms: number): Signer {
  const signer = startedSigners(signers, now_ms).at(-1)
  if (!signer) throw new Error('This app has no signing key.')
  return signer
}

/** Returns the key that signs the key set: the oldest trusted key, which programs may have pinned. */
export function oldestSignerAt(signers: readonly Signer[], now_ms: number): Signer {
  const [signer] = startedSigners(signers, now_ms)
  if (!signer) throw new Error('This app has no signing key.')
  return signer
}
