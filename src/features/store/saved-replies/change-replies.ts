import { lockRecord } from '../../../db/advisory-locks.ts'
import { inTransaction } from '../../../db/database.ts'
import { refuseDuplicates } from '../../../db/failure.ts'
import { deleteRecord } from '../../../db/records.ts'
import { isEmptyChange } from '../../../kernel/empty-change.ts'
import { alreadyTaken, invalidState, notFound, requireRecord } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { NewSavedReply, SavedReply, SavedReplyPatch } from './schema.ts'

/** The maximum number of saved replies of a store. */
const REPLIES_MAX = 200

const withFreeName = (save: () => Promise<SavedReply>): Promise<SavedReply> =>
  refuseDuplicates('saved_reply_once', save, () =>
    alreadyTaken('name', 'A saved reply has this name already. Use another name.'),
  )

export const listReplies = ({ db, store }: StoreContext): Promise<SavedReply[]> =>
  q.selectReplies(db, store.id)

export function saveReply(context: StoreContext, reply: NewSavedReply): Promise<SavedReply> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    // Without the lock, two concurrent calls could both save the last allowed reply.
    await lockRecord(tx, 'store_replies', store.id)
    if ((await q.selectReplies(tx, store.id)).length >= REPLIES_MAX) {
      throw invalidState('full', `This store has ${REPLIES_MAX} saved replies. Delete one first.`)
    }
    return withFreeName(() => q.insertReply(tx, store.id, reply, iso(machineNow(context))))
  })
}

export function updateReply(
  context: StoreContext,
  id: number,
  patch: SavedReplyPatch,
): Promise<SavedReply> {
  return inTransaction(context.db, async (tx) => {
    const before = requireRecord(await q.lockReply(tx, context.store.id, id), 'Saved reply')
    if (isEmptyChange(patch)) return before
    const columns = { ...patch, updated_at: iso(machineNow(context)) }
    const after = await withFreeName(() => q.updateReply(tx, context.store.id, id, columns))
    context.audit.reportChange(before, after)
    return after
  })
}

export function deleteReply(context: StoreContext, id: number): Promise<void> {
  return inTransaction(context.db, async (tx) => {
    const isDeleted = await deleteRecord(tx, 'saved_reply', { storeId: context.store.id, id })
    if (!isDeleted) throw notFound('Saved reply')
  })
}
