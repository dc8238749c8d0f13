import { sql } from 'kysely'
import { breaking, type Invariant } from '../../../db/invariant.ts'

export const couponInvariants: readonly Invariant[] = [
  breaking(
    'coupon_uses',
    'A coupon counts the orders that use it, and an order uses its coupon until it ends unpaid.',
    sql`
      select c.store_id, c.id::text as id
        from coupon c
       where c.uses <> (select count(*) from coupon_use u
                         where u.store_id = c.store_id and u.coupon_id = c.id and u.live)
       union all
      select u.store_id, u.order_id
        from coupon_use u
        join "order" o on o.store_id = u.store_id and o.id = u.order_id
       where u.live = (o.status in ('expired', 'cancelled'))`,
  ),
]
