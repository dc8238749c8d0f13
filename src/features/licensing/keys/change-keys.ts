import { inTransaction, type Tx } from '../../../db/database.ts'
import { found, notFound } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type Actor, recordChanges } from '../../installation/index.ts'
import * as q from './queries/keys.ts'
import type { LicenseKey } from './schema.ts'
import { listed, shown } from './show-keys.ts'

/** A change of keys whose rows are locked. */
export type KeyWork = (tx: Tx, keys: readonly q.KeyRow[]) => Promise<void>

/**
 * Changes keys, all or none: a missing key refuses the whole change. Each change is recorded with the key
 * before and after it.
 */
export function changeKeys(
  context: StoreContext,
  actor: Actor,
  { ids, action }: { ids: readonly number[]; action: string },
  work: KeyWork,
): Promise<number> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const before = await q.lockKeys(tx, store.id, ids)
    if (before.length < ids.length) throw notFound('Key', missingOf(ids, before))
    await work(tx, before)
    await recordKeyChanges(tx, context, actor, { action, before })
    return before.length
  })
}

/** Changes one key and returns it. */
export function changeKey(
  context: StoreContext,
  actor: Actor,
  { id, action }: { id: number; action: string },
  work: KeyWork,
): Promise<LicenseKey> {
  return inTransaction(context.db, async (tx) => {
    const txContext = { ...context, db: tx }
    await changeKeys(txContext, actor, { ids: [id], action }, work)
    return shown(context, found(await q.selectKey(tx, context.store.id, id), 'Key'))
  })
}

async function recordKeyChanges(
  tx: Tx,
  context: StoreContext,
  actor: Actor,
  { action, before }: { action: string; before: readonly q.KeyRow[] },
): Promise<void> {
  const ids = before.map((row) => row.id)
  const rows = await q.lockKeys(tx, context.store.id, ids)
  const after = new Map(rows.map((row) => [row.id, listed(context, row)]))
  await recordChanges(
    tx,
    context,
    actor,
    before.map((row) => ({
      action,
      record_type: row.object,
      record_id: row.id,
      before: listed(context, row),
      after: after.get(row.id),
    })),
  )
}

const missingOf = (ids: readonly number[], keys: readonly { id: number }[]): number | undefined =>
  ids.find((id) => !keys.some((key) => key.id === id))
