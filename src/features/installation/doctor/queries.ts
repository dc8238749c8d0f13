import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { AFFILIATE_INVARIANTS } from './queries/affiliates.ts'
import { CUSTOMER_INVARIANTS } from './queries/customers.ts'
import { DELIVERY_INVARIANTS } from './queries/deliveries.ts'
import { breaking, type Invariant } from './queries/invariant.ts'
import { SALES_INVARIANTS } from './queries/sales.ts'
import { SUBSCRIPTION_INVARIANTS } from './queries/subscriptions.ts'
import { SUPPORT_INVARIANTS } from './queries/support.ts'
import { USER_INVARIANTS } from './queries/users.ts'
import { WALLET_INVARIANTS } from './queries/wallet.ts'

/** Where a thing happened its event is there once, or was forgotten since; elsewhere there is none. */
const notOnce = (type: string, happened: RawBuilder<unknown>, at: RawBuilder<unknown>) => sql`
  (count(*) filter (where e.type = ${type}) > (${happened})::int
   or ${happened} and ${at} >= s.kept and count(*) filter (where e.type = ${type}) = 0)`

/** An order that was refunded may have been completed before, or not. */
const COMPLETED = sql`
  (o.status = 'completed' or (o.status = 'refunded' and o.completed_at is not null))`

