import { inTransaction } from '../../../db/database.ts'
import { Refusal, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type KeyActor, recordChanges } from '../../installation/index.ts'
import * as q from './queries.ts'

/**
 * Deletes an app with its strings and settings. An app with license keys, files or license policies cannot
 * be deleted: a variant that lost its policy would sell keys without limits.
 */
export function deleteApp(context: StoreContext, actor: KeyActor, id: number): Promise<void> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const before = requireRecord(await q.lockApp(tx, store.id, id, 'delete'), 'App')
    if (before.is_default)
      throw new Refusal(409, 'The default app of a store cannot be deleted. Disable it instead.')
    const { has_keys, has_files, variant_id } = await q.selectDependents(tx, store.id, id)
    if (has_keys || has_files) {
      throw new Refusal(
        409,
        `The app still has ${has_keys ? 'license keys' : 'files'}. Delete them first.`,
      )
    }
    if (variant_id !== null) {
      throw new Refusal(
        409,
        `The license policy of variant ${variant_id} uses this app. Set another app with PUT /license-policies/${variant_id} first.`,
      )
    }
    await q.deleteApp(tx, store.id, id)
    const change = { action: 'client_app.delete', record_type: 'client_app', record_id: id }
    await recordChanges(tx, context, actor, [{ ...change, before }])
  })
}
