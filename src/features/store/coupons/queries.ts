import { sql } from 'kysely'
import { among } from '../../../db/among.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { namedAmong } from '../../../db/named.ts'
import { countedTo } from '../../../kernel/page.ts'
import type { Coupon, CouponQuery } from './schema.ts'

const COUPON = sql`
  id, 'coupon' as object, code, type, discount_percent, amount_cents, max_uses,
  max_uses_per_customer, uses, min_order_cents, starts_at, expires_at, product_ids, variant_ids,
  category_ids, payment_methods, allowed_emails, applies_to_renewals, active,
  affiliate_partner_id, note, created_at, updated_at`

export async function selectCoupon(
  db: Db,
  storeId: number,
  id: number,
): Promise<Coupon | undefined> {
  const { rows } = await sql<Coupon>`
    select ${COUPON} from coupon where store_id = ${storeId} and id = ${id}`.execute(db)
  return rows[0]
}

/** Locks a coupon for a change of its fields. */
export async function lockCoupon(tx: Tx, storeId: number, id: number): Promise<Coupon | undefined> {
  const { rows } = await sql<Coupon>`
    select ${COUPON} from coupon where store_id = ${storeId} and id = ${id} for update`.execute(tx)
  return rows[0]
}

export async function selectCouponByCode(
  db: Db,
  storeId: number,
  code: string,
): Promise<Coupon | undefined> {
  const { rows } = await sql<Coupon>`
    select ${COUPON}
      from coupon
     where store_id = ${storeId} and upper(code) = upper(${code})`.execute(db)
  return rows[0]
}

/** A page of coupons, the newest first, and how many match. */
export async function selectCoupons(
  db: Db,
  storeId: number,
  { active, code, type, limit, offset }: CouponQuery,
): Promise<{ coupons: Coupon[]; total: number }> {
  const all = [
    sql`store_id = ${storeId}`,
    active !== undefined && sql`active = ${sql.lit(active)}`,
    code !== undefined && sql`upper(code) = upper(${code})`,
    among('type', type),
  ]
  const where = sql.join(
    all.filter((item) => typeof item === 'object'),
    sql` and `,
  )
  const page = await sql<Coupon>`
    select ${COUPON}
      from coupon
     where ${where}
     order by created_at desc, id desc
     limit ${limit} offset ${offset}`.execute(db)
  const count = await sql<{ total: number }>`
    select count(*) as total
      from (select from coupon where ${where} limit ${countedTo({ limit, offset })}) c`.execute(db)
  return { coupons: page.rows, total: count.rows[0]?.total ?? 0 }
}

export type CouponRow = Omit<Coupon, 'id' | 'object' | 'uses'>

