import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { hasEmail } from '../../../../db/has-email.ts'
import { selectNewest } from '../../../../db/newest.ts'
import { isOneOf } from '../../../../db/one-of.ts'
import { hasRef } from '../../../../db/refs.ts'
import { allRows, allValues, firstRow, firstValue, onlyRow } from '../../../../db/rows.ts'
import type { Review, ReviewQuery } from '../schema.ts'

const REVIEW = sql`
  t.id, 'review' as object, t.order_id,
  (select json_build_object('id', p.hash_id, 'name', p.name) from product p
    where p.store_id = t.store_id and p.id = t.product_id) as product,
  t.customer_email, t.rating, t.message, t.automatic, t.status, t.reply, t.replied_at, t.created_at,
  t.updated_at`

export const selectReview = (db: Db, storeId: number, id: number) =>
  firstRow<Review>(db)`
    select ${REVIEW} from review t where t.store_id = ${storeId} and t.id = ${id}`

/** Locks a review, and returns it with the id of its product. */
export const lockReview = (tx: Tx, storeId: number, id: number) =>
  firstRow<Review & { product_id: number }>(tx)`
    select ${REVIEW}, t.product_id
      from review t
     where t.store_id = ${storeId} and t.id = ${id}
       for update of t`

/** Returns the id of a product, also if it was deleted. Returns undefined if the store never had the product. */
export const selectProductId = (db: Db, storeId: number, productRef: string) =>
  firstValue<number>(db)`
    select id from product where store_id = ${storeId} and ${hasRef('product', productRef)}`

/** Returns a page of reviews, the newest first, and the number of matches. */
export function selectReviews(
  db: Db,
  storeId: number,
  productId: number | undefined,
  { rating, email, has_reply, status, automatic, ...page }: ReviewQuery,
) {
  return selectNewest<Review>(db, {
    table: 'review',
    columns: REVIEW,
    storeId,
    ...page,
    filters: [
      productId !== undefined && sql`t.product_id = ${productId}`,
      rating && sql`t.rating = any(${rating.map(Number)}::integer[])`,
      email !== undefined && hasEmail('t.customer_email', email),
      has_reply !== undefined && sql`(t.reply is not null) = ${sql.lit(has_reply)}`,
      isOneOf('t.status', status),
      automatic !== undefined && sql`t.automatic = ${sql.lit(automatic)}`,
    ],
  })
}

/** The `product_id` of the rows that count all reviews of the store. */
export const WHOLE_STORE = 0

export const selectTally = (db: Db, storeId: number, productId: number) =>
  allRows<{ rating: number; reviews: number }>(db)`
    select rating, reviews from review_tally
     where store_id = ${storeId} and product_id = ${productId}
     order by rating`

/** Adds to the counts of a store and of a product, in the sequence of the keys, so that two calls never deadlock. */
export async function addToTally(
  tx: Tx,
  storeId: number,
  productId: number,
  changes: readonly { rating: number; delta: number }[],
): Promise<void> {
  if (changes.length === 0) return
  await sql`
    insert into review_tally as tally (store_id, product_id, rating, reviews)
    select ${storeId}, p.id, change.rating, change.delta
      from unnest(${[WHOLE_STORE, productId]}::bigint[]) as p(id)
     cross join unnest(${changes.map((item) => item.rating)}::integer[],
                       ${changes.map((item) => item.delta)}::bigint[]) as change(rating, delta)
     order by p.id, change.rating
        on conflict (store_id, product_id, rating)
        do update set reviews = tally.reviews + excluded.reviews`.execute(tx)
}

export interface NewReviewRow {
  order_id: string
  product_id: number
  customer_email: string
  rating: number
  message: string | null
  automatic: boolean
  now: string
}

/** Inserts a review. The caller has locked the order, which has no review of the product. */
export const insertReview = (tx: Tx, storeId: number, row: NewReviewRow) =>
  onlyRow<Review>(tx)`
    with t as (
      insert into review (store_id, order_id, product_id, customer_email, rating, message, automatic,
                          status, created_at, updated_at)
      values (${storeId}, ${row.order_id}, ${row.product_id}, ${row.customer_email}, ${row.rating},
              ${row.message}, ${row.automatic}, 'published', ${row.now}, ${row.now})
      returning *
    )
    select ${REVIEW} from t`

/** Locks and returns the review of a product in an order. */
export const lockReviewOfProduct = (tx: Tx, storeId: number, orderId: string, productId: number) =>
  firstRow<Review>(tx)`
    select ${REVIEW}
      from review t
     where t.store_id = ${storeId} and t.order_id = ${orderId} and t.product_id = ${productId}
       for update of t`

/** Returns the ids of the products that have no review in an order. */
export const selectUnreviewedProducts = (
  tx: Tx,
  storeId: number,
  orderId: string,
  productIds: readonly number[],
) =>
  allValues<number>(tx)`
    select p.id from unnest(${[...new Set(productIds)]}::bigint[]) as p(id)
     where not exists (select from review t
                        where t.store_id = ${storeId} and t.order_id = ${orderId}
                          and t.product_id = p.id)
     order by p.id`

export interface ReviewChange {
  rating?: number
  message?: string | null
  automatic?: boolean
  status?: string | undefined
  reply?: string | null
  replied_at?: string | null
}

export async function updateReview(
  tx: Tx,
  storeId: number,
  id: number,
  { now, ...change }: ReviewChange & { now: string },
): Promise<Review> {
  const update = tx
    .updateTable('review')
    .set((row) => ({
      ...change,
      updated_at: sql<string>`greatest(${row.ref('updated_at')}, ${now})`,
    }))
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .returningAll()
  return onlyRow<Review>(tx)`with t as (${update}) select ${REVIEW} from t`
}

/** Removes personal data from reviews, and returns their ids. The ratings are not changed. */
export const clearReviews = (
  tx: Tx,
  storeId: number,
  {
    orderIds,
    emails,
    replacement,
  }: { orderIds: readonly string[]; emails: readonly string[]; replacement: string },
) =>
  allValues<number>(tx)`
    update review
       set customer_email = ${replacement}, message = null, reply = null, replied_at = null
     where store_id = ${storeId} and id = any(array(
       select id from review where store_id = ${storeId} and order_id = any(${orderIds}::text[])
        union
       select id from review where store_id = ${storeId} and customer_email = any(${emails}::text[])))
    returning id`
