import { type RawBuilder, sql } from 'kysely'
import { recordLock } from '../../../../db/advisory-locks.ts'
import type { Db, Tx } from '../../../../db/database.ts'
import type { VariantStock } from '../schema.ts'
import type { Counters, Withdrawal } from '../stock.rules.ts'

/**
 * Locks the counters of variants, always in the order of their ids, and reads them. A statement
 * that waited for a row sees its newest version, but the variant as it was when the statement
 * began. The row is then read once more.
 */
export async function lockCounters(
  tx: Tx,
  storeId: number,
  variantIds: readonly number[],
): Promise<Counters[]> {
  const rows = await readLocked(tx, storeId, variantIds)
  return rows.some((row) => row.is_old) ? readLocked(tx, storeId, variantIds) : rows
}

async function readLocked(tx: Tx, storeId: number, variantIds: readonly number[]) {
  const { rows } = await sql<Counters & { is_old: boolean }>`
    select s.variant_id, v.product_id, v.stock_mode, v.track_inventory, v.allow_backorder, s.on_hand,
           s.reserved, v.mode_changes <> s.mode_changes as is_old
      from stock s
      join variant v on v.store_id = s.store_id and v.id = s.variant_id
     where s.store_id = ${storeId} and s.variant_id = any(${variantIds}::bigint[])
       and v.store_id = ${storeId} and v.id = any(${variantIds}::bigint[])
     order by s.variant_id
       for update of s`.execute(tx)
  return rows
}

/** Records that a variant is counted in another way. Its counters are locked already. */
export async function markModeChanged(tx: Tx, storeId: number, variantId: number): Promise<void> {
  await sql`
    with changed as (
      update variant set mode_changes = mode_changes + 1
       where store_id = ${storeId} and id = ${variantId}
      returning mode_changes
    )
    update stock s set mode_changes = c.mode_changes
      from changed c
     where s.store_id = ${storeId} and s.variant_id = ${variantId}`.execute(tx)
}

/** Locks the counters of all variants of a product, in the same order. */
export async function lockCountersOf(tx: Tx, storeId: number, productId: number): Promise<void> {
  await sql`
    select from stock s
      join variant v on v.store_id = s.store_id and v.id = s.variant_id
     where v.store_id = ${storeId} and v.product_id = ${productId}
     order by s.variant_id
       for update of s`.execute(tx)
}

/** Locks the list counters of products, in the order of their ids. */
export async function lockLists(
  tx: Tx,
  storeId: number,
  productIds: readonly number[],
): Promise<void> {
  await sql`
    select from product_stock
     where store_id = ${storeId} and product_id = any(${productIds}::bigint[])
     order by product_id
       for no key update`.execute(tx)
}

/** Adds to the units that orders reserve. A negative number frees units. */
export async function addReserved(
  tx: Tx,
  storeId: number,
  changes: ReadonlyMap<number, number>,
): Promise<void> {
  if (changes.size === 0) return
  await move(
    tx,
    storeId,
    sql`
    select c.variant_id, 0 as on_hand, c.units as reserved, 0 as sold
      from unnest(${[...changes.keys()]}::bigint[], ${[...changes.values()]}::bigint[])
        as c(variant_id, units)`,
  )
}

/** Subtracts the units of paid lines from the counters. */
export async function withdraw(
  tx: Tx,
  storeId: number,
  changes: Withdrawal['changes'],
): Promise<void> {
  const units = [...changes.values()]
  await move(
    tx,
    storeId,
    sql`
    select c.variant_id, - c.on_hand as on_hand, - c.reserved as reserved, c.sold
      from unnest(${[...changes.keys()]}::bigint[], ${units.map((item) => item.on_hand)}::bigint[],
                  ${units.map((item) => item.reserved)}::bigint[], ${units.map((item) => item.sold)}::bigint[])
        as c(variant_id, on_hand, reserved, sold)`,
  )
}

/**
 * Adds to the counters of variants, and to the list counters of their products: units sold, and the
 * number of variants that can be sold. The rows of `stock` are locked already, so the variants
 * cannot change meanwhile. The rows of `product_stock` are locked in the order of their ids.
 */
async function move(tx: Tx, storeId: number, changes: RawBuilder<unknown>): Promise<void> {
  await sql`
    with moved as (
      update stock s
         set on_hand = s.on_hand + c.on_hand, reserved = s.reserved + c.reserved, sold = s.sold + c.sold
        from (${changes}) c
       where s.store_id = ${storeId} and s.variant_id = c.variant_id
      returning s.variant_id, c.sold,
                (s.on_hand > s.reserved)::int
                  - (s.on_hand - c.on_hand > s.reserved - c.reserved)::int as freed
    ), told as (
      select v.product_id, sum(m.sold) as sold,
             sum(case when v.active and v.deleted_at is null and v.track_inventory
                           and v.stock_mode <> 'unlimited' then m.freed else 0 end) as freed
        from moved m
        join variant v on v.store_id = ${storeId} and v.id = m.variant_id
       where m.sold <> 0 or m.freed <> 0
       group by v.product_id
    ), locked as materialized (
      select n.product_id from product_stock n
       where n.store_id = ${storeId} and n.product_id in (select product_id from told)
       order by n.product_id
         for no key update
    )
    update product_stock n
       set sold = n.sold + t.sold, sellable = n.sellable + t.freed
      from told t
      join locked l on l.product_id = t.product_id
     where n.store_id = ${storeId} and n.product_id = t.product_id`.execute(tx)
}

