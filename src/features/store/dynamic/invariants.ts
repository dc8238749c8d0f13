import { sql } from 'kysely'
import { breaking, type Invariant } from '../../../db/invariant.ts'

export const dynamicInvariants: readonly Invariant[] = [
  breaking(
    'dynamic_calls',
    'Only pending dynamic deliveries of paid orders are asked for, and what failed has a reason.',
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
