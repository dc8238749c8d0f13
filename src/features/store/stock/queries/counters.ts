import { type RawBuilder, sql } from 'kysely'
import { recordLock } from '../../../../db/advisory-locks.ts'
import { anyOf, rowsOf } from '../../../../db/arrays.ts'
import type { Db, Tx } from '../../../../db/database.ts'
import { allRows, execute, firstRow, send } from '../../../../db/rows.ts'
import type { VariantStock } from '../schema.ts'
import type { CounterChanges, ExpectedStock, StockCounters } from '../stock.rules.ts'

/**
 * Locks the counters of variants, always in the order of their ids, and reads them. A statement
 * that waited for the lock sees the newest counters, but the variant as it was when the statement
 * began. If the stock mode has changed meanwhile, the counters and the variant are read again.
 */
export async function lockCounters(
  tx: Tx,
  storeId: number,
  variantIds: readonly number[],
): Promise<StockCounters[]> {
  const rows = await readLockedCounters(tx, storeId, variantIds)
  return rows.some((row) => row.is_stale) ? readLockedCounters(tx, storeId, variantIds) : rows
}

const readLockedCounters = (tx: Tx, storeId: number, variantIds: readonly number[]) =>
  allRows<StockCounters & { is_stale: boolean }>(tx)`
    select s.variant_id, v.product_id, v.stock_mode, v.track_inventory, v.allow_backorder, s.on_hand,
           s.reserved, s.owed, v.mode_changes <> s.mode_changes as is_stale
      from stock s
      join variant v on v.store_id = s.store_id and v.id = s.variant_id
     where s.store_id = ${storeId} and s.variant_id = ${anyOf(variantIds, 'bigint')}
       and v.store_id = ${storeId} and v.id = ${anyOf(variantIds, 'bigint')}
     order by s.variant_id
       for update of s`

/** Records that the stock mode of a variant has changed, for the comparison in `lockCounters`. The caller has locked its counters. */
export const markModeChanged = (tx: Tx, storeId: number, variantId: number) =>
  execute(tx)`
    with changed as (
      update variant set mode_changes = mode_changes + 1
       where store_id = ${storeId} and id = ${variantId}
      returning mode_changes
    )
    update stock s set mode_changes = c.mode_changes
      from changed c
     where s.store_id = ${storeId} and s.variant_id = ${variantId}`

/** Locks the counters of all variants of a product, in the order of their ids. */
export const lockCountersOfProduct = (tx: Tx, storeId: number, productId: number) =>
  execute(tx)`
    select from stock s
      join variant v on v.store_id = s.store_id and v.id = s.variant_id
     where v.store_id = ${storeId} and v.product_id = ${productId}
     order by s.variant_id
       for update of s`

/** Locks the list counters of products, in the order of their ids. */
export const lockListCounters = (tx: Tx, storeId: number, productIds: readonly number[]) =>
  execute(tx)`
    select from product_stock
     where store_id = ${storeId} and product_id = ${anyOf(productIds, 'bigint')}
     order by product_id
       for no key update`

/**
 * Adds to the units that orders reserve, by variant. A negative number releases units. The caller has locked the counters,
 * or says what it expects of those of its only variant.
 */
export async function addReserved(
  tx: Tx,
  storeId: number,
  changes: ReadonlyMap<number, number>,
  expected?: ExpectedStock,
): Promise<void> {
  if (changes.size === 0) return
  await addToCounters(
    tx,
    storeId,
    sql`
    select c.id as variant_id, 0 as on_hand, c.units as reserved, 0 as owed, 0 as sold
      from ${rowsOf('c', unitsOf(changes), { id: 'bigint', units: 'bigint' })}`,
    { expected },
  )
}

const unitsOf = (changes: ReadonlyMap<number, number>) =>
  [...changes].map(([id, units]) => ({ id, units }))

/** Units by which bundles were sold, by their product ids. */
export type BundleSales = ReadonlyMap<number, number>

const COUNTER_COLUMNS = {
  variant_id: 'bigint',
  on_hand: 'bigint',
  reserved: 'bigint',
  owed: 'bigint',
  sold: 'bigint',
} as const

