import { inTransaction } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { Actor } from '../../installation/index.ts'
import { appNamed } from '../apps/index.ts'
import { recordStringChange, refuseTakenName } from './change-string.ts'
import * as q from './queries.ts'
import type { NewString, ServersideString } from './schema.ts'
import { stringSealContext } from './sealed.ts'

export function createString(
  context: StoreContext,
  actor: Actor,
  body: NewString,
): Promise<ServersideString> {
  const { store, vault, now } = context
  return refuseTakenName(() =>
    inTransaction(context.db, async (tx) => {
      const { app_id, value, ...fields } = body
      const app = await appNamed(tx, context, app_id)
      const key = { id: await q.drawStringId(tx), version: 1 }
      await q.insertString(tx, store.id, {
        ...key,
        ...fields,
        app_id: app.id,
        value_bytes: Buffer.byteLength(value),
        value_enc: vault.seal(stringSealContext(store.id, key), value),
        created_at: now,
        updated_at: now,
      })
      return recordStringChange(tx, context, actor, {
        action: 'serverside_string.create',
        id: key.id,
      })
    }),
  )
}
