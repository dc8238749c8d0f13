import { inTransaction } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import { isErasedEmail } from '../../../kernel/erased-email.ts'
import type { StoreContext } from '../../../store-context.ts'
import { lockOrder, selectItems } from '../orders/index.ts'
import { reviewCreatedEvent } from './events.ts'
import * as q from './queries/index.ts'
import { AUTOMATIC_MESSAGE, AUTOMATIC_RATING, productsOf, tallyChanges } from './reviews.rules.ts'

/**
 * Creates an automatic review for each product of an order for which there is no review. Does nothing if the order
 * was refunded, its customer was erased, or another process has handled the order.
 */
export function createAutoReviews(
  context: StoreContext,
  dueOrder: q.UnreviewedOrder,
): Promise<void> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    if (!(await q.advanceCursor(tx, dueOrder))) return
    const order = await lockOrder(tx, store.id, dueOrder.id)
    if (order?.status !== 'completed' || isErasedEmail(order.customer_email)) return
    const items = await selectItems(tx, store.id, order.id)
    const productIds = items.flatMap(productsOf).map(({ id }) => id)
    const events: NewEvent[] = []
    for (const product_id of await q.selectUnreviewedProducts(tx, store.id, order.id, productIds)) {
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
      events.push(reviewCreatedEvent(review))
    }
    await context.emit(tx, events)
  })
}
