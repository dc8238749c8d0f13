import { type Changes, changesOf } from '../../../audit/changes.rules.ts'
import { inTransaction, type Tx } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { switchFeature } from '../../installation/index.ts'
import * as q from './queries/program.ts'
import type { Program, ProgramPatch } from './schema.ts'

const asProgram = (program: q.StoredProgram): Program => ({
  object: 'affiliate_program',
  ...program,
})

export const getProgram = async ({ db, store }: StoreContext): Promise<Program> =>
  asProgram(await q.selectProgram(db, store.id))

/** Changes the terms of the programme, and its switch. Conversions that are recorded keep their terms. */
export function updateProgram(
  context: StoreContext,
  { enabled, ...terms }: ProgramPatch,
): Promise<Program> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const before = await q.lockProgram(tx, store.id)
    await q.updateTerms(tx, store.id, terms)
    if (enabled !== undefined && enabled !== before.enabled) {
      await switchFeature(tx, store.hash, { affiliates: enabled })
      context.storeChanged(tx)
    }
    const after = await q.selectProgram(tx, store.id)
    await recordChange(tx, context, changesOf(before, after))
    return asProgram(after)
  })
}

/** The programme has no id of its own, so its audit events name the store. */
async function recordChange(tx: Tx, { audit, store }: StoreContext, changes: Changes) {
  const act = {
    action: 'affiliate.update_program',
    object: 'store',
    object_id: store.hash,
    changes,
  }
  await audit.record(tx, [act])
  audit.done()
}
