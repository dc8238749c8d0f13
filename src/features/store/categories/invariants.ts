import { sql } from 'kysely'
import { type Invariant, invariantOf } from '../../../db/invariant.ts'

export const categoryInvariants: readonly Invariant[] = [
  invariantOf(
    'categories_are_counted',
    'The product count of a category is the number of its products.',
    sql`
      select c.store_id, c.id
        from category c
       where c.product_count <> (select count(*)
                                   from product_category pc
                                   join product p on p.store_id = pc.store_id and p.id = pc.product_id
                                  where pc.store_id = c.store_id and pc.category_id = c.id
                                    and p.deleted_at is null)`,
  ),
]
