import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../db/database.ts'
import { allRows, onlyRow, REPLANNED } from '../../../../db/rows.ts'
import type { Page } from '../../../../kernel/page.ts'
import { PACE_DAYS, type StockRunway } from '../dashboard-schema.ts'
import { pendingDeltas, productsOf } from './deltas.ts'

/** A store and the current time of its clock. */
interface StoreScope {
  storeId: number
  now: string
}

/** The start of the period over which the pace is computed: midnight in UTC. */
const windowStart = (now: string) =>
  sql`(date_bin('1 day', ${now}::timestamptz, '2000-01-01T00:00:00Z') - make_interval(days => ${sql.lit(PACE_DAYS - 1)}))`

/** Selects the units that products sold on each day of the window, including those not yet in `sales_product_day`. */
const unitsOf = ({ storeId, now }: StoreScope, products: RawBuilder<unknown>) => sql`
  select product_id, day, units
    from sales_product_day d
   where store_id = ${storeId} and day >= utc_day(${windowStart(now)}) ${products}
   union all
  select product_id, utc_day(at), units
    from (${productsOf(pendingDeltas(storeId))}) d
   where at >= ${windowStart(now)} ${products}`

/**
 * Selects the units of a product `p` that can be sold: 0 without an active variant, and null if an active
 * variant is not counted.
 */
const AVAILABLE = sql`
  select case when coalesce(bool_and(v.stock_mode <> 'unlimited' and v.track_inventory), true)
              then coalesce(sum(s.available), 0)::bigint end as available
    from variant v
    join stock s on s.store_id = v.store_id and s.variant_id = v.id
   where v.store_id = p.store_id and v.product_id = p.id and v.active and v.deleted_at is null`

/**
 * The time when `stock.available` units of a product `p` are sold at the pace of `pace.units`. If a
 * product is younger than the window, its pace is computed over its age, but over at least one day.
 */
const runsOutAt = (now: string) => sql`
  (select ${now}::timestamptz + remaining.duration
     from (select greatest(${now}::timestamptz - greatest(${windowStart(now)}, p.created_at), interval '1 day')
                  * (stock.available::float8 / nullif(pace.units, 0)) as duration) remaining
    where stock.available > 0 and remaining.duration <= interval '1 year')::timestamptz(3)`

interface PaceRow extends Omit<StockRunway, 'product_name'> {
  /** The UTC days on which the product sold. */
  days: { day: string; units: number }[]
}

/** Returns the pace of each of these products, in one statement. */
export const selectPaces = (db: Db, scope: StoreScope, productIds: readonly string[]) =>
  allRows<PaceRow>(db)`
    with p as materialized (
      select store_id, id, hash_id, created_at
        from product
       where store_id = ${scope.storeId} and hash_id = any(${productIds}::text[]) and deleted_at is null
    ), day_units as materialized (
      select product_id, day, sum(units)::bigint as units
        from (${unitsOf(scope, sql`and d.product_id = any(array(select id from p))`)}) d
       group by 1, 2
    )
    select p.hash_id as product_id, stock.available, pace.units as units_sold,
           ${runsOutAt(scope.now)} as runs_out_at, pace.days
      from p
     cross join lateral (${AVAILABLE}) stock
     cross join lateral (
           select coalesce(sum(units), 0)::bigint as units,
                  coalesce(json_agg(json_build_object('day', day, 'units', units)), '[]') as days
             from day_units
            where product_id = p.id) pace`

/** Returns a page of the products that sold recently and run out within a year, the earliest first. */
export const selectRunways = (db: Db, scope: StoreScope, { limit, offset }: Page) =>
  onlyRow<{ total: number; runways: StockRunway[] }>(db)`${REPLANNED}
    with pace as materialized (
      select product_id, sum(units)::bigint as units
        from (${unitsOf(scope, sql``)}) d
       group by 1
      having sum(units) > 0
    ), forecast as materialized (
      select p.id, p.hash_id as product_id, p.name as product_name, stock.available, pace.units as units_sold,
             ${runsOutAt(scope.now)} as runs_out_at
        from pace
        join product p on p.store_id = ${scope.storeId} and p.id = pace.product_id
       cross join lateral (${AVAILABLE}) stock
       where p.status = 'active' and p.active and p.deleted_at is null
    ), runway as materialized (
      select * from forecast where available = 0 or runs_out_at is not null
    )
    select (select count(*) from runway) as total,
           (select coalesce(json_agg(json_build_object(
                     'product_id', product_id, 'product_name', product_name, 'available', available,
                     'units_sold', units_sold, 'runs_out_at', iso(runs_out_at))
                   order by runs_out_at nulls first, id), '[]')
              from (select * from runway
                     order by runs_out_at nulls first, id
                     limit ${limit} offset ${offset}) page) as runways`
