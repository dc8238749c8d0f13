import { sql } from 'kysely'
import { type Invariant, invariantOf } from '../../../db/invariant.ts'

export const productInvariants: readonly Invariant[] = [
  invariantOf(
    'products_are_counted',
    'The tally of a store has the number of its products for each combination of status, visibility, activity, type and kind.',
    sql`
      select store_id, status, visibility, active, type, product_kind
        from (select store_id, status, visibility, active, type, product_kind, products
                from product_tally
               union all
              select store_id, status, visibility, active, type, product_kind, -1
                from product where deleted_at is null) t
       group by store_id, status, visibility, active, type, product_kind
      having sum(products) <> 0`,
  ),
  invariantOf(
    'lists_know_stock',
    'The list counters of a product are the sums over its variants: units sold, and variants that can be sold. The units of a bundle in paid orders count as sold too.',
    sql`
      select p.store_id, p.id
        from product p
        left join product_stock ps on ps.store_id = p.store_id and ps.product_id = p.id
        cross join lateral (
          select coalesce(sum(s.sold), 0)
                   + (select coalesce(sum(i.bundle_units), 0)
                        from order_item i
                        join "order" o on o.store_id = i.store_id and o.id = i.order_id
                       where i.store_id = p.store_id and i.bundle_product_id = p.id
                         and o.paid_at is not null) as sold,
                 count(*) filter (
                   where v.active and v.deleted_at is null
                     and (v.stock_mode = 'unlimited' or not v.track_inventory
                          or s.available > 0)) as sellable
            from variant v
            join stock s on s.store_id = v.store_id and s.variant_id = v.id
           where v.store_id = p.store_id and v.product_id = p.id) o
       where p.deleted_at is null and (ps.sold, ps.sellable) is distinct from (o.sold, o.sellable)`,
  ),
]