export const INVARIANTS: readonly Invariant[] = [
  breaking(
    'delivered_keys',
    'A completed order has exactly as many delivered keys as serial units were bought, or a text for them.',
    sql`
      select i.store_id, i.id
        from "order" o
        join order_item i on i.store_id = o.store_id and i.order_id = o.id and i.delivery_type = 'serial'
        left join delivery d on d.store_id = i.store_id and d.order_item_id = i.id and d.status = 'delivered'
        left join delivery_key k on k.store_id = d.store_id and k.delivery_id = d.id and k.live
       where o.status = 'completed'
       group by i.store_id, i.id, i.quantity
      having count(k.stock_key_id) <> i.quantity and not coalesce(bool_or(d.text_enc is not null), false)`,
  ),
  breaking(
    'key_once',
    'A key is in at most one delivery that still holds.',
    sql`
      select store_id, stock_key_id from delivery_key where live
       group by store_id, stock_key_id having count(*) > 1`,
  ),
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
  breaking(
    'ended_orders_hold_nothing',
    'An order that ended holds no stock.',
    sql`
      select o.store_id, o.id
        from "order" o
        join order_item i on i.store_id = o.store_id and i.order_id = o.id
       where o.status in ('completed', 'expired', 'cancelled', 'refunded') and i.reserved > 0`,
  ),
  breaking(
    'products_are_counted',
    'The tally of a store is the number of its products of each sort.',
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
  breaking(
    'lists_know_stock',
    'The summary of a product in lists is the sum of its variants: units sold, and variants that can be sold.',
    sql`
      select p.store_id, p.id
        from product p
        left join product_stock n on n.store_id = p.store_id and n.product_id = p.id
        cross join lateral (
          select coalesce(sum(s.sold), 0) as sold,
                 count(*) filter (
                   where v.active and v.deleted_at is null
                     and (v.stock_mode = 'unlimited' or not v.track_inventory
                          or s.on_hand > s.reserved)) as sellable
            from variant v
            join stock s on s.store_id = v.store_id and s.variant_id = v.id
           where v.store_id = p.store_id and v.product_id = p.id) o
       where p.deleted_at is null and (n.sold, n.sellable) is distinct from (o.sold, o.sellable)`,
  ),
  breaking(
    'files_are_counted',
    'A file in storage has as many uses as there are records that show it.',
    sql`
      select b.store_id, b.id
        from blob b
       where b.uses <> (select count(*) from product_media m
                         where m.store_id = b.store_id and m.blob_id = b.id)
                     + (select count(*) from product_file f
                         where f.store_id = b.store_id and f.blob_id = b.id)
                     + (select count(*) from serverside_file s
                         where s.store_id = b.store_id and s.blob_id = b.id)`,
  ),
  breaking(
    'order_events',
    'An order has one event for its creation, and one for the end it came to, as long as events are kept.',
    sql`
      select o.store_id, o.id
        from "order" o
        join (select id, clock_timestamp() + clock_offset_ms * interval '1 ms' - interval '29 days' as kept
                from store) s on s.id = o.store_id
        left join event e
          on e.store_id = o.store_id and e.object_id = o.id
         and e.type in ('order.created', 'order.completed', 'order.expired', 'order.cancelled')
       group by o.store_id, o.id, s.kept
      having ${notOnce('order.created', sql`true`, sql`o.created_at`)}
          or ${notOnce('order.completed', COMPLETED, sql`o.completed_at`)}
          or ${notOnce('order.cancelled', sql`o.status = 'cancelled'`, sql`o.cancelled_at`)}
          or (o.status = 'expired' and ${notOnce('order.expired', sql`true`, sql`o.expires_at`)})`,
  ),
  breaking(
    'events_have_orders',
    'An event of an order tells of an order that exists.',
    sql`
      select e.store_id, e.no
        from event e
       where e.type like 'order.%' and not e.test
         and not exists (select from "order" o where o.store_id = e.store_id and o.id = e.object_id)`,
  ),
  breaking(
    'paid_is_paid',
    'The paid amount of an order is the sum of its accepted payments.',
    sql`
      select o.store_id, o.id
        from "order" o
       where o.paid_cents <> (select coalesce(sum(p.amount_cents), 0) from payment p
                               where p.store_id = o.store_id and p.order_id = o.id
                                 and p.status in ('approved', 'succeeded'))
          or (o.status in ('paid', 'completed') and o.paid_cents < o.total_cents)`,
  ),
  breaking(
    'reviews_can_end',
    'A payment waits for review only while its order can still take it.',
    sql`
      select p.store_id, p.id
        from payment p
        join "order" o on o.store_id = p.store_id and o.id = p.order_id
       where p.status = 'pending_review' and o.status in ('expired', 'cancelled', 'refunded')`,
  ),
  breaking(
    'refunded_is_refunded',
    'The refunded amount of an order is the sum of its refunds, each with one event as long as these are kept.',
    sql`
      select o.store_id, o.id
        from "order" o
        join (select id, clock_timestamp() + clock_offset_ms * interval '1 ms' - interval '29 days' as kept
                from store) s on s.id = o.store_id
        cross join lateral (
          select coalesce(sum(r.amount_cents), 0) as cents, count(*) as refunds,
                 count(*) filter (where r.created_at >= s.kept) as recent
            from refund r
           where r.store_id = o.store_id and r.order_id = o.id) r
        left join (select store_id, object_id, count(*) as events
                     from event where type = 'order.refunded' and not test
                    group by store_id, object_id) e
          on e.store_id = o.store_id and e.object_id = o.id
       where o.refunded_cents <> r.cents or coalesce(e.events, 0) not between r.recent and r.refunds
          or o.refund_status <> case when r.refunds = 0 then 'none'
                                     when o.refunded_cents = o.paid_cents then 'full'
                                     else 'partial' end
          or case o.refund_status
               when 'full' then o.status not in ('refunded', 'cancelled', 'expired')
               when 'partial' then o.status not in ('paid', 'completed', 'cancelled', 'expired')
               else o.status = 'refunded' end`,
  ),
  breaking(
    'shipped_is_shipped',
    'The fulfillment of an order agrees with its parcels, and these carry no more than was bought.',
    sql`
      select o.store_id, o.id
        from "order" o
        join order_item i
          on i.store_id = o.store_id and i.order_id = o.id and i.delivery_type = 'physical'
        left join (select p.store_id, p.order_item_id, sum(p.quantity) as packed,
                          sum(p.quantity) filter (where f.status in ('shipped', 'delivered')) as shipped
                     from fulfillment f
                     join fulfillment_item p on p.store_id = f.store_id and p.fulfillment_id = f.id
                    where f.status <> 'cancelled'
                    group by p.store_id, p.order_item_id) p
          on p.store_id = i.store_id and p.order_item_id = i.id
       group by o.store_id, o.id
      having bool_or(p.packed > i.quantity)
          or o.fulfillment_status <> case when coalesce(sum(p.shipped), 0) = 0 then 'unfulfilled'
                                          when sum(p.shipped) < sum(i.quantity) then 'partial'
                                          else 'fulfilled' end`,
  ),
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
  breaking(
    'orders_are_counted',
    'The newest order number of a store is how many orders it has.',
    sql`
      select c.store_id
        from order_counter c
       where c.last_number <> (select count(*) from "order" o where o.store_id = c.store_id)`,
  ),
  breaking(
    'orders_are_found',
    'An order is found by its id, its number and its email.',
    sql`
      select o.store_id, o.id
        from "order" o
        left join order_search s on s.store_id = o.store_id and s.order_id = o.id
       where s.runs is distinct from
             runs(o.store_id, o.id || chr(10) || o.number || chr(10) || o.customer_email)`,
  ),
  breaking(
    'waiting_deliveries',
    'A webhook delivery waits in the retry lane exactly while it is pending.',
    sql`
      select d.store_id, d.id
        from webhook_delivery d
        left join webhook_retry q on q.store_id = d.store_id and q.delivery_id = d.id
       where (d.status = 'pending') <> (q.delivery_id is not null)
         and not coalesce(q.by_hand and q.resume_at is null, false)`,
  ),
  breaking(
    'finished_fanouts',
    'No event keeps a fan-out after all its deliveries were recorded.',
    sql`
      select f.store_id, f.no
        from webhook_fanout f
       where not exists (
               select from unnest(f.endpoint_ids) with ordinality as x(endpoint_id, place)
                where x.endpoint_id <> 0
                  and not exists (select from webhook_delivery d
                                   where d.store_id = f.store_id and d.id = f.no * 32 + x.place - 1))`,
  ),
  ...CUSTOMER_INVARIANTS,
  ...SUPPORT_INVARIANTS,
  ...USER_INVARIANTS,
  ...SALES_INVARIANTS,
  ...DELIVERY_INVARIANTS,
  ...AFFILIATE_INVARIANTS,
  ...WALLET_INVARIANTS,
  ...SUBSCRIPTION_INVARIANTS,
]

/** Limits a check that runs beside other calls. */
export async function limitStatements(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = '2s'`.execute(tx)
}

/** True for a statement that was given up at its timeout. */
export const isCancelled = (error: unknown): boolean =>
  (error as { code?: string }).code === '57014'

/** Returns false if the server could lose commits in a power cut. */
export async function selectFsync(db: Db): Promise<boolean> {
  const { rows } = await sql<{ fsync: string }>`select current_setting('fsync') as fsync`.execute(
    db,
  )
  return rows[0]?.fsync === 'on'
}

/** How much there is, which tells one database from another. */
export async function selectCounts(
  db: Db,
): Promise<{ stores: number; orders: number; newest: string | null }> {
  const { rows } = await sql<{ stores: number; orders: number; newest: string | null }>`
    select (select count(*) from store where livemode) as stores,
           (select count(*) from "order") as orders,
           (select iso(max(created_at)) from "order") as newest`.execute(db)
  return rows[0] ?? { stores: 0, orders: 0, newest: null }
}

/** A file that a record shows, with its size where a record knows it. */
export interface KeptFile {
  store_id: number
  id: string
  size_bytes: number | null
}

/** A page of them, in the order of the primary key. */
export async function selectKeptFiles(
  db: Db,
  after: KeptFile | undefined,
  limit: number,
): Promise<KeptFile[]> {
  const { rows } = await sql<KeptFile>`
    with page as materialized (
      select store_id, id
        from blob
       where uses > 0 and (store_id, id) > (${after?.store_id ?? 0}, ${after?.id ?? ''})
       order by store_id, id
       limit ${limit}
    )
    select p.store_id, p.id, max(f.size_bytes) as size_bytes
      from page p
      left join (select store_id, blob_id, size_bytes from product_file
                  union all
                 select store_id, blob_id, size_bytes from serverside_file) f
        on f.store_id = p.store_id and f.blob_id = p.id
     group by p.store_id, p.id
     order by p.store_id, p.id`.execute(db)
  return rows
}

/** Those of these files that a record shows still. */
export async function selectStillKept(db: Db, files: readonly KeptFile[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select b.id
      from blob b
      join unnest(${files.map((item) => item.store_id)}::bigint[],
                  ${files.map((item) => item.id)}::text[]) as f(store_id, id)
        on b.store_id = f.store_id and b.id = f.id
     where b.uses > 0
     order by b.id`.execute(db)
  return rows.map((row) => row.id)
}
