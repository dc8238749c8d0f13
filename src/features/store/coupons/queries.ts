import { sql } from 'kysely'
import type { Db, Expression, Tx } from '../../../db/database.ts'
import { hasEmail } from '../../../db/has-email.ts'
import { selectNewest } from '../../../db/newest.ts'
import { isOneOf } from '../../../db/one-of.ts'
import { deleteRecord, updateRecord } from '../../../db/records.ts'
import { hasOneOfRefs } from '../../../db/refs.ts'
import { allRows, execute, firstRow, onlyRow, onlyValue } from '../../../db/rows.ts'
import type { Coupon, CouponQuery } from './schema.ts'

const COUPON = sql`
  id, 'coupon' as object, code, type, discount_percent, amount_cents, max_uses,
  max_uses_per_customer, uses, min_order_cents, starts_at, expires_at, product_ids, variant_ids,
  category_ids, payment_methods, allowed_emails, applies_to_renewals, active,
  affiliate_partner_id, note, created_at, updated_at`

export const selectCoupon = (db: Db, storeId: number, id: number) =>
  firstRow<Coupon>(db)`
    select ${COUPON} from coupon where store_id = ${storeId} and id = ${id}`

/** Locks a coupon for a change of its fields. */
export const lockCoupon = (tx: Tx, storeId: number, id: number) =>
  firstRow<Coupon>(tx)`
    select ${COUPON} from coupon where store_id = ${storeId} and id = ${id} for update`

/** Codes are ASCII, but `upper` makes S of ſ. */
const isCode = (column: Expression, code: string) =>
  sql`upper(${column}) = upper(${code}) and octet_length(${code}::text) = char_length(${code}::text)`

export const selectCouponByCode = (db: Db, storeId: number, code: string) =>
  firstRow<Coupon>(db)`
    select ${COUPON}
      from coupon
     where store_id = ${storeId} and ${isCode(sql`code`, code)}`

/** Returns a page of coupons, the newest first, and the number of matches. */
export const selectCoupons = (
  db: Db,
  storeId: number,
  { active, code, type, ...page }: CouponQuery,
) =>
  selectNewest<Coupon>(db, {
    table: 'coupon',
    columns: COUPON,
    storeId,
    ...page,
    filters: [
      active !== undefined && sql`t.active = ${sql.lit(active)}`,
      code !== undefined && isCode(sql`t.code`, code),
      isOneOf('t.type', type),
    ],
  })

export type CouponRow = Omit<Coupon, 'id' | 'object' | 'uses'>

/** Inserts a coupon. Returns its id, or undefined if its code is used. */
export async function insertCoupon(
  tx: Tx,
  storeId: number,
  row: CouponRow,
): Promise<number | undefined> {
  const insertedCoupon = await tx
    .insertInto('coupon')
    .values({ ...row, store_id: storeId })
    .onConflict((conflict) => conflict.expression(sql`store_id, upper(code)`).doNothing())
    .returning('id')
    .executeTakeFirst()
  return insertedCoupon?.id
}

export const updateCoupon = (
  tx: Tx,
  storeId: number,
  id: number,
  columns: Partial<CouponRow> & { updated_at: string },
) => updateRecord(tx, 'coupon', { storeId, id }, columns)

export const deleteCoupon = (tx: Tx, storeId: number, id: number) =>
  deleteRecord(tx, 'coupon', { storeId, id })

/** Returns the referenced records that exist. Products are found by hash and by numeric id. */
export async function selectReferences(
  db: Db,
  storeId: number,
  references: { product_ids: readonly string[]; variant_ids: number[]; category_ids: number[] },
) {
  const { rows } = await sql<{ kind: string; id: number; hash: string }>`
    select 'product' as kind, id, hash_id as hash
      from product
     where store_id = ${storeId} and deleted_at is null and ${hasOneOfRefs('product', references.product_ids)}
     union all
    select 'variant', id, ''
      from variant
     where store_id = ${storeId} and deleted_at is null
       and id = any(${references.variant_ids}::bigint[])
     union all
    select 'category', id, ''
      from category
     where store_id = ${storeId} and id = any(${references.category_ids}::bigint[])`.execute(db)
  const rowsOfKind = (kind: string) => rows.filter((row) => row.kind === kind)
  return {
    products: new Map(
      rowsOfKind('product').flatMap(({ id, hash }) => [
        [hash, hash],
        [String(id), hash],
      ]),
    ),
    variants: new Set(rowsOfKind('variant').map(({ id }) => id)),
    categories: new Set(rowsOfKind('category').map(({ id }) => id)),
  }
}

