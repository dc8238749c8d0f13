import type { StoreContext } from '../../../store-context.ts'
import type { KeyActor } from '../../installation/index.ts'
import type { RecordAndVersion } from '../app-records/index.ts'
import * as q from './queries.ts'
import type { ServersideString, StringContent } from './schema.ts'
import { stringSealContext } from './sealed.ts'
import { openValue, strings } from './string-records.ts'

/** Replaces all fields of a string except its status. */
export function replaceString(
  context: StoreContext,
  actor: KeyActor,
  target: RecordAndVersion,
  { value, ...fields }: StringContent,
): Promise<ServersideString> {
  const { store, vault } = context
  return strings.change(context, actor, {
    ...target,
    async update(tx, { id }, next) {
      await q.saveVersion(tx, store.id, id)
      await q.updateString(tx, store.id, id, {
        ...next,
        ...fields,
        value_bytes: Buffer.byteLength(value),
        value_enc: vault.seal(stringSealContext(store.id, { id, ...next }), value),
      })
    },
  })
}

/** Activates or deactivates a string (specification, "States and transitions"). */
export function switchString(
  context: StoreContext,
  actor: KeyActor,
  target: RecordAndVersion,
  status: ServersideString['status'],
): Promise<ServersideString> {
  const { store, vault } = context
  return strings.change(context, actor, {
    ...target,
    verb: 'switch',
    async update(tx, row, next) {
      await q.saveVersion(tx, store.id, row.id)
      const sealContext = stringSealContext(store.id, { id: row.id, ...next })
      const value_enc = vault.seal(sealContext, openValue(context, row))
      await q.updateString(tx, store.id, row.id, { ...next, status, value_enc })
    },
  })
}
