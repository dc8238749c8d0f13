import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { VariantStock } from '../schema.ts'
import type { Counters, Withdrawal } from '../stock.rules.ts'

/** Locks the counters of variants, always in the order of their ids, and reads them. */
export async function lockCounters(
  tx: Tx,
  storeId: number,
  variantIds: readonly number[],
): Promise<Counters[]> {
  const { rows } = await sql<Counters>`
    select s.variant_id, v.product_id, v.stock_mode, v.track_inventory, v.allow_backorder, s.on_hand,
           s.reserved
      from stock s
      join variant v on v.store_id = s.store_id and v.id = s.variant_id
     where s.store_id = ${storeId} and s.variant_id = any(${variantIds}::bigint[])
       and v.store_id = ${storeId} and v.id = any(${variantIds}::bigint[])
     order by s.variant_id
       for update of s`.execute(tx)
  return rows
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

/** Adds to what orders hold; a negative number gives it back. */
export async function addReserved(
  tx: Tx,
  storeId: number,
  changes: ReadonlyMap<number, number>,
): Promise<void> {
  if (changes.size === 0) return
  await sql`
    update stock s
       set reserved = s.reserved + c.units
      from unnest(${[...changes.keys()]}::bigint[], ${[...changes.values()]}::bigint[])
        as c(variant_id, units)
     where s.store_id = ${storeId} and s.variant_id = c.variant_id`.execute(tx)
}

/** Takes from the counters what paid lines took. */
export async function withdraw(
  tx: Tx,
  storeId: number,
  changes: Withdrawal['changes'],
): Promise<void> {
  const units = [...changes.values()]
  await sql`
    update stock s
       set on_hand = s.on_hand - c.on_hand, reserved = s.reserved - c.reserved, sold = s.sold + c.sold
      from unnest(${[...changes.keys()]}::bigint[], ${units.map((one) => one.on_hand)}::bigint[],
                  ${units.map((one) => one.reserved)}::bigint[], ${units.map((one) => one.sold)}::bigint[])
        as c(variant_id, on_hand, reserved, sold)
     where s.store_id = ${storeId} and s.variant_id = c.variant_id`.execute(tx)
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
  await sql`
    update stock set on_hand = on_hand + ${units}
     where store_id = ${storeId} and variant_id = ${variantId}`.execute(tx)
}

/** A product as its stock events tell it. */
export interface StockedProduct {
  id: number
  hash_id: string
  name: string
  slug: string
  status: string
  /** Units that can be sold, over all active variants; null where one of them has no end. */
  stock: number | null
}

/**
 * Products with what can be sold of them now. Who asks because it took the last of a variant first
 * takes the product's advisory lock, so that of two that empty siblings at once the second sees both.
 */
export async function selectStocked(
  tx: Tx,
  storeId: number,
  productIds: readonly number[],
): Promise<StockedProduct[]> {
  const { rows } = await sql<StockedProduct>`
    select p.id, p.hash_id, p.name, p.slug, p.status,
           case when bool_or(v.stock_mode = 'unlimited' or not v.track_inventory) then null
                else coalesce(sum(greatest(s.on_hand - s.reserved, 0)), 0) end as stock
      from product p
      left join variant v
        on v.store_id = p.store_id and v.product_id = p.id and v.active and v.deleted_at is null
      left join stock s on s.store_id = v.store_id and s.variant_id = v.id
     where p.store_id = ${storeId} and p.id = any(${productIds}::bigint[])
     group by p.store_id, p.id
     order by p.id`.execute(tx)
  return rows
}

const PRODUCT_LOCKS = 41

export async function lockProducts(tx: Tx, productIds: readonly number[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(${PRODUCT_LOCKS}, (id % 2147483647)::int)
      from unnest(${[...productIds].sort((a, b) => a - b)}::bigint[]) as id`.execute(tx)
}
