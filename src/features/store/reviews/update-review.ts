import { inTransaction } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/reviews.ts'
import { checkReportable, tallyChanges } from './reviews.rules.ts'
import type { Review, ReviewPatch, Status } from './schema.ts'

/** Shows or hides a review. Publishing a reported one withdraws the report. */
export const updateReview = (
  context: StoreContext,
  id: number,
  patch: ReviewPatch,
): Promise<Review> => changeReview(context, id, () => patch)

/** Marks a published review as reported. It stays visible until it is hidden. */
export const reportReview = (context: StoreContext, id: number): Promise<Review> =>
  changeReview(context, id, (review) => {
    checkReportable(review.status)
    return { status: 'reported' }
  })

/** Answers a review, or replaces the answer. */
export const replyToReview = (context: StoreContext, id: number, reply: string): Promise<Review> =>
  changeReview(context, id, () => ({ reply, replied_at: context.now }))

export const deleteReply = (context: StoreContext, id: number): Promise<Review> =>
  changeReview(context, id, () => ({ reply: null, replied_at: null }))

/** Changes a review under its lock, and keeps the counts of ratings right. */
function changeReview(
  context: StoreContext,
  id: number,
  plan: (review: Review) => q.ReviewChange & { status?: Status | undefined },
): Promise<Review> {
  const { store, now, audit } = context
  return inTransaction(context.db, async (tx) => {
    const before = found(await q.lockReview(tx, store.id, id), 'Review')
    const change = plan(before)
    audit.changed(before, change)
    const after = await q.updateReview(tx, store.id, id, { ...change, now })
    await q.addToTally(tx, store.id, before.product_id, tallyChanges(before, after))
    return after
  })
}
