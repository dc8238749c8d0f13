import { inTransaction } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type Actor, recordChanges } from '../../installation/index.ts'
import { refuseTakenName } from './create-app.ts'
import * as q from './queries.ts'
import type { AppPatch, ClientApp } from './schema.ts'

/** Updates an app. Disabling it ends all of its sessions. */
export function updateApp(
  context: StoreContext,
  actor: Actor,
  id: number,
  body: AppPatch,
): Promise<ClientApp> {
  const { store, now } = context
  return refuseTakenName(() =>
    inTransaction(context.db, async (tx) => {
      const before = found(await q.lockApp(tx, store.id, id, 'to change it'), 'App')
      await q.updateApp(tx, store.id, id, {
        ...body,
        device_policy: { ...before.device_policy, ...body.device_policy },
        rate_limits: { ...before.rate_limits, ...body.rate_limits },
        updated_at: now,
      })
      // Also on re-enabling: a session that started during the disabling must not survive.
      if (body.status && [body.status, before.status].includes('disabled')) {
        await q.endSessionsOfApp(tx, store.id, { appId: id, now, reason: 'app_disabled' })
      }
      const after = found(await q.selectApp(tx, store.id, id), 'App')
      const change = { action: 'client_app.update', record_type: 'client_app', record_id: id }
      await recordChanges(tx, context, actor, [{ ...change, before, after }])
      return after
    }),
  )
}
