import { inTransaction } from '../../../db/database.ts'
import { found, PlainError } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type Actor, recordChanges } from '../../installation/index.ts'
import * as q from './queries.ts'

/**
 * Removes an app with its strings and settings. What customers hold keeps it, and what the next sale
 * would give them: without its policy a product would sell keys without limits (decision 82).
 */
export function deleteApp(context: StoreContext, actor: Actor, id: number): Promise<void> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const before = found(await q.lockApp(tx, store.id, id, 'to delete it'), 'App')
    if (before.is_default) throw new PlainError(409, 'The default app of a store stays.')
    const { keys, files, variant_id } = await q.selectHeld(tx, store.id, id)
    if (keys || files) {
      throw new PlainError(409, `Delete its ${keys ? 'license keys' : 'files'} first.`)
    }
    if (variant_id !== null) {
      throw new PlainError(
        409,
        `Sales of variant ${variant_id} make its keys: name another app with PUT /license-policies/${variant_id} first.`,
      )
    }
    await q.deleteApp(tx, store.id, id)
    const change = { action: 'client_app.delete', record_type: 'client_app', record_id: id }
    await recordChanges(tx, context, actor, [{ ...change, before }])
  })
}
