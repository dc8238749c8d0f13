import { inTransaction } from '../../../db/database.ts'
import { checkVersion, found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type Actor, recordChanges } from '../../installation/index.ts'
import { withValue } from './change-string.ts'
import * as q from './queries.ts'

export function deleteString(
  context: StoreContext,
  actor: Actor,
  { id, version }: { id: number; version: number | undefined },
): Promise<void> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const row = found(await q.lockString(tx, store.id, id), 'String')
    checkVersion(row.version, version)
    await q.deleteString(tx, store.id, id)
    const before = withValue(context, row)
    const change = { action: 'serverside_string.delete', record_type: before.object, record_id: id }
    await recordChanges(tx, context, actor, [{ ...change, before }])
  })
}
