import { createHash, generateKeyPairSync } from 'node:crypto'
import { inTransaction, type Tx } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import { iso, SECOND_MS } from '../../../kernel/time.ts'
import type { Vault } from '../../../kernel/vault.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import { type KeyActor, recordChanges } from '../../installation/index.ts'
import * as q from './queries.ts'
import type { NewSigningKey, SigningKey } from './schema.ts'
import { signingKeySealContext } from './sealed.ts'

/** The length of a raw public key. It is the end of the DER form, which begins with constant bytes. */
const RAW_BYTES = 32
const KID_LENGTH = 16

interface NewKeyPair {
  app_id: number
  /** Unix milliseconds, by the machine's clock. */
  created_ms: number
  /** Unix milliseconds, by the machine's clock. */
  starts_ms: number
}

/** Creates a key pair for an app and seals the private key. */
export async function addSigningKey(
  tx: Tx,
  vault: Vault,
  storeId: number,
  { app_id, created_ms, starts_ms }: NewKeyPair,
): Promise<q.SigningKeyRow> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const public_key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-RAW_BYTES)
  const kid = createHash('sha256').update(public_key).digest('base64url').slice(0, KID_LENGTH)
  const privateDer = privateKey.export({ format: 'der', type: 'pkcs8' })
  return q.insertSigningKey(tx, storeId, {
    app_id,
    kid,
    public_key,
    private_enc: vault.seal(signingKeySealContext(storeId, kid), privateDer),
    not_before: iso(starts_ms),
    not_after: null,
    created_at: iso(created_ms),
  })
}

/** Returns the public keys of an app. */
export async function listSigningKeys(
  { db, store }: StoreContext,
  appId: number,
): Promise<SigningKey[]> {
  requireRecord(await q.selectApp(db, store.id, appId), 'App')
  return (await q.selectSigningKeys(db, store.id, appId)).map(toSigningKey)
}

/** Creates a new signing key. The old keys stay trusted for `overlap_seconds`. */
export function rotateSigningKey(
  context: StoreContext,
  actor: KeyActor,
  appId: number,
  { starts_in_seconds, overlap_seconds }: NewSigningKey,
): Promise<SigningKey> {
  const { store, vault } = context
  return inTransaction(context.db, async (tx) => {
    requireRecord(await q.lockApp(tx, store.id, appId, 'change'), 'App')
    const created_ms = machineNow(context)
    const starts_ms = created_ms + starts_in_seconds * SECOND_MS
    await q.retireSigningKeys(tx, store.id, appId, iso(starts_ms + overlap_seconds * SECOND_MS))
    const row = await addSigningKey(tx, vault, store.id, { app_id: appId, created_ms, starts_ms })
    const after = toSigningKey(row)
    const change = { action: 'signing_key.create', record_type: 'signing_key', record_id: row.id }
    await recordChanges(tx, context, actor, [{ ...change, after }])
    return after
  })
}

const toSigningKey = ({ private_enc, public_key, ...key }: q.SigningKeyRow): SigningKey => ({
  ...key,
  object: 'signing_key',
  alg: 'Ed25519',
  public_key: public_key.toString('base64url'),
})
