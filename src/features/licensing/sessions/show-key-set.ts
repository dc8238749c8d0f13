import { machineNow } from '../../../store-context.ts'
import { oldestSignerAt, openSigners, type PublicKey } from '../apps/index.ts'
import type { ProgramCall } from './call.ts'

/**
 * Returns the current and the next public keys, signed with the oldest trusted one. A program that
 * pinned that key can follow a rotation.
 */
export async function showKeySet({ context, app }: Pick<ProgramCall, 'context' | 'app'>): Promise<{
  keys: PublicKey[]
  signature: { kid: string; v1: string }
}> {
  const now_ms = machineNow(context)
  const signers = await openSigners(context.db, context.vault, {
    storeId: context.store.id,
    appId: app.id,
    now_ms,
  })
  const keys = signers.map(({ kid, public_key, not_before, not_after }) => ({
    kid,
    alg: 'Ed25519' as const,
    public_key: public_key.toString('base64url'),
    not_before,
    not_after,
  }))
  const signer = oldestSignerAt(signers, now_ms)
  const text = `key-set/v1\n${app.public_id}\n${JSON.stringify(keys)}`
  return { keys, signature: { kid: signer.kid, v1: signer.sign(text) } }
}
