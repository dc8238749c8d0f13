import { inTransaction } from '../../../db/database.ts'
import { isEmptyChange } from '../../../kernel/empty-change.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type KeyActor, recordChanges } from '../../installation/index.ts'
import { refuseDuplicateName } from './create-app.ts'
import * as q from './queries.ts'
import type { AppPatch, ClientApp } from './schema.ts'

/** Updates an app. Disabling it ends all of its sessions. */
export function updateApp(
  context: StoreContext,
  actor: KeyActor,
  id: number,
  body: AppPatch,
): Promise<ClientApp> {
  const { store, now } = context
  return refuseDuplicateName(() =>
    inTransaction(context.db, async (tx) => {
      const before = requireRecord(await q.lockApp(tx, store.id, id, 'change'), 'App')
      if (isEmptyChange(body)) return before
      await q.updateApp(tx, store.id, id, {
        ...body,
        device_policy: { ...before.device_policy, ...body.device_policy },
        rate_limits: { ...before.rate_limits, ...body.rate_limits },
        updated_at: now,
      })
      // Sessions end on re-enabling too, because one may have started while the app was being disabled.
      if (body.status && [body.status, before.status].includes('disabled')) {
        await q.endSessionsOfApp(tx, store.id, { appId: id, now, reason: 'app_disabled' })
      }
      const after = requireRecord(await q.selectApp(tx, store.id, id), 'App')
      const change = { action: 'client_app.update', record_type: 'client_app', record_id: id }
      await recordChanges(tx, context, actor, [{ ...change, before, after }])
      return after
    }),
  )
}
