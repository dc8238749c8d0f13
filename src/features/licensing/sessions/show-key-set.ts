import { machineNow } from '../../../store-context.ts'
import { oldestAt, openSigners } from '../apps/index.ts'
import type { Call } from './call.ts'

/** A public key as client programs receive it. */
export interface PublicKey {
  kid: string
  alg: 'Ed25519'
  public_key: string
  not_before: string
  not_after: string | null
}

/**
 * R1: returns the current and the next public keys, signed with the oldest trusted one. A program that
 * pinned that key can follow a rotation.
 */
export async function showKeySet({ context, app }: Pick<Call, 'context' | 'app'>): Promise<{
  keys: PublicKey[]
  signature: { kid: string; v1: string }
}> {
  const at = machineNow(context)
  const signers = await openSigners(context.db, context.vault, {
    storeId: context.store.id,
    appId: app.id,
    at,
  })
  const keys = signers.map(({ kid, public_key, not_before, not_after }) => ({
    kid,
    alg: 'Ed25519' as const,
    public_key: public_key.toString('base64url'),
    not_before,
    not_after,
  }))
  const signer = oldestAt(signers, at)
  const text = `key-set/v1\n${app.public_id}\n${JSON.stringify(keys)}`
  return { keys, signature: { kid: signer.kid, v1: signer.sign(text) } }
}
