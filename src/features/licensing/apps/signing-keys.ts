import { createHash, generateKeyPairSync } from 'node:crypto'
import { inTransaction, type Tx } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import { iso, SECOND_MS } from '../../../kernel/time.ts'
import type { Vault } from '../../../kernel/vault.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import { type Actor, recordChanges } from '../../installation/index.ts'
import * as q from './queries.ts'
import type { NewSigningKey, SigningKey } from './schema.ts'
import { signingKeySealContext } from './sealed.ts'

/** The raw key is the end of its DER form; the prefix is constant for each curve. */
const RAW_BYTES = 32
const KID_LENGTH = 16

interface NewPair {
  app_id: number
  /** By the machine's clock, Unix milliseconds. */
  made_at: number
  starts_at: number
}

/** Creates a key pair for an app and seals the private key. */
export async function addSigningKey(
  tx: Tx,
  vault: Vault,
  storeId: number,
  { app_id, made_at, starts_at }: NewPair,
): Promise<q.SigningKeyRow> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const public_key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-RAW_BYTES)
  const kid = createHash('sha256').update(public_key).digest('base64url').slice(0, KID_LENGTH)
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' })
  return q.insertSigningKey(tx, storeId, {
    app_id,
    kid,
    public_key,
    private_enc: vault.seal(signingKeySealContext(storeId, kid), seed),
    not_before: iso(starts_at),
    not_after: null,
    created_at: iso(made_at),
  })
}

/** The public keys of an app. */
export async function listSigningKeys(
  { db, store }: StoreContext,
  appId: number,
): Promise<SigningKey[]> {
  found(await q.selectApp(db, store.id, appId), 'App')
  return (await q.selectSigningKeys(db, store.id, appId)).map(shown)
}

/** Creates a new signing key. The old keys stay trusted for `overlap_seconds`. */
export function rotateSigningKey(
  context: StoreContext,
  actor: Actor,
  appId: number,
  { starts_in_seconds, overlap_seconds }: NewSigningKey,
): Promise<SigningKey> {
  const { store, vault } = context
  return inTransaction(context.db, async (tx) => {
    found(await q.lockApp(tx, store.id, appId, 'to change it'), 'App')
    const made_at = machineNow(context)
    const starts_at = made_at + starts_in_seconds * SECOND_MS
    await q.retireSigningKeys(tx, store.id, appId, iso(starts_at + overlap_seconds * SECOND_MS))
    const row = await addSigningKey(tx, vault, store.id, { app_id: appId, made_at, starts_at })
    const after = shown(row)
    const change = { action: 'signing_key.create', record_type: 'signing_key', record_id: row.id }
    await recordChanges(tx, context, actor, [{ ...change, after }])
    return after
  })
}

const shown = ({ private_enc: _, public_key, ...key }: q.SigningKeyRow): SigningKey => ({
  ...key,
  object: 'signing_key',
  alg: 'Ed25519',
  public_key: public_key.toString('base64url'),
})
