import { sql } from 'kysely'
import { among } from '../../../../db/among.ts'
import type { Db, Tx } from '../../../../db/database.ts'
import { named } from '../../../../db/named.ts'
import { selectNewest } from '../../../../db/newest.ts'
import type { Review, ReviewQuery } from '../schema.ts'

const REVIEW = sql`
  t.id, 'review' as object, t.order_id,
  (select json_build_object('id', p.hash_id, 'name', p.name) from product p
    where p.store_id = t.store_id and p.id = t.product_id) as product,
  t.customer_email, t.rating, t.message, t.automatic, t.status, t.reply, t.replied_at, t.created_at,
  t.updated_at`

export async function selectReview(
  db: Db,
  storeId: number,
  id: number,
): Promise<Review | undefined> {
  const { rows } = await sql<Review>`
    select ${REVIEW} from review t where t.store_id = ${storeId} and t.id = ${id}`.execute(db)
  return rows[0]
}

/** A review with the id of its product, locked for a change. */
export async function lockReview(
  tx: Tx,
  storeId: number,
  id: number,
): Promise<(Review & { product_id: number }) | undefined> {
  const { rows } = await sql<Review & { product_id: number }>`
    select ${REVIEW}, t.product_id
      from review t
     where t.store_id = ${storeId} and t.id = ${id}
       for update of t`.execute(tx)
  return rows[0]
}

/** Returns undefined if the store never had the product; a deleted one is found. */
export async function selectProductId(
  db: Db,
  storeId: number,
  ref: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from product where store_id = ${storeId} and ${named('product', ref)}`.execute(db)
  return rows[0]?.id
}

/** A page of reviews, the newest first, and how many match. */
export function selectReviews(
  db: Db,
  storeId: number,
  productId: number | undefined,
  { rating, email, has_reply, status, automatic, limit, offset }: ReviewQuery,
) {
  return selectNewest<Review>(db, {
    table: 'review',
    columns: REVIEW,
    storeId,
    limit,
    offset,
    filters: [
      productId !== undefined && sql`t.product_id = ${productId}`,
      rating && sql`t.rating = any(${rating.map(Number)}::integer[])`,
      email !== undefined && sql`t.customer_email = ${email}`,
      has_reply !== undefined && sql`(t.reply is not null) = ${sql.lit(has_reply)}`,
      among('t.status', status),
      automatic !== undefined && sql`t.automatic = ${sql.lit(automatic)}`,
    ],
  })
}

/** The product_id of the rows that count the reviews of the whole store. */
export const WHOLE_STORE = 0

export async function selectTally(
  db: Db,
  storeId: number,
  productId: number,
): Promise<{ rating: number; reviews: number }[]> {
  const { rows } = await sql<{ rating: number; reviews: number }>`
    select rating, reviews from review_tally
     where store_id = ${storeId} and product_id = ${productId}
     order by rating`.execute(db)
  return rows
}

/** Adds to the counts of the store and of a product, in the order of their keys so that no two deadlock. */
export async function addToTally(
  tx: Tx,
  storeId: number,
  productId: number,
  changes: readonly { rating: number; by: number }[],
): Promise<void> {
  if (changes.length === 0) return
  await sql`
    insert into review_tally as y (store_id, product_id, rating, reviews)
    select ${storeId}, p.id, c.rating, c.by
      from unnest(${[WHOLE_STORE, productId]}::bigint[]) as p(id)
     cross join unnest(${changes.map((item) => item.rating)}::integer[],
                       ${changes.map((item) => item.by)}::bigint[]) as c(rating, by)
     order by p.id, c.rating
        on conflict (store_id, product_id, rating)
        do update set reviews = y.reviews + excluded.reviews`.execute(tx)
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

/** Creates a review. The order is locked, and has no review of this product. */
export async function insertReview(tx: Tx, storeId: number, row: NewReviewRow): Promise<Review> {
  const { rows } = await sql<Review>`
    with t as (
      insert into review (store_id, order_id, product_id, customer_email, rating, message, automatic,
                          status, created_at, updated_at)
      values (${storeId}, ${row.order_id}, ${row.product_id}, ${row.customer_email}, ${row.rating},
              ${row.message}, ${row.automatic}, 'published', ${row.now}, ${row.now})
      returning *
    )
    select ${REVIEW} from t`.execute(tx)
  const [review] = rows
  if (!review) throw new Error('An insert created no review.')
  return review
}

/** The review of a product in an order, locked; undefined if there is none. */
export async function lockReviewOf(
  tx: Tx,
  storeId: number,
  orderId: string,
  productId: number,
): Promise<Review | undefined> {
  const { rows } = await sql<Review>`
    select ${REVIEW}
      from review t
     where t.store_id = ${storeId} and t.order_id = ${orderId} and t.product_id = ${productId}
       for update of t`.execute(tx)
  return rows[0]
}

/** Products of an order that have no review yet. */
export async function selectUnreviewed(
  tx: Tx,
  storeId: number,
  orderId: string,
  productIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select p.id from unnest(${[...new Set(productIds)]}::bigint[]) as p(id)
     where not exists (select from review t
                        where t.store_id = ${storeId} and t.order_id = ${orderId}
                          and t.product_id = p.id)
     order by p.id`.execute(tx)
  return rows.map((row) => row.id)
}

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
  const changed = tx
    .updateTable('review')
    .set((row) => ({
      ...change,
      updated_at: sql<string>`greatest(${row.ref('updated_at')}, ${now})`,
    }))
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .returningAll()
  const { rows } = await sql<Review>`with t as (${changed}) select ${REVIEW} from t`.execute(tx)
  const [review] = rows
  if (!review) throw new Error(`There is no review ${id} to change.`)
  return review
}

/** Removes personal data from reviews, and returns their ids. The ratings stay. */
export async function clearReviews(
  tx: Tx,
  storeId: number,
  {
    orderIds,
    emails,
    replacement,
  }: { orderIds: readonly string[]; emails: readonly string[]; replacement: string },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update review
       set customer_email = ${replacement}, message = null, reply = null, replied_at = null
     where store_id = ${storeId} and id = any(array(
       select id from review where store_id = ${storeId} and order_id = any(${orderIds}::text[])
        union
       select id from review where store_id = ${storeId} and customer_email = any(${emails}::text[])))
    returning id`.execute(tx)
  return rows.map((row) => row.id)
}
