import { requireRecord } from '../../../kernel/errors.ts'
import { pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import { statsOf } from './reviews.rules.ts'
import type { Review, ReviewQuery } from './schema.ts'

export async function getReview({ db, store }: StoreContext, id: number): Promise<Review> {
  return requireRecord(await q.selectReview(db, store.id, id), 'Review')
}

/** An id that no product has. */
const NO_PRODUCT = -1

/** Returns a page of reviews with the stats of the store, or of the product in the filter. */
export async function listReviews({ db, store }: StoreContext, query: ReviewQuery) {
  const { product_id } = query
  const productId =
    product_id === undefined
      ? undefined
      : ((await q.selectProductId(db, store.id, product_id)) ?? NO_PRODUCT)
  const { records, total } = await q.selectReviews(db, store.id, productId, query)
  const tally = await q.selectTally(db, store.id, productId ?? q.WHOLE_STORE)
  return { reviews: records, stats: statsOf(tally), pagination: pagination(query, total) }
}
