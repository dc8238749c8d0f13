import { sql } from 'kysely'
import { type Invariant, invariantOf } from '../../../db/invariant.ts'

export const stockInvariants: readonly Invariant[] = [
  invariantOf(
    'stock_counts_keys',
    'The stock on hand of a serial variant is the number of its available keys.',
    sql`
      select s.store_id, s.variant_id
        from stock s
        join variant v on v.store_id = s.store_id and v.id = s.variant_id and v.stock_mode = 'calculated'
       where s.on_hand <> (select count(*) from stock_key k
                            where k.store_id = s.store_id and k.variant_id = s.variant_id
                              and k.status = 'available')`,
  ),
  invariantOf(
    'batches_count_keys',
    'The counts of a batch of stock keys are the numbers of its keys by status.',
    sql`
      select 1
        from (select store_id, variant_id, coalesce(import_id, '') as import_id, count(*) as count,
                     count(*) filter (where status = 'available') as available,
                     count(*) filter (where status = 'sold') as sold
                from stock_key group by 1, 2, 3) k
        full join (select * from stock_key_batch where count <> 0 or available <> 0 or sold <> 0) b
             using (store_id, variant_id, import_id)
       where (k.count, k.available, k.sold) is distinct from (b.count, b.available, b.sold)`,
  ),
  invariantOf(
    'stock_counts_reservations',
    'The reserved stock of a variant is the sum that order lines reserve, and at most the stock on hand. The units that paid orders wait for are the sum of those of their lines.',
    sql`
      select s.store_id, s.variant_id
        from stock s
        join variant v on v.store_id = s.store_id and v.id = s.variant_id
       where (s.reserved, s.owed) <> (select coalesce(sum(i.reserved), 0), coalesce(sum(i.owed), 0)
                                        from order_item i
                                       where i.store_id = s.store_id and i.variant_id = s.variant_id)
          or (v.stock_mode <> 'unlimited' and s.reserved > s.on_hand)`,
  ),
]
