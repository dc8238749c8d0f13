import { sql } from 'kysely'
import { breaking, type Invariant } from '../../../db/invariant.ts'

export const stockInvariants: readonly Invariant[] = [
  breaking(
    'stock_counts_keys',
    'Stock on hand of a serial variant is the number of its available keys.',
    sql`
      select s.store_id, s.variant_id
        from stock s
        join variant v on v.store_id = s.store_id and v.id = s.variant_id and v.stock_mode = 'calculated'
       where s.on_hand <> (select count(*) from stock_key k
                            where k.store_id = s.store_id and k.variant_id = s.variant_id
                              and k.status = 'available')`,
  ),
  breaking(
    'stock_counts_reservations',
    'Reserved stock is what the lines of orders hold, and no more than there is.',
    sql`
      select s.store_id, s.variant_id
        from stock s
        join variant v on v.store_id = s.store_id and v.id = s.variant_id
       where s.reserved <> (select coalesce(sum(i.reserved), 0) from order_item i
                             where i.store_id = s.store_id and i.variant_id = s.variant_id)
          or (v.stock_mode <> 'unlimited' and s.reserved > s.on_hand)`,
  ),
]
