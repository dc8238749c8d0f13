import { sql } from 'kysely'
import { type Invariant, invariantOf } from '../../../db/invariant.ts'

export const couponInvariants: readonly Invariant[] = [
  invariantOf(
    'coupon_uses',
    'The uses and the total discount of a coupon equal those of the orders that use it. An order uses its coupon unless it has expired or was cancelled.',
    sql`
      select c.store_id, c.id::text as id
        from coupon c
       where (c.uses, c.given_cents)
             <> (select count(*), coalesce(sum(discount_cents), 0) from coupon_use u
                  where u.store_id = c.store_id and u.coupon_id = c.id and u.live)
       union all
      select u.store_id, u.order_id
        from coupon_use u
        join "order" o on o.store_id = u.store_id and o.id = u.order_id
       where u.live = (o.status in ('expired', 'cancelled'))`,
  ),
]