/**
 * Subtracts units from `on_hand`, `reserved` and `owed`, and adds units to `sold`. Adds sold bundles to the list counters
 * of their products. The caller has locked the counters, or says what it expects of those of its only variant.
 */
export async function subtractUnits(
  tx: Tx,
  storeId: number,
  changes: CounterChanges,
  options: ChangeOptions = {},
): Promise<void> {
  const counters = [...changes].map(([variant_id, units]) => ({ variant_id, ...units }))
  await addToCounters(
    tx,
    storeId,
    sql`
    select c.variant_id, - c.on_hand as on_hand, - c.reserved as reserved, - c.owed as owed, c.sold
      from ${rowsOf('c', counters, COUNTER_COLUMNS)}`,
    options,
  )
}

interface ChangeOptions {
  bundleSales?: BundleSales
  expected?: ExpectedStock
}

/** `reserved` of the counters, which repeats the transaction unless the stock is as expected. */
function reservedAsExpected(expected: ExpectedStock | undefined) {
  if (!expected) return sql`s.reserved`
  const { mode_changes, available } = expected
  const hasUnits = available === null ? sql`true` : sql`s.available >= ${available}::bigint`
  return sql`
    case when s.mode_changes = ${mode_changes}::bigint and ${hasUnits} then s.reserved else stock_has_changed() end`
}

/**
 * Adds to the counters of variants, and to the list counters of their products: units sold, and the
 * number of variants that can be sold. The caller has locked the rows of `stock`, so the variants
 * cannot change meanwhile, or expects units that make no difference to that number. The rows of `product_stock` are locked
 * in the order of their ids.
 */
const addToCounters = (
  tx: Tx,
  storeId: number,
  changes: RawBuilder<unknown>,
  { bundleSales = new Map(), expected }: ChangeOptions = {},
) =>
  send(tx)`
    with moved as (
      update stock s
         set on_hand = s.on_hand + c.on_hand, reserved = ${reservedAsExpected(expected)} + c.reserved,
             owed = s.owed + c.owed, sold = s.sold + c.sold
        from (${changes}) c
       where s.store_id = ${storeId} and s.variant_id = c.variant_id
      returning s.variant_id, c.sold,
                (s.available > 0)::int
                  - (s.on_hand - c.on_hand > s.reserved - c.reserved + s.owed - c.owed)::int as newly_sellable
    ), by_product as (
      select product_id, sum(sold) as sold, sum(newly_sellable) as newly_sellable
        from (select v.product_id, m.sold,
                     case when v.active and v.deleted_at is null and v.track_inventory
                               and v.stock_mode <> 'unlimited' then m.newly_sellable else 0 end as newly_sellable
                from moved m
                join variant v on v.store_id = ${storeId} and v.id = m.variant_id
               where m.sold <> 0 or m.newly_sellable <> 0
               union all
              select b.id, b.units, 0
                from ${rowsOf('b', unitsOf(bundleSales), { id: 'bigint', units: 'bigint' })}) p
       group by product_id
    ), locked as materialized (
      select ps.product_id from product_stock ps
       where ps.store_id = ${storeId} and ps.product_id in (select product_id from by_product)
       order by ps.product_id
         for no key update
    )
    update product_stock ps
       set sold = ps.sold + p.sold, sellable = ps.sellable + p.newly_sellable
      from by_product p
      join locked l on l.product_id = p.product_id
     where ps.store_id = ${storeId} and ps.product_id = p.product_id`

/** The condition under which a variant can be sold now. */
const IS_SELLABLE = sql`
  v.active and v.deleted_at is null
  and (v.stock_mode = 'unlimited' or not v.track_inventory or s.available > 0)`

/** Counts the variants of a product that can be sold, and stores the count. The caller has locked the stock counters. */
export const updateSellableCount = (tx: Tx, storeId: number, productId: number) =>
  execute(tx)`
    update product_stock ps
       set sellable = (select count(*)
                         from variant v
                         join stock s on s.store_id = v.store_id and s.variant_id = v.id
                        where v.store_id = ps.store_id and v.product_id = ps.product_id and ${IS_SELLABLE})
     where ps.store_id = ${storeId} and ps.product_id = ${productId}`

