import type { StoreContext } from '../../../store-context.ts'
import type { KeyActor } from '../../installation/index.ts'
import * as q from './queries.ts'
import type { NewString, ServersideString } from './schema.ts'
import { stringSealContext } from './sealed.ts'
import { strings } from './string-records.ts'

export function createString(
  context: StoreContext,
  actor: KeyActor,
  { app_id, value, ...fields }: NewString,
): Promise<ServersideString> {
  const { store, vault, now } = context
  return strings.create(context, actor, {
    app_id,
    async insert(tx, app) {
      const id = await q.nextStringId(tx)
      const version = 1
      await q.insertString(tx, store.id, {
        id,
        version,
        ...fields,
        app_id: app.id,
        value_bytes: Buffer.byteLength(value),
        value_enc: vault.seal(stringSealContext(store.id, { id, version }), value),
        created_at: now,
        updated_at: now,
      })
      return id
    },
  })
}
