import { type RawBuilder, sql } from 'kysely'
import type { Db, Expression, Tx } from '../../../db/database.ts'
import { named } from '../../../db/named.ts'
import { countedTo } from '../../../kernel/page.ts'
import { type NewStockAlert, STATUSES, type StockAlert, type StockAlertQuery } from './schema.ts'

/** Returns the product, and whether it has the variant that is named, if any. */
export async function selectProduct(db: Db, storeId: number, ref: string, variantId?: number) {
  const { rows } = await sql<{ id: number; has_variant: boolean }>`
    select p.id, exists (select from variant v
                          where v.store_id = p.store_id and v.product_id = p.id
                            and v.id = ${variantId ?? null} and v.deleted_at is null) as has_variant
      from product p
     where p.store_id = ${storeId} and ${named('p', ref)} and p.deleted_at is null`.execute(db)
  return rows[0]
}

const COLUMNS = sql`
  id, 'stock_alert' as object, email, variant_id, status, notified_at, created_at`

/** Adds a sign-up, or returns the one that exists already. */
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

/** Returns a page of sign-ups, newest first, and how many match (decision 100). */
export async function selectAlerts(
  db: Db,
  storeId: number,
  productId: number,
  { status = [...STATUSES], limit, offset }: StockAlertQuery,
): Promise<{ alerts: StockAlert[]; total: number }> {
  // Each status is read separately, because the index is sorted within a status.
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

/** Ends all pending sign-ups of an email address in a store. */
export async function unsubscribe(db: Db, storeId: number, email: string): Promise<void> {
  await sql`
    update stock_alert set status = 'unsubscribed'
     where store_id = ${storeId} and id = any(array(
       select id from stock_alert
        where store_id = ${storeId} and email = ${email} and status = 'pending'
        order by id
          for update))`.execute(db)
}

/** Batch size. One large update could exceed the statement timeout. */
const SHARE = 1_000

/** The index has sign-ups for any variant under this variant id. */
export const ANY_VARIANT = 0

export interface Waiting {
  product_id: number
  /** Variants whose sign-ups are meant; `ANY_VARIANT` means the sign-ups without a variant. */
  variant_ids: readonly number[]
}

export interface Share {
  emails: string[]
  /** True if more sign-ups are pending. */
  more: boolean
}

/**
 * Locks a batch of pending sign-ups and applies a change to them. A batch has all sign-ups of each
 * of its addresses, so that no address is in two batches. Each step limits the rows of the next
 * one, so that no plan made without statistics compares all rows with all.
 */
async function takeShare(
  tx: Tx,
  storeId: number,
  { product_id, variant_ids }: Waiting,
  deed: RawBuilder<unknown>,
): Promise<Share> {
  const { rows } = await sql<{ emails: string[]; found: number }>`-- planned anew
    with found as materialized (
      select w.id, w.email
        from unnest(${variant_ids}::bigint[]) as v(id)
       cross join lateral (
         select id, email from stock_alert
          where store_id = ${storeId} and product_id = ${product_id}
            and coalesce(variant_id, 0) = v.id and status = 'pending'
          order by email
          limit ${SHARE}) w
       order by w.email
       limit ${SHARE}
    ), ends as (
      select count(*) as found, min(email) as first, max(email) as last from found
    ), locked as materialized (
      select id, email, status from stock_alert
       where store_id = ${storeId} and id = any(array(
         select f.id from found f cross join ends e
          where e.found < ${SHARE} or f.email < e.last or e.first = e.last))
       order by id
         for update
    ), taken as materialized (
      select id, email from locked where status = 'pending'
    ), done as (
      ${deed} where store_id = ${storeId} and id = any(array(select taken.id from taken))
    )
    select array(select distinct email from taken) as emails, ends.found from ends`.execute(tx)
  const { emails = [], found = 0 } = rows[0] ?? {}
  return { emails, more: found === SHARE }
}

/** Marks a batch of pending sign-ups as notified, and returns their email addresses. */
export const markNotified = (tx: Tx, storeId: number, waiting: Waiting, now: string) => {
  const deed = sql`update stock_alert set status = 'notified', notified_at = ${now}`
  return takeShare(tx, storeId, waiting, deed)
}

/** Deletes a batch of pending sign-ups. */
export const deleteWaiting = (tx: Tx, storeId: number, waiting: Waiting) =>
  takeShare(tx, storeId, waiting, sql`delete from stock_alert`)

/** Records that the sign-ups of a product are due for processing, if any are pending. */
export async function insertDue(
  tx: Tx,
  storeId: number,
  productId: number,
  wait_s: number,
): Promise<void> {
  await sql`
    insert into stock_alert_due (store_id, product_id, due_at)
    select ${storeId}, ${productId}, clock_timestamp() + make_interval(secs => ${wait_s})
     where exists (select from stock_alert
                    where store_id = ${storeId} and product_id = ${productId}
                      and status = 'pending')`.execute(tx)
}

/** Claims a product whose sign-ups are due, and that no other process has claimed. */
export async function takeDue(
  tx: Tx,
): Promise<{ store_id: number; product_id: number } | undefined> {
  const { rows } = await sql<{ store_id: number; product_id: number }>`
    with first as (
      select d.store_id, d.product_id from stock_alert_due d
       where d.due_at <= clock_timestamp()
         and not exists (select from stock_alert_due e
                          where e.store_id = d.store_id and e.product_id = d.product_id
                            and (e.due_at, e.id) < (d.due_at, d.id))
       order by d.due_at, d.id
       limit 1
         for update skip locked
    )
    delete from stock_alert_due d
     using first
     where d.store_id = first.store_id and d.product_id = first.product_id
       and d.due_at <= clock_timestamp()
    returning d.store_id, d.product_id`.execute(tx)
  return rows[0]
}

/** The moment at which the sign-ups of the next product are due, by the machine's clock. */
export const nextDueAlert: Expression = sql`
  (select due_at from stock_alert_due order by due_at, id limit 1)`
