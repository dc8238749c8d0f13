import { requireRecord } from '../../kernel/errors.ts'
import { iso } from '../../kernel/time.ts'
import { machineNow, type StoreContext } from '../../store-context.ts'
import * as q from './queries/index.ts'
import type { ShownSecret } from './schema.ts'
import { endpointSecretSealContext } from './sealed.ts'

const SHOWN_LENGTH = 4

/** Returns the last characters of the secrets that sign the deliveries of an endpoint. */
export async function showSecret(context: StoreContext, id: string): Promise<ShownSecret> {
  const { db, store, vault } = context
  const row = requireRecord(await q.selectStoredSecrets(db, store.id, id), 'Endpoint')
  const lastCharactersOf = (secret_enc: Buffer) =>
    vault.open(endpointSecretSealContext(store.id, id), secret_enc).toString().slice(-SHOWN_LENGTH)
  const { prev_secret_enc: old, prev_secret_until: until } = row
  const isOldValid = old !== null && until !== null && until > iso(machineNow(context))
  return {
    last4: lastCharactersOf(row.secret_enc),
    signs_since: row.secret_from ?? row.created_at,
    old: isOldValid
      ? { last4: lastCharactersOf(old), until: iso(Date.parse(until) + store.clock_offset_ms) }
      : null,
  }
}