/** Returns the ids of the products that are in one of these categories. */
export async function selectProductsInCategories(
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

/** Returns the number of orders of a customer that use a coupon. A use is `live` until its order gives it back. */
export const countUses = (db: Db, storeId: number, couponId: number, email: string) =>
  onlyValue<number>(db)`
    select count(*) as uses
      from customer c
      join coupon_use u
        on u.store_id = c.store_id and u.customer_id = c.id and u.coupon_id = ${couponId} and u.live
     where c.store_id = ${storeId} and ${hasEmail('c.email', email)}`

/** Returns the sums of the discounts that coupons gave on orders. */
export const selectAmounts = (db: Db, storeId: number, ids: readonly number[]) =>
  allRows<{ coupon_id: number; given_cents: number }>(db)`
    select id as coupon_id, given_cents
      from coupon
     where store_id = ${storeId} and id = any(${ids}::bigint[])
     order by id`

export interface NewUse {
  coupon_id: number
  order_id: string
  customer_id: number
  discount_cents: number
}

/**
 * Counts a use of a coupon, unless that would exceed one of its limits; `is_counted` is then false. The
 * coupon stays locked until the commit. The caller has locked the customer, so `customer_uses` cannot
 * change meanwhile.
 */
export const insertUse = (
  tx: Tx,
  storeId: number,
  { coupon_id, order_id, customer_id, discount_cents }: NewUse,
) =>
  onlyRow<{ is_counted: boolean; customer_uses: number }>(tx)`
    with customer_use as (
      select count(*) as uses
        from coupon_use
       where store_id = ${storeId} and coupon_id = ${coupon_id} and customer_id = ${customer_id}
         and live
    ), counted_coupon as (
      update coupon c
         set uses = c.uses + 1, given_cents = c.given_cents + ${discount_cents}
        from customer_use
       where c.store_id = ${storeId} and c.id = ${coupon_id}
         and (c.max_uses is null or c.uses < c.max_uses)
         and (c.max_uses_per_customer is null or customer_use.uses < c.max_uses_per_customer)
      returning c.id
    ), recorded as (
      insert into coupon_use (store_id, coupon_id, order_id, customer_id, discount_cents)
      select ${storeId}, id, ${order_id}, ${customer_id}, ${discount_cents} from counted_coupon
      returning coupon_id
    )
    select exists (select from recorded) as is_counted, uses as customer_uses from customer_use`

/** Sets whether the coupon use of an order counts. Locks the row of the coupon, and then that of the use. */
export async function updateUse(
  tx: Tx,
  storeId: number,
  orderId: string,
  { isLive }: { isLive: boolean },
): Promise<void> {
  const sign = sql.lit(isLive ? 1 : -1)
  await sql`
    with locked as (
      select c.id
        from coupon_use u
        join coupon c on c.store_id = u.store_id and c.id = u.coupon_id
       where u.store_id = ${storeId} and u.order_id = ${orderId}
         for update of c
    ), changed as (
      update coupon_use u
         set live = ${isLive}
        from locked
       where u.store_id = ${storeId} and u.order_id = ${orderId} and u.live <> ${isLive}
      returning u.coupon_id, u.discount_cents
    )
    update coupon c
       set uses = c.uses + ${sign}, given_cents = c.given_cents + ${sign} * changed.discount_cents
      from changed
     where c.store_id = ${storeId} and c.id = changed.coupon_id`.execute(tx)
}

/** Returns the coupon that an order uses; undefined if there is none or it was deleted. */
export const selectCouponOfOrder = (tx: Tx, storeId: number, orderId: string) =>
  firstRow<Coupon>(tx)`
    select ${COUPON}
      from coupon
     where store_id = ${storeId}
       and id = (select coupon_id from coupon_use
                  where store_id = ${storeId} and order_id = ${orderId} and live)`

/** Moves the coupon use of an order to another customer. */
export const moveUse = (tx: Tx, storeId: number, orderId: string, customerId: number) =>
  execute(tx)`
    update coupon_use set customer_id = ${customerId}
     where store_id = ${storeId} and order_id = ${orderId}`

/**
 * Moves the coupon uses of a customer's orders to another customer. They are found by order, because no index finds
 * them by customer alone.
 */
export const moveUses = (tx: Tx, storeId: number, { from, into }: { from: number; into: number }) =>
  execute(tx)`
    update coupon_use set customer_id = ${into}
     where store_id = ${storeId} and customer_id = ${from}
       and order_id = any(array(select id from "order"
                                 where store_id = ${storeId} and customer_id = ${from}))`