/** True if a variant can be sold now. */
const SELLABLE = sql`
  v.active and v.deleted_at is null
  and (v.stock_mode = 'unlimited' or not v.track_inventory or s.on_hand > s.reserved)`

/**
 * Counts the variants of a product that can be sold, while its counters are locked against sales.
 */
export async function countSellable(tx: Tx, storeId: number, productId: number): Promise<void> {
  await sql`
    update product_stock n
       set sellable = (select count(*)
                         from variant v
                         join stock s on s.store_id = v.store_id and s.variant_id = v.id
                        where v.store_id = n.store_id and v.product_id = n.product_id and ${SELLABLE})
     where n.store_id = ${storeId} and n.product_id = ${productId}`.execute(tx)
}

export type StoredStock = Omit<VariantStock, 'object' | 'available' | 'low_stock'>

export async function selectStock(db: Db, storeId: number, variantId: number) {
  const { rows } = await sql<StoredStock>`
    select v.id as variant_id, v.stock_mode, v.track_inventory, v.allow_backorder,
           v.low_stock_threshold, s.on_hand, s.reserved, s.sold
      from variant v
      join stock s on s.store_id = v.store_id and s.variant_id = v.id
     where v.store_id = ${storeId} and v.id = ${variantId}`.execute(db)
  return rows[0]
}

export async function addOnHand(
  tx: Tx,
  storeId: number,
  variantId: number,
  units: number,
): Promise<void> {
  await move(
    tx,
    storeId,
    sql`
    select ${variantId}::bigint as variant_id, ${units}::bigint as on_hand, 0 as reserved, 0 as sold`,
  )
}

/** The fields of a product that its stock events report. */
export interface StockedProduct {
  id: number
  hash_id: string
  name: string
  slug: string
  status: string
  /** Units that can be sold, over all active variants; null if one of them is unlimited. */
  stock: number | null
  /** Variants that can be bought now. Empty if the product is not on sale. */
  buyable: number[]
}

const ON_SALE = sql`p.status = 'active' and p.active and p.visibility <> 'on_hold'`

/**
 * Returns products with the units of them that can be sold now. A caller that took the last unit of
 * a variant first takes the product's advisory lock. If two callers empty sibling variants at once,
 * the second one then sees both changes.
 */
export async function selectStocked(
  tx: Tx,
  storeId: number,
  productIds: readonly number[],
): Promise<StockedProduct[]> {
  const { rows } = await sql<StockedProduct>`
    select p.id, p.hash_id, p.name, p.slug, p.status,
           case when bool_or(v.stock_mode = 'unlimited' or not v.track_inventory) then null
                else coalesce(sum(greatest(s.on_hand - s.reserved, 0)), 0) end as stock,
           coalesce(array_agg(v.id) filter (
             where ${ON_SALE} and ${SELLABLE}
           ), '{}') as buyable
      from product p
      left join variant v
        on v.store_id = p.store_id and v.product_id = p.id and v.active and v.deleted_at is null
      left join stock s on s.store_id = v.store_id and s.variant_id = v.id
     where p.store_id = ${storeId} and p.id = any(${productIds}::bigint[])
     group by p.store_id, p.id
     order by p.id`.execute(tx)
  return rows
}

/** The current state of a product that has pending sign-ups for stock alerts. */
export interface Awaited {
  name: string
  deleted: boolean
  /** Variants that can be bought now. */
  buyable: number[]
  /** Variants that are deleted, alone or with their product. */
  gone: number[]
  /** True if unpaid orders hold all remaining units of a variant on sale. */
  held: boolean
}

export async function selectAwaited(
  tx: Tx,
  storeId: number,
  productId: number,
): Promise<Awaited | undefined> {
  const { rows } = await sql<Awaited>`
    select p.name, p.deleted_at is not null as deleted,
           coalesce(array_agg(v.id) filter (
             where p.deleted_at is null and ${ON_SALE} and ${SELLABLE}), '{}') as buyable,
           coalesce(array_agg(v.id) filter (
             where coalesce(p.deleted_at, v.deleted_at) is not null), '{}') as gone,
           coalesce(bool_or(
             p.deleted_at is null and ${ON_SALE} and v.active and v.deleted_at is null
             and s.on_hand > 0 and s.on_hand <= s.reserved), false) as held
      from product p
      left join variant v on v.store_id = p.store_id and v.product_id = p.id
      left join stock s on s.store_id = v.store_id and s.variant_id = v.id
     where p.store_id = ${storeId} and p.id = ${productId}
     group by p.store_id, p.id`.execute(tx)
  return rows[0]
}

export async function lockProducts(tx: Tx, productIds: readonly number[]): Promise<void> {
  await sql`
    select ${recordLock('product_stock', sql`id`)}
      from unnest(${[...productIds].sort((a, b) => a - b)}::bigint[]) as id`.execute(tx)
}
