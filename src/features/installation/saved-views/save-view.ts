import { inTransaction } from '../../../db/database.ts'
import { isEmptyChange } from '../../../kernel/empty-change.ts'
import { invalidState, notFound, requireRecord } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import { callingUserId, lockUser } from '../users/index.ts'
import * as q from './queries.ts'
import type { NewSavedView, SavedView, SavedViewPatch } from './schema.ts'

/** The maximum number of views of a user in a store. */
const VIEWS_MAX = 50

const ownerOf = (context: StoreContext): q.Owner => ({
  store_id: context.store.id,
  user_id: callingUserId(context),
})

export const listViews = (context: StoreContext, page: string | undefined): Promise<SavedView[]> =>
  q.selectViews(context.db, ownerOf(context), page)

export function saveView(context: StoreContext, view: NewSavedView): Promise<SavedView> {
  const owner = ownerOf(context)
  return inTransaction(context.db, async (tx) => {
    // Without the lock, two concurrent calls could both save the last allowed view.
    await lockUser(tx, owner.user_id)
    if ((await q.selectViews(tx, owner, undefined)).length >= VIEWS_MAX) {
      throw invalidState(
        'full',
        `You have ${VIEWS_MAX} saved views in this store. Delete one first.`,
      )
    }
    return q.insertView(tx, owner, view, iso(machineNow(context)))
  })
}

export function updateView(
  context: StoreContext,
  id: number,
  patch: SavedViewPatch,
): Promise<SavedView> {
  return inTransaction(context.db, async (tx) => {
    const view = requireRecord(await q.lockView(tx, ownerOf(context), id), 'Saved view')
    if (isEmptyChange(patch)) return view
    const fields = { ...patch, updated_at: iso(machineNow(context)) }
    const changed = await q.updateView(tx, context.store.id, id, fields)
    context.audit.reportChange(view, changed)
    return changed
  })
}

export function deleteView(context: StoreContext, id: number): Promise<void> {
  return inTransaction(context.db, async (tx) => {
    if (!(await q.deleteView(tx, ownerOf(context), id))) throw notFound('Saved view')
  })
}
