import { sql } from 'kysely'
import { type Invariant, invariantOf } from '../../../db/invariant.ts'

export const dynamicInvariants: readonly Invariant[] = [
  invariantOf(
    'dynamic_calls',
    'Only pending dynamic deliveries of paid orders have calls, and a failed delivery has an error.',
    sql`
      select c.store_id, c.delivery_id
        from dynamic_call c
        join delivery d on d.store_id = c.store_id and d.id = c.delivery_id
        join "order" o on o.store_id = d.store_id and o.id = d.order_id
       where d.status <> 'pending' or d.type <> 'dynamic' or o.status <> 'paid'
       union all
      select store_id, id from delivery where status = 'failed' and error is null`,
  ),
]
