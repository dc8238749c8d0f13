import { sql } from 'kysely'
import { breaking, type Invariant } from '../../../db/invariant.ts'

export const categoryInvariants: readonly Invariant[] = [
  breaking(
    'categories_are_counted',
    'A category counts the products that it lists.',
    sql`
      select c.store_id, c.id
        from category c
       where c.product_count <> (select count(*)
                                   from product_category l
                                   join product p on p.store_id = l.store_id and p.id = l.product_id
                                  where l.store_id = c.store_id and l.category_id = c.id
                                    and p.deleted_at is null)`,
  ),
]
