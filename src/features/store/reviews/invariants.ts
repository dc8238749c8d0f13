import { sql } from 'kysely'
import { type Invariant, invariantOf } from '../../../db/invariant.ts'

export const reviewInvariants: readonly Invariant[] = [
  invariantOf(
    'reviews_are_counted',
    'The stored counts of ratings equal the numbers of reviews that are not hidden, for each product and for the store.',
    sql`
      select store_id, product_id, rating
        from (select store_id, product_id, rating, reviews from review_tally
               union all
              select r.store_id, p.id, r.rating, -1
                from review r
               cross join lateral (values (r.product_id), (0)) as p(id)
               where r.status <> 'hidden') t
       group by store_id, product_id, rating
      having sum(reviews) <> 0`,
  ),
  invariantOf(
    'reviews_have_orders',
    'The product of a review is in its order, itself or as a bundle.',
    sql`
      select r.store_id, r.id
        from review r
       where not exists (select from order_item i
                          where i.store_id = r.store_id and i.order_id = r.order_id
                            and r.product_id in (i.product_id, i.bundle_product_id))`,
  ),
]
