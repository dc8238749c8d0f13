import { inTransaction } from '../../../db/database.ts'
import { isEmptyChange } from '../../../kernel/empty-change.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import { checkReportable, tallyChanges } from './reviews.rules.ts'
import type { Review, ReviewPatch, ReviewStatus } from './schema.ts'

/** Hides or publishes a review. Publishing a reported review withdraws the report. */
export const updateReview = (
  context: StoreContext,
  id: number,
  patch: ReviewPatch,
): Promise<Review> => changeReview(context, id, () => patch)

/** Marks a published review as reported. The review remains visible until it is hidden. */
export const reportReview = (context: StoreContext, id: number): Promise<Review> =>
  changeReview(context, id, (review) => {
    checkReportable(review.status)
    return { status: 'reported' }
  })

/** Replies to a review, or replaces the reply. */
export const replyToReview = (context: StoreContext, id: number, reply: string): Promise<Review> =>
  changeReview(context, id, (review) =>
    review.reply === reply ? {} : { reply, replied_at: context.now },
  )

export const deleteReply = (context: StoreContext, id: number): Promise<Review> =>
  changeReview(context, id, (review) =>
    review.reply === null ? {} : { reply: null, replied_at: null },
  )

/** Locks and changes a review, and updates the counts of ratings. */
function changeReview(
  context: StoreContext,
  id: number,
  changeOf: (review: Review) => q.ReviewChange & { status?: ReviewStatus | undefined },
): Promise<Review> {
  const { store, now, audit } = context
  return inTransaction(context.db, async (tx) => {
    const before = requireRecord(await q.lockReview(tx, store.id, id), 'Review')
    const change = changeOf(before)
    if (isEmptyChange(change)) {
      audit.skipEvent()
      return before
    }
    audit.reportChange(before, change)
    const after = await q.updateReview(tx, store.id, id, { ...change, now })
    await q.addToTally(tx, store.id, before.product_id, tallyChanges(before, after))
    return after
  })
}
