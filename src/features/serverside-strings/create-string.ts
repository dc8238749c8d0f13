import { inTransaction } from '../../db/database.ts'
import type { Shop } from '../../shop.ts'
import { appNamed } from '../apps/index.ts'
import type { Actor } from '../audit/index.ts'
import { placeOf, refusingTakenName, written } from './change-string.ts'
import * as q from './queries.ts'
import type { NewString, ServersideString } from './schema.ts'

export function createString(shop: Shop, actor: Actor, sent: NewString): Promise<ServersideString> {
  const { store, vault, now } = shop
  return refusingTakenName(() =>
    inTransaction(shop.db, async (tx) => {
      const { app_id, value, ...fields } = sent
      const app = await appNamed(tx, shop, app_id)
      const key = { id: await q.drawStringId(tx), version: 1 }
      await q.insertString(tx, store.id, {
        ...key,
        ...fields,
        app_id: app.id,
        value_bytes: Buffer.byteLength(value),
        value_enc: vault.seal(placeOf(store.id, key), value),
        created_at: now,
        updated_at: now,
      })
      return written(tx, shop, actor, { action: 'serverside_string.create', id: key.id })
    }),
  )
}
