import { type RawBuilder, sql } from 'kysely'
import { createdWithin } from '../../../db/created.ts'
import type { Db, Expression, Tx } from '../../../db/database.ts'
import { hasEmail } from '../../../db/has-email.ts'
import { hasRef } from '../../../db/refs.ts'
import { execute, firstRow, hasChanged, REPLANNED } from '../../../db/rows.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import { countLimit } from '../../../kernel/page.ts'
import { type NewStockAlert, STATUSES, type StockAlert, type StockAlertQuery } from './schema.ts'

/**
 * Returns the id of a product, and whether it has the variant with this id. `lock` prevents its deletion,
 * after which no job would end new sign-ups.
 */
export const selectProduct = (
  db: Db,
  storeId: number,
  ref: string,
  { variantId, lock = false }: { variantId?: number | undefined; lock?: boolean } = {},
) =>
  firstRow<{ id: number; has_variant: boolean }>(db)`
    select p.id, exists (select from variant v
                          where v.store_id = p.store_id and v.product_id = p.id
                            and v.id = ${variantId ?? null} and v.deleted_at is null) as has_variant
      from product p
     where p.store_id = ${storeId} and ${hasRef('p', ref)} and p.deleted_at is null
       ${lock ? sql`for share of p` : sql``}`

const COLUMNS = sql`
  id, 'stock_alert' as object, email, variant_id, status, notified_at, created_at`

/** Inserts a sign-up, or returns the existing pending one. `is_new` is true if it was inserted. */
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
): Promise<{ alert: StockAlert; is_new: boolean }> {
  const row = await firstRow<StockAlert & { is_new: boolean }>(tx)`
    insert into stock_alert (store_id, product_id, variant_id, email, status, created_at)
    values (${storeId}, ${productId}, ${variant_id}, ${email}, 'pending', ${created_at})
        on conflict (store_id, product_id, coalesce(variant_id, 0), email)
             where status = 'pending'
        do update set email = excluded.email
    returning ${COLUMNS}, xmax = 0 as is_new`
  const { is_new, ...alert } = requireRecord(row, 'Stock alert')
  return { alert, is_new }
}

/** Returns a page of sign-ups, the newest first, and the total of matches (decision 100). */
export async function selectAlerts(
  db: Db,
  storeId: number,
  productId: number,
  { status = [...STATUSES], limit, offset, ...created }: StockAlertQuery,
): Promise<{ alerts: StockAlert[]; total: number }> {
  // Each status is read separately, because the index is sorted within a status. The condition is a range of the index,
  // which the primary key cannot sort: it would read all sign-ups of the store to find those of a rare status.
  const createdConditions = createdWithin('created_at', created).map((part) => sql` and ${part}`)
  const newestIds = (maxCount: number) => sql`
    (select distinct unnest(${status}::text[]) as status) s
    cross join lateral (
      select id from stock_alert
       where store_id = ${storeId} and (product_id, status, id) >= (${productId}::bigint, s.status, 0)
         and (product_id, status, id) <= (${productId}::bigint, s.status, ${sql.lit(Number.MAX_SAFE_INTEGER)})
             ${sql.join(createdConditions, sql``)}
       order by product_id desc, status desc, id desc
       limit ${maxCount}) newest`
  const page = await sql<StockAlert>`
    with page as (
      select newest.id from ${newestIds(offset + limit)} order by newest.id desc limit ${limit} offset ${offset}
    )
    select ${COLUMNS}
      from stock_alert
     where store_id = ${storeId} and id in (select page.id from page)
     order by id desc`.execute(db)
  const countMax = countLimit({ limit, offset })
  const count = await sql<{ total: number }>`
    select least(count(*), ${countMax}::bigint) as total from ${newestIds(countMax)}`.execute(db)
  return { alerts: page.rows, total: count.rows[0]?.total ?? 0 }
}

export const deleteAlert = (db: Db, storeId: number, productId: number, id: number) =>
  hasChanged(db)`
    delete from stock_alert
     where store_id = ${storeId} and product_id = ${productId} and id = ${id}`

export async function lockThreshold(
  tx: Tx,
  storeId: number,
  productId: number,
): Promise<number | null> {
  const { rows } = await sql<{ stock_alert_threshold: number | null }>`
    select stock_alert_threshold from product
     where store_id = ${storeId} and id = ${productId}
       for no key update`.execute(tx)
  return rows[0]?.stock_alert_threshold ?? null
}

export const updateThreshold = (
  tx: Tx,
  storeId: number,
  productId: number,
  {
    stock_alert_threshold,
    updated_at,
  }: { stock_alert_threshold: number | null; updated_at: string },
) =>
  execute(tx)`
    update product
       set stock_alert_threshold = ${stock_alert_threshold},
           updated_at = greatest(updated_at, ${updated_at})
     where store_id = ${storeId} and id = ${productId}`

