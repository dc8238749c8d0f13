import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { isHash } from '../../kernel/ids.ts'
import { countedTo } from '../../kernel/page.ts'
import { type NewStockAlert, STATUSES, type StockAlert, type StockAlertQuery } from './schema.ts'

const named = (ref: string) => (isHash(ref) ? sql`p.hash_id = ${ref}` : sql`p.id = ${Number(ref)}`)

/** The product, and whether it has this variant where one is named. */
export async function selectProduct(db: Db, storeId: number, ref: string, variantId?: number) {
  const { rows } = await sql<{ id: number; has_variant: boolean }>`
    select p.id, exists (select from variant v
                          where v.store_id = p.store_id and v.product_id = p.id
                            and v.id = ${variantId ?? null} and v.deleted_at is null) as has_variant
      from product p
     where p.store_id = ${storeId} and ${named(ref)} and p.deleted_at is null`.execute(db)
  return rows[0]
}

const COLUMNS = sql`
  id, 'stock_alert' as object, email, variant_id, status, notified_at, created_at`

/** A sign-up that is there already is given again. */
export async function upsertAlert(
  tx: Tx,
  storeId: number,
  productId: number,
  {
    email,
    variant_id = null,
    created_at,
  }: Omit<NewStockAlert, 'variant_id'> & {
    variant_id?: number | null
    created_at: string
  },
): Promise<StockAlert | undefined> {
  const { rows } = await sql<StockAlert>`
    insert into stock_alert (store_id, product_id, variant_id, email, status, created_at)
    values (${storeId}, ${productId}, ${variant_id}, ${email}, 'pending', ${created_at})
        on conflict (store_id, product_id, coalesce(variant_id, 0), email)
             where status = 'pending'
        do update set email = excluded.email
    returning ${COLUMNS}`.execute(tx)
  return rows[0]
}

/** A page of sign-ups, newest first, and how many match (decision 100). */
export async function selectAlerts(
  db: Db,
  storeId: number,
  productId: number,
  { status = [...STATUSES], limit, offset }: StockAlertQuery,
): Promise<{ alerts: StockAlert[]; total: number }> {
  // Each status by itself, which is what the index is sorted by.
  const newest = (most: number) => sql`
    (select distinct unnest(${status}::text[]) as status) w
    cross join lateral (
      select id from stock_alert
       where store_id = ${storeId} and product_id = ${productId} and status = w.status
       order by id desc
       limit ${most}) n`
  const page = await sql<StockAlert>`
    with page as (
      select n.id from ${newest(offset + limit)} order by n.id desc limit ${limit} offset ${offset}
    )
    select ${COLUMNS}
      from stock_alert
     where store_id = ${storeId} and id in (select page.id from page)
     order by id desc`.execute(db)
  const most = countedTo({ limit, offset })
  const count = await sql<{ total: number }>`
    select least(count(*), ${most}::bigint) as total from ${newest(most)}`.execute(db)
  return { alerts: page.rows, total: count.rows[0]?.total ?? 0 }
}

export async function deleteAlert(db: Db, storeId: number, productId: number, id: number) {
  const { numAffectedRows } = await sql`
    delete from stock_alert
     where store_id = ${storeId} and product_id = ${productId} and id = ${id}`.execute(db)
  return numAffectedRows === 1n
}

export async function updateThreshold(
  tx: Tx,
  storeId: number,
  productId: number,
  {
    stock_alert_threshold,
    updated_at,
  }: { stock_alert_threshold: number | null; updated_at: string },
): Promise<void> {
  await sql`
    update product
       set stock_alert_threshold = ${stock_alert_threshold},
           updated_at = greatest(updated_at, ${updated_at})
     where store_id = ${storeId} and id = ${productId}`.execute(tx)
}

/** Ends all that somebody waits for in a store. */
export async function unsubscribe(db: Db, storeId: number, email: string): Promise<void> {
  await sql`
    update stock_alert set status = 'unsubscribed'
     where store_id = ${storeId} and email = ${email} and status = 'pending'`.execute(db)
}

/** Takes those who wait for a product or for these of its variants, and says who they are. */
export async function takePending(
  tx: Tx,
  storeId: number,
  {
    product_id,
    variant_ids,
    now,
  }: { product_id: number; variant_ids: readonly number[]; now: string },
): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    update stock_alert
       set status = 'notified', notified_at = ${now}
     where store_id = ${storeId} and product_id = ${product_id} and status = 'pending'
       and (variant_id is null or variant_id = any(${variant_ids}::bigint[]))
    returning email`.execute(tx)
  return [...new Set(rows.map((row) => row.email))]
}
