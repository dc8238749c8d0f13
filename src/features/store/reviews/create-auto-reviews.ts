import { inTransaction } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import { isErasedEmail } from '../../../kernel/erased-email.ts'
import type { StoreContext } from '../../../store-context.ts'
import { lockOrder, selectItems } from '../orders/index.ts'
import { asReviewCreated } from './events.ts'
import { type DueOrder, passOrder } from './queries/auto-reviews.ts'
import * as q from './queries/reviews.ts'
import { AUTOMATIC_MESSAGE, AUTOMATIC_RATING, tallyChanges } from './reviews.rules.ts'

/**
 * Creates an automatic review for each product of the order that has none, unless the order was refunded
 * or its customer erased meanwhile. Returns false if another process has done it.
 */
export function createAutoReviews(context: StoreContext, due: DueOrder): Promise<boolean> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    if (!(await passOrder(tx, due))) return false
    const order = await lockOrder(tx, store.id, due.id)
    if (order?.status !== 'completed' || isErasedEmail(order.customer_email)) return true
    const items = await selectItems(tx, store.id, order.id)
    const bought = items.map((item) => item.product_id)
    const events: NewEvent[] = []
    for (const product_id of await q.selectUnreviewed(tx, store.id, order.id, bought)) {
      const review = await q.insertReview(tx, store.id, {
        order_id: order.id,
        product_id,
        customer_email: order.customer_email,
        rating: AUTOMATIC_RATING,
        message: AUTOMATIC_MESSAGE,
        automatic: true,
        now,
      })
      await q.addToTally(tx, store.id, product_id, tallyChanges(undefined, review))
      events.push(asReviewCreated(review))
    }
    await context.emit(tx, events)
    return true
  })
}
