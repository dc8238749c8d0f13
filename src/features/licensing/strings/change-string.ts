import { inTransaction, type Tx } from '../../../db/database.ts'
import { uniqueViolation } from '../../../db/failure.ts'
import { alreadyTaken, checkVersion, found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type Actor, recordChanges } from '../../installation/index.ts'
import * as q from './queries.ts'
import type { ServersideString } from './schema.ts'
import { stringSealContext } from './sealed.ts'

export const openValue = ({ vault, store }: StoreContext, row: q.StringRow): string =>
  vault.open(stringSealContext(store.id, row), row.value_enc).toString()

export const withValue = (context: StoreContext, row: q.StringRow): ServersideString => {
  const { value_enc: _, ...listed } = row
  return { ...listed, value: openValue(context, row) }
}

type Plan = (
  before: q.StringRow,
  sealContext: ReturnType<typeof stringSealContext>,
) => Partial<q.NewStringRow>

/** Saves a new version of a string, with its value sealed for that version. */
export function changeString(
  context: StoreContext,
  actor: Actor,
  { id, version, action }: { id: number; version: number | undefined; action: string },
  plan: Plan,
): Promise<ServersideString> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const before = found(await q.lockString(tx, store.id, id), 'String')
    checkVersion(before.version, version)
    const next = { id, version: before.version + 1 }
    await q.updateString(tx, store.id, id, {
      ...plan(before, stringSealContext(store.id, next)),
      version: next.version,
      updated_at: now,
    })
    return recordStringChange(tx, context, actor, {
      action,
      id,
      before: withValue(context, before),
    })
  })
}

export async function recordStringChange(
  tx: Tx,
  context: StoreContext,
  actor: Actor,
  { action, id, before }: { action: string; id: number; before?: ServersideString },
): Promise<ServersideString> {
  const row = found(await q.selectString(tx, context.store.id, id), 'String')
  const after = withValue(context, row)
  await recordChanges(tx, context, actor, [
    { action, record_type: after.object, record_id: id, before, after },
  ])
  return after
}

export async function refuseTakenName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (uniqueViolation(error)?.index !== 'serverside_string_name_taken') throw error
    throw alreadyTaken('name', 'Another string of this app has this name. Use another name.')
  }
}
