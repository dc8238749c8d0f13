import { changesOf } from '../../../audit/changes.rules.ts'
import { inTransaction } from '../../../db/database.ts'
import { isEmptyChange } from '../../../kernel/empty-change.ts'
import type { StoreContext } from '../../../store-context.ts'
import { updateFeatures } from '../../installation/index.ts'
import * as q from './queries/index.ts'
import type { Program, ProgramPatch } from './schema.ts'

const asProgram = (program: q.StoredProgram): Program => ({
  object: 'affiliate_program',
  ...program,
})

export const getProgram = async ({ db, store }: StoreContext): Promise<Program> =>
  asProgram(await q.selectProgram(db, store.id))

/** Changes the terms of the programme and switches it on or off. Recorded conversions keep their terms. */
export function updateProgram(
  context: StoreContext,
  { enabled, ...terms }: ProgramPatch,
): Promise<Program> {
  const { store, audit } = context
  return inTransaction(context.db, async (tx) => {
    const before = await q.lockProgram(tx, store.id)
    if (enabled === undefined && isEmptyChange(terms)) {
      audit.skipEvent()
      return asProgram(before)
    }
    await q.updateTerms(tx, store.id, terms)
    if (enabled !== undefined && enabled !== before.enabled) {
      await updateFeatures(tx, store.hash, { affiliates: enabled })
      context.clearCachesAfterCommit(tx)
    }
    const after = await q.selectProgram(tx, store.id)
    // The programme has no id of its own, so its audit events name the store.
    const changes = changesOf(before, after)
    const auditEvent = {
      action: 'affiliate.update_program',
      object: 'store',
      object_id: store.hash,
      changes,
    }
    if (Object.keys(changes).length > 0) await audit.record(tx, [auditEvent])
    audit.skipEvent()
    return asProgram(after)
  })
}
