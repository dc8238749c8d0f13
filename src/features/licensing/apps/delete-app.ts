import { inTransaction } from '../../../db/database.ts'
import { found, Refusal } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type Actor, recordChanges } from '../../installation/index.ts'
import * as q from './queries.ts'

/**
 * Deletes an app with its strings and settings. License keys, files and license policies prevent that:
 * without its policy, a variant would sell keys without limits (decision 82).
 */
export function deleteApp(context: StoreContext, actor: Actor, id: number): Promise<void> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const before = found(await q.lockApp(tx, store.id, id, 'to delete it'), 'App')
    if (before.is_default) throw new Refusal(409, 'The default app of a store cannot be deleted.')
    const { keys, files, variant_id } = await q.selectDependents(tx, store.id, id)
    if (keys || files) {
      throw new Refusal(
        409,
        `The app still has ${keys ? 'license keys' : 'files'}. Delete them first.`,
      )
    }
    if (variant_id !== null) {
      throw new Refusal(
        409,
        `The license policy of variant ${variant_id} uses this app. Name another app with PUT /license-policies/${variant_id} first.`,
      )
    }
    await q.deleteApp(tx, store.id, id)
    const change = { action: 'client_app.delete', record_type: 'client_app', record_id: id }
    await recordChanges(tx, context, actor, [{ ...change, before }])
  })
}
