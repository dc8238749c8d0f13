import { inTransaction, type Tx } from '../../../db/database.ts'
import { notFound, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type KeyActor, recordChanges } from '../../installation/index.ts'
import * as q from './queries/index.ts'
import { toListedKey } from './show-keys.ts'

/** A change of keys whose rows are locked. Returns true if it also changed records other than the keys. */
export type KeyWork = (tx: Tx, keys: readonly q.KeyRow[]) => Promise<boolean>

/**
 * Changes all keys or none: if a key is missing, the whole change is refused. The audit event of each key
 * has the record before and after the change.
 */
export function changeKeys(
  context: StoreContext,
  actor: KeyActor,
  { ids, action }: { ids: readonly number[]; action: string },
  work: KeyWork,
): Promise<number> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const before = await q.lockKeys(tx, store.id, ids)
    if (before.length < ids.length) throw notFound('Key', firstMissing(ids, before))
    const changes_others = await work(tx, before)
    const after = await q.lockKeys(tx, store.id, ids)
    await recordKeyChanges(tx, context, actor, { action, before, after, changes_others })
    return before.length
  })
}

/** Changes one key, and returns its row. */
export function changeKey(
  context: StoreContext,
  actor: KeyActor,
  { id, action }: { id: number; action: string },
  work: KeyWork,
): Promise<q.KeyRow> {
  return inTransaction(context.db, async (tx) => {
    const txContext = { ...context, db: tx }
    await changeKeys(txContext, actor, { ids: [id], action }, work)
    return requireRecord(await q.selectKey(tx, context.store.id, id), 'Key')
  })
}

/** The rows of keys before and after a change. */
interface ChangedKeys {
  action: string
  before: readonly q.KeyRow[]
  after: readonly q.KeyRow[]
  changes_others?: boolean
}

/** Records the audit events of a change of locked keys. */
export async function recordKeyChanges(
  tx: Tx,
  context: StoreContext,
  actor: KeyActor,
  { action, before, after: rows, changes_others = false }: ChangedKeys,
): Promise<void> {
  const afterById = new Map(rows.map((row) => [row.id, toListedKey(context, row)]))
  await recordChanges(
    tx,
    context,
    actor,
    before.map((row) => ({
      action,
      record_type: row.object,
      record_id: row.id,
      before: toListedKey(context, row),
      after: afterById.get(row.id),
      changes_others,
    })),
  )
}

const firstMissing = (
  ids: readonly number[],
  keys: readonly { id: number }[],
): number | undefined => ids.find((id) => !keys.some((key) => key.id === id))