/** Sets all pending sign-ups of an email address in a store to `unsubscribed`. */
export const unsubscribe = (db: Db, storeId: number, email: string) =>
  execute(db)`
    update stock_alert set status = 'unsubscribed'
     where store_id = ${storeId} and id = any(array(
       select id from stock_alert
        where store_id = ${storeId} and ${hasEmail('email', email)} and status = 'pending'
        order by id
          for update))`

/** The batch size. One large update could exceed the statement timeout. */
const BATCH = 1_000

/** The variant id under which the index has the sign-ups for any variant. */
export const ANY_VARIANT = 0

export interface AlertSelection {
  product_id: number
  /** The ids of the variants. `ANY_VARIANT` selects the sign-ups without a variant. */
  variant_ids: readonly number[]
}

interface AlertBatch {
  emails: string[]
  /** True if more sign-ups are pending. */
  hasMore: boolean
}

/**
 * Locks a batch of pending sign-ups, and applies `change` to it. The sign-ups of an address are in one
 * batch, so that it gets one mail. `change` is an update or delete without its condition. Each step
 * limits the rows of the next one, so that the plan stays good without statistics.
 */
async function changeBatch(
  tx: Tx,
  storeId: number,
  { product_id, variant_ids }: AlertSelection,
  change: RawBuilder<unknown>,
): Promise<AlertBatch> {
  const { rows } = await sql<{ emails: string[]; count: number }>`${REPLANNED}
    with candidates as materialized (
      select a.id, a.email
        from unnest(${variant_ids}::bigint[]) as v(id)
       cross join lateral (
         select id, email from stock_alert
          where store_id = ${storeId} and product_id = ${product_id}
            and coalesce(variant_id, 0) = v.id and status = 'pending'
          order by email
          limit ${BATCH}) a
       order by a.email
       limit ${BATCH}
    ), bounds as (
      select count(*) as count, min(email) as first, max(email) as last from candidates
    ), locked as materialized (
      select id, email, status from stock_alert
       where store_id = ${storeId} and id = any(array(
         select c.id from candidates c cross join bounds b
          where b.count < ${BATCH} or c.email < b.last or b.first = b.last))
       order by id
         for update
    ), batch as materialized (
      select id, email from locked where status = 'pending'
    ), changed as (
      ${change} where store_id = ${storeId} and id = any(array(select batch.id from batch))
    )
    select array(select distinct email from batch) as emails, bounds.count from bounds`.execute(tx)
  const { emails = [], count = 0 } = rows[0] ?? {}
  return { emails, hasMore: count === BATCH }
}

/** Marks a batch of pending sign-ups as notified, and returns their email addresses. */
export const markNotified = (tx: Tx, storeId: number, selection: AlertSelection, now: string) => {
  const change = sql`update stock_alert set status = 'notified', notified_at = ${now}`
  return changeBatch(tx, storeId, selection, change)
}

/** Deletes a batch of pending sign-ups. */
export const deletePending = (tx: Tx, storeId: number, selection: AlertSelection) =>
  changeBatch(tx, storeId, selection, sql`delete from stock_alert`)

/** Marks the sign-ups of a product as due for processing after a delay, if any are pending. */
export const markDue = (tx: Tx, storeId: number, productId: number, delay_s: number) =>
  execute(tx)`
    insert into stock_alert_due (store_id, product_id, due_at)
    select ${storeId}, ${productId}, clock_timestamp() + make_interval(secs => ${delay_s})
     where exists (select from stock_alert
                    where store_id = ${storeId} and product_id = ${productId}
                      and status = 'pending')`

/** Claims a product whose sign-ups are due. The claim lasts until the end of the transaction. */
export const claimDueProduct = (tx: Tx) =>
  firstRow<{ store_id: number; product_id: number }>(tx)`
    with claimed as (
      select d.store_id, d.product_id from stock_alert_due d
       where d.due_at <= clock_timestamp()
         and not exists (select from stock_alert_due earlier
                          where earlier.store_id = d.store_id
                            and earlier.product_id = d.product_id
                            and (earlier.due_at, earlier.id) < (d.due_at, d.id))
       order by d.due_at, d.id
       limit 1
         for update skip locked
    )
    delete from stock_alert_due d
     using claimed
     where d.store_id = claimed.store_id and d.product_id = claimed.product_id
       and d.due_at <= clock_timestamp()
    returning d.store_id, d.product_id`

/** The time at which the sign-ups of the next product are due, by the machine's clock. */
export const nextDueAlert: Expression = sql`
  (select due_at from stock_alert_due order by due_at, id limit 1)`