type StoredStock = Omit<VariantStock, 'object' | 'available' | 'low_stock'> & { owed: number }

export const selectStock = (db: Db, storeId: number, variantId: number) =>
  firstRow<StoredStock>(db)`
    select v.id as variant_id, v.stock_mode, v.track_inventory, v.allow_backorder,
           v.low_stock_threshold, s.on_hand, s.reserved, s.owed, s.sold
      from variant v
      join stock s on s.store_id = v.store_id and s.variant_id = v.id
     where v.store_id = ${storeId} and v.id = ${variantId}`

export async function addOnHand(
  tx: Tx,
  storeId: number,
  variantId: number,
  units: number,
): Promise<void> {
  await addToCounters(
    tx,
    storeId,
    sql`
    select ${variantId}::bigint as variant_id, ${units}::bigint as on_hand, 0 as reserved, 0 as owed, 0 as sold`,
  )
}

/** The fields of a product that its stock events report. */
export interface StockedProduct {
  id: number
  hash_id: string
  name: string
  slug: string
  status: string
  /** The units of all active variants that can be sold; null if one variant is unlimited. */
  stock: number | null
  /** Ids of the variants that can be bought now. Empty if the product is not on sale. */
  buyable: number[]
}

const ON_SALE = sql`p.status = 'active' and p.active and p.visibility <> 'on_hold'`

/**
 * Returns products with the number of their units that can be sold now. A caller that took the last
 * unit of a variant takes the product's advisory lock first. If two callers empty two variants of a
 * product at once, the second caller then sees both changes.
 */
export const selectStockedProducts = (tx: Tx, storeId: number, productIds: readonly number[]) =>
  allRows<StockedProduct>(tx)`
    select p.id, p.hash_id, p.name, p.slug, p.status,
           case when bool_or(v.stock_mode = 'unlimited' or not v.track_inventory) then null
                else coalesce(sum(s.available), 0) end as stock,
           coalesce(array_agg(v.id) filter (
             where ${ON_SALE} and ${IS_SELLABLE}
           ), '{}') as buyable
      from product p
      left join variant v
        on v.store_id = p.store_id and v.product_id = p.id and v.active and v.deleted_at is null
      left join stock s on s.store_id = v.store_id and s.variant_id = v.id
     where p.store_id = ${storeId} and p.id = any(${productIds}::bigint[])
     group by p.store_id, p.id
     order by p.id`

/** The current state of a product that has sign-ups for stock alerts. */
interface AlertedProduct {
  name: string
  deleted: boolean
  /** Ids of the variants that can be bought now. */
  buyable: number[]
  /** Ids of the deleted variants, including those that were deleted with their product. */
  deleted_variants: number[]
  /** True if orders reserve or wait for all remaining units of a variant on sale. */
  fully_reserved: boolean
}

export const selectAlertedProduct = (tx: Tx, storeId: number, productId: number) =>
  firstRow<AlertedProduct>(tx)`
    select p.name, p.deleted_at is not null as deleted,
           coalesce(array_agg(v.id) filter (
             where p.deleted_at is null and ${ON_SALE} and ${IS_SELLABLE}), '{}') as buyable,
           coalesce(array_agg(v.id) filter (
             where coalesce(p.deleted_at, v.deleted_at) is not null), '{}') as deleted_variants,
           coalesce(bool_or(
             p.deleted_at is null and ${ON_SALE} and v.active and v.deleted_at is null
             and s.on_hand > 0 and s.available = 0), false) as fully_reserved
      from product p
      left join variant v on v.store_id = p.store_id and v.product_id = p.id
      left join stock s on s.store_id = v.store_id and s.variant_id = v.id
     where p.store_id = ${storeId} and p.id = ${productId}
     group by p.store_id, p.id`

/** Takes the advisory locks of the stock of products, in the order of their ids. */
export const lockStockOfProducts = (tx: Tx, productIds: readonly number[]) =>
  execute(tx)`
    select ${recordLock('product_stock', sql`id`)}
      from unnest(${[...productIds].sort((a, b) => a - b)}::bigint[]) as id`
