import { inTransaction, type Tx } from '../../../db/database.ts'
import { alreadyTaken, unknownId } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { lockOrder, selectItems } from '../orders/index.ts'
import { reviewCreatedEvent } from './events.ts'
import * as q from './queries/index.ts'
import { checkReviewable, productsOf, tallyChanges } from './reviews.rules.ts'
import type { NewReview, Review } from './schema.ts'

/**
 * Records the review of a customer. Each order and product has one review. If it was created automatically, it
 * is overwritten: the id is kept and the reply is removed.
 */
export function createReview(context: StoreContext, body: NewReview): Promise<Review> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, store.id, body.order_id)
    if (!order) throw unknownId('order_id', body.order_id, 'This store has no order')
    checkReviewable(order)
    const items = await selectItems(tx, store.id, order.id)
    const reviewedProduct = items
      .flatMap(productsOf)
      .find(({ id, hash }) => body.product_id === hash || body.product_id === String(id))
    if (!reviewedProduct)
      throw unknownId(
        'product_id',
        body.product_id,
        'The order has no product',
        'Send the id of one of its products.',
      )
    const review = await writeReview(tx, context, {
      order_id: order.id,
      product_id: reviewedProduct.id,
      customer_email: order.customer_email,
      rating: body.rating,
      message: body.message,
      automatic: false,
      now,
    })
    await context.emit(tx, [reviewCreatedEvent(review)])
    return review
  })
}

/** Creates the review or overwrites the automatic one, and counts it. The caller has locked the order. */
async function writeReview(
  tx: Tx,
  { store, audit }: StoreContext,
  row: q.NewReviewRow,
): Promise<Review> {
  const before = await q.lockReviewOfProduct(tx, store.id, row.order_id, row.product_id)
  if (before && !before.automatic) {
    throw alreadyTaken(
      'product_id',
      'The order already has a review of this product, and only one is allowed. Use PATCH /reviews/{id} to hide it.',
    )
  }
  const { rating, message, automatic, now } = row
  const resetFields = { status: 'published', reply: null, replied_at: null }
  const review = before
    ? await q.updateReview(tx, store.id, before.id, {
        rating,
        message,
        automatic,
        ...resetFields,
        now,
      })
    : await q.insertReview(tx, store.id, row)
  audit.reportChange(before ?? null, { rating, automatic })
  await q.addToTally(tx, store.id, row.product_id, tallyChanges(before, review))
  return review
}
