import { type RawBuilder, sql } from 'kysely'
import type { Db, Expression, Tx } from '../../../db/database.ts'
import { named } from '../../../db/named.ts'
import { countedTo } from '../../../kernel/page.ts'
import { type NewStockAlert, STATUSES, type StockAlert, type StockAlertQuery } from './schema.ts'

/** The product, and whether it has this variant where one is named. */
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
     where store_id = ${storeId} and id = any(array(
       select id from stock_alert
        where store_id = ${storeId} and email = ${email} and status = 'pending'
        order by id
          for update))`.execute(db)
}

/** A statement over all who gathered in years could outlast its time. */
const SHARE = 1_000

/** Those who wait for any variant stand in the index as if they waited for this one. */
export const ANY_VARIANT = 0

export interface Waiting {
  product_id: number
  /** Whose sign-ups are meant; `ANY_VARIANT` for those that name none. */
  variant_ids: readonly number[]
}

export interface Share {
  emails: string[]
  /** Whether more wait. */
  more: boolean
}

/**
 * Locks those who wait, some addresses at once and every sign-up of each, so that nobody is in two
 * shares, and does something about them. Each step says where the next one looks, so that no plan
 * made without statistics compares all with all.
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

/** Notes that a share of those who wait are told, and says who they are. */
export const markNotified = (tx: Tx, storeId: number, waiting: Waiting, now: string) => {
  const deed = sql`update stock_alert set status = 'notified', notified_at = ${now}`
  return takeShare(tx, storeId, waiting, deed)
}

/** Removes a share of those who wait. */
export const deleteWaiting = (tx: Tx, storeId: number, waiting: Waiting) =>
  takeShare(tx, storeId, waiting, sql`delete from stock_alert`)

/** Notes that the sign-ups of a product are to be looked at, where somebody waits. */
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

/** Takes a product whose sign-ups are to be looked at, and that nobody looks at already. */
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

/** When the next product's sign-ups are to be settled, by the machine's clock. */
export const nextSettlement: Expression = sql`
  (select due_at from stock_alert_due order by due_at, id limit 1)`