/** Inserts a coupon; undefined if its code is in use. */
export async function insertCoupon(
  tx: Tx,
  storeId: number,
  row: CouponRow,
): Promise<number | undefined> {
  const made = await tx
    .insertInto('coupon')
    .values({ ...row, store_id: storeId })
    .onConflict((taken) => taken.expression(sql`store_id, upper(code)`).doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

export async function updateCoupon(
  tx: Tx,
  storeId: number,
  id: number,
  { updated_at, ...fields }: Partial<CouponRow> & { updated_at: string },
): Promise<void> {
  await tx
    .updateTable('coupon')
    .set((row) => ({
      ...fields,
      updated_at: sql<string>`greatest(${row.ref('updated_at')}, ${updated_at})`,
    }))
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute()
}

export async function deleteCoupon(tx: Tx, storeId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('coupon')
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The records that a coupon names and that exist, products by the name in the request. */
export async function selectNamed(
  db: Db,
  storeId: number,
  named: { product_ids: readonly string[]; variant_ids: number[]; category_ids: number[] },
) {
  const { rows } = await sql<{ kind: string; id: number; hash: string }>`
    select 'product' as kind, id, hash_id as hash
      from product
     where store_id = ${storeId} and deleted_at is null and ${namedAmong('product', named.product_ids)}
     union all
    select 'variant', id, ''
      from variant
     where store_id = ${storeId} and deleted_at is null
       and id = any(${named.variant_ids}::bigint[])
     union all
    select 'category', id, ''
      from category
     where store_id = ${storeId} and id = any(${named.category_ids}::bigint[])`.execute(db)
  const of = (kind: string) => rows.filter((row) => row.kind === kind)
  return {
    products: new Map(
      of('product').flatMap(({ id, hash }) => [
        [hash, hash],
        [String(id), hash],
      ]),
    ),
    variants: new Set(of('variant').map(({ id }) => id)),
    categories: new Set(of('category').map(({ id }) => id)),
  }
}

/** Which products are in one of these categories. */
export async function selectCategorized(
  db: Db,
  storeId: number,
  { category_ids, product_ids }: { category_ids: number[]; product_ids: number[] },
): Promise<Set<number>> {
  const { rows } = await sql<{ product_id: number }>`
    select distinct product_id
      from product_category
     where store_id = ${storeId} and product_id = any(${product_ids}::bigint[])
       and category_id = any(${category_ids}::bigint[])`.execute(db)
  return new Set(rows.map((row) => row.product_id))
}

/** How many orders of a customer use a coupon. */
export async function countUses(
  db: Db,
  storeId: number,
  couponId: number,
  email: string,
): Promise<number> {
  const { rows } = await sql<{ uses: number }>`
    select count(*) as uses
      from customer c
      join coupon_use u
        on u.store_id = c.store_id and u.customer_id = c.id and u.coupon_id = ${couponId} and u.live
     where c.store_id = ${storeId} and c.email = ${email}`.execute(db)
  return rows[0]?.uses ?? 0
}

export interface NewUse {
  coupon_id: number
  order_id: string
  customer_id: number
}

/**
 * Counts a use. Returns false if that would be one too many. The coupon's row is locked from here
 * to the commit; the customer's is locked already, so nobody else uses it in their name.
 */
export async function insertUse(
  tx: Tx,
  storeId: number,
  { coupon_id, order_id, customer_id }: NewUse,
): Promise<{ counted: boolean; own_uses: number }> {
  const { rows } = await sql<{ counted: boolean; own_uses: number }>`
    with own as (
      select count(*) as uses
        from coupon_use
       where store_id = ${storeId} and coupon_id = ${coupon_id} and customer_id = ${customer_id}
         and live
    ), used as (
      update coupon c
         set uses = c.uses + 1
        from own
       where c.store_id = ${storeId} and c.id = ${coupon_id}
         and (c.max_uses is null or c.uses < c.max_uses)
         and (c.max_uses_per_customer is null or own.uses < c.max_uses_per_customer)
      returning c.id
    ), recorded as (
      insert into coupon_use (store_id, coupon_id, order_id, customer_id)
      select ${storeId}, id, ${order_id}, ${customer_id} from used
      returning coupon_id
    )
    select exists (select from recorded) as counted, own.uses as own_uses from own`.execute(tx)
  const [outcome] = rows
  if (!outcome) throw new Error('A count returned no row.')
  return outcome
}

/** Gives back the use of an order, or counts it again. The coupon is locked before the use is. */
export async function updateUse(
  tx: Tx,
  storeId: number,
  orderId: string,
  live: boolean,
): Promise<void> {
  await sql`
    with locked as (
      select c.id
        from coupon_use u
        join coupon c on c.store_id = u.store_id and c.id = u.coupon_id
       where u.store_id = ${storeId} and u.order_id = ${orderId}
         for update of c
    ), changed as (
      update coupon_use u
         set live = ${live}
        from locked
       where u.store_id = ${storeId} and u.order_id = ${orderId} and u.live <> ${live}
      returning u.coupon_id
    )
    update coupon c
       set uses = c.uses + ${live ? 1 : -1}
      from changed
     where c.store_id = ${storeId} and c.id = changed.coupon_id`.execute(tx)
}

/** The coupon that an order uses, if it still exists. */
export async function selectUsed(
  tx: Tx,
  storeId: number,
  orderId: string,
): Promise<Coupon | undefined> {
  const { rows } = await sql<Coupon>`
    select ${COUPON}
      from coupon
     where store_id = ${storeId}
       and id = (select coupon_id from coupon_use
                  where store_id = ${storeId} and order_id = ${orderId} and live)`.execute(tx)
  return rows[0]
}

export async function moveUse(
  tx: Tx,
  storeId: number,
  orderId: string,
  customerId: number,
): Promise<void> {
  await sql`
    update coupon_use set customer_id = ${customerId}
     where store_id = ${storeId} and order_id = ${orderId}`.execute(tx)
}

/** Gives the uses of one customer's orders to another customer. */
export async function moveUses(
  tx: Tx,
  storeId: number,
  { from, into }: { from: number; into: number },
): Promise<void> {
  await sql`
    update coupon_use set customer_id = ${into}
     where store_id = ${storeId} and customer_id = ${from}
       and order_id = any(array(select id from "order"
                                 where store_id = ${storeId} and customer_id = ${from}))`.execute(
    tx,
  )
}
