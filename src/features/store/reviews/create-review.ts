import { inTransaction, type Tx } from '../../../db/database.ts'
import { alreadyTaken, invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { lockOrder, selectItems } from '../orders/index.ts'
import { asReviewCreated } from './events.ts'
import * as q from './queries/reviews.ts'
import { checkReviewable, tallyChanges } from './reviews.rules.ts'
import type { NewReview, Review } from './schema.ts'

/**
 * Records the review of a customer, one for each order and product. It replaces an automatic one, which
 * keeps its id and loses the reply that was written to it (decision 255).
 */
export function createReview(context: StoreContext, body: NewReview): Promise<Review> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, store.id, body.order_id)
    if (!order) throw invalid('order_id', 'The store has no order with this id.')
    checkReviewable(order)
    const items = await selectItems(tx, store.id, order.id)
    const item = items.find((line) => isProduct(line, body.product_id))
    if (!item) throw invalid('product_id', 'The order has no product with this id.')
    const review = await writeReview(tx, context, {
      order_id: order.id,
      product_id: item.product_id,
      customer_email: order.customer_email,
      rating: body.rating,
      message: body.message,
      automatic: false,
      now,
    })
    await context.emit(tx, [asReviewCreated(review)])
    return review
  })
}

const isProduct = (line: { product_id: number; product_hash: string }, ref: string): boolean =>
  ref === line.product_hash || ref === String(line.product_id)

/** Creates the review, or writes it over the automatic one, and counts it. The order is locked. */
async function writeReview(
  tx: Tx,
  { store, audit }: StoreContext,
  row: q.NewReviewRow,
): Promise<Review> {
  const before = await q.lockReviewOf(tx, store.id, row.order_id, row.product_id)
  if (before && !before.automatic) {
    throw alreadyTaken('product_id', 'The order already has a review of this product.')
  }
  const { rating, message, automatic, now } = row
  const fresh = { status: 'published', reply: null, replied_at: null }
  const review = before
    ? await q.updateReview(tx, store.id, before.id, { rating, message, automatic, ...fresh, now })
    : await q.insertReview(tx, store.id, row)
  audit.changed(before ?? null, { rating, automatic })
  await q.addToTally(tx, store.id, row.product_id, tallyChanges(before, review))
  return review
}
