import { type RawBuilder, sql } from 'kysely'
import { rowsOf } from '../../../../db/arrays.ts'
import { createdWithin } from '../../../../db/created.ts'
import type { Db, Tx } from '../../../../db/database.ts'
import { updateRecord } from '../../../../db/records.ts'
import { hasRef } from '../../../../db/refs.ts'
import { allRows, changedCount, execute, firstRow, onlyRow } from '../../../../db/rows.ts'
import { countLimit } from '../../../../kernel/page.ts'
import { STATUSES, type StockKey, type StockKeyQuery } from '../schema.ts'

export interface KeyedVariant {
  id: number
  product_id: number
  delivery_type: string
  stock_mode: string
  active: boolean
}

export const selectVariant = (db: Db, storeId: number, productRef: string, variantId: number) =>
  firstRow<KeyedVariant>(db)`
    select v.id, v.product_id, v.delivery_type, v.stock_mode, v.active
      from variant v
      join product p on p.store_id = v.store_id and p.id = v.product_id
     where v.store_id = ${storeId} and v.id = ${variantId} and v.deleted_at is null
       and ${hasRef('p', productRef)} and p.deleted_at is null`

export interface SealedStockKey {
  value_enc: Buffer
  value_hmac: Buffer
}

interface NewKeyRows {
  now: string
  /** The import to which the keys belong; null if the caller named none. */
  importId: string | null
  keys: readonly SealedStockKey[]
}

/**
 * Adds the keys that the variant does not have yet, and returns their number. A sold key of the
 * variant is not added again.
 */
export const insertKeys = (
  tx: Tx,
  storeId: number,
  variantId: number,
  { now, importId, keys }: NewKeyRows,
) =>
  changedCount(tx)`
    insert into stock_key (store_id, variant_id, value_enc, value_hmac, status, created_at, import_id)
    select ${storeId}, ${variantId}, k.value_enc, k.value_hmac, 'available', ${now}, ${importId}
      from unnest(${keys.map((key) => key.value_enc)}::bytea[],
                  ${keys.map((key) => key.value_hmac)}::bytea[])
             with ordinality as k(value_enc, value_hmac, position)
     order by k.position
        on conflict (store_id, variant_id, value_hmac) do nothing`

/** Returns the statuses of the stored keys with these hashes, by hash in base64. */
export async function selectKeyStatuses(
  db: Db,
  storeId: number,
  variantId: number,
  hmacs: readonly Buffer[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ value_hmac: Buffer; status: string }>`
    select value_hmac, status
      from stock_key
     where store_id = ${storeId} and variant_id = ${variantId}
       and value_hmac = any(${hmacs}::bytea[])`.execute(db)
  return new Map(rows.map((row) => [row.value_hmac.toString('base64'), row.status]))
}

export type StoredKey = Omit<StockKey, 'object' | 'value'> & SealedStockKey

/** Returns a page of keys, the newest first, and the total of matches (decision 100). */
export async function selectKeys(
  db: Db,
  storeId: number,
  variantId: number,
  { status = [...STATUSES], limit, offset, ...createdPeriod }: StockKeyQuery,
): Promise<{ keys: StoredKey[]; total: number }> {
  // Each status is read separately and as a literal, because `available` keys have their own index.
  const periodConditions = createdWithin('created_at', createdPeriod).map(
    (part) => sql` and ${part}`,
  )
  const newestIds = (maxCount: number) =>
    sql.join(
      [...new Set(status)].map(
        (item) => sql`
          (select id from stock_key
            where store_id = ${storeId} and variant_id = ${variantId} and status = ${sql.lit(item)}
                  ${sql.join(periodConditions, sql``)}
            order by id desc
            limit ${maxCount})`,
      ),
      sql` union all `,
    )
  const page = await sql<StoredKey>`
    with page as (
      select n.id from (${newestIds(offset + limit)}) n order by n.id desc limit ${limit} offset ${offset}
    )
    select k.id, k.variant_id, k.value_enc, k.value_hmac, k.status, k.order_id, k.sold_at, k.created_at
      from page
      join stock_key k on k.store_id = ${storeId} and k.id = page.id
     order by k.id desc`.execute(db)
  const countMax = countLimit({ limit, offset })
  const count = await sql<{ total: number }>`
    select least(count(*), ${countMax}::bigint) as total from (${newestIds(countMax)}) n`.execute(
    db,
  )
  return { keys: page.rows, total: count.rows[0]?.total ?? 0 }
}

/** Returns the keys of a store with this hash and their products, including deleted variants. */
export const selectKeysByHash = (db: Db, storeId: number, hmac: Buffer, limit: number) =>
  allRows<StoredKey & { product_id: string; product_name: string }>(db)`
    select k.id, k.variant_id, k.value_enc, k.value_hmac, k.status, k.order_id, k.sold_at, k.created_at,
           p.hash_id as product_id, p.name as product_name
      from stock_key k
      join variant v on v.store_id = k.store_id and v.id = k.variant_id
      join product p on p.store_id = v.store_id and p.id = v.product_id
     where k.store_id = ${storeId} and k.value_hmac = ${hmac}
     order by k.id desc
     limit ${limit}`

/** Returns the next keys of a variant, in the order in which they were added. */
export const selectKeysAfter = (
  db: Db,
  storeId: number,
  variantId: number,
  { after, limit }: { after: number; limit: number },
) =>
  allRows<StoredKey>(db)`
    select id, variant_id, value_enc, value_hmac, status, order_id, sold_at, created_at
      from stock_key
     where store_id = ${storeId} and variant_id = ${variantId} and id > ${after}
     order by id
     limit ${limit}`

/** Locks and returns a key of a variant. */
export async function lockKey(
  tx: Tx,
  storeId: number,
  variantId: number,
  id: number,
): Promise<(Omit<StoredKey, 'status'> & { status: string }) | undefined> {
  return tx
    .selectFrom('stock_key')
    .select(['id', 'variant_id', 'value_enc', 'value_hmac', 'status'])
    .select(['order_id', 'sold_at', 'created_at'])
    .where('store_id', '=', storeId)
    .where('variant_id', '=', variantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export type KeyChange = Partial<SealedStockKey> & { status?: string }

export async function updateKey(
  tx: Tx,
  storeId: number,
  id: number,
  change: KeyChange,
): Promise<void> {
  if (Object.keys(change).length === 0) return
  await updateRecord(tx, 'stock_key', { storeId, id }, change)
}

/** Deletes a key that is not sold, and its links to former deliveries. */
export async function deleteKey(tx: Tx, storeId: number, id: number): Promise<void> {
  await deleteBatch(tx, storeId, sql`select ${id}::bigint as id`)
}

/** The batch size. One statement for half a million keys would exceed the statement timeout. */
const DELETE_BATCH = 10_000

/** Deletes at most `count` available keys, the newest first, and returns their number. */
export async function deleteAvailableKeys(
  tx: Tx,
  storeId: number,
  variantId: number,
  count: number,
): Promise<number> {
  const available = sql`
    select id from stock_key
     where store_id = ${storeId} and variant_id = ${variantId} and status = 'available'`
  return deleteKeysInBatches(tx, storeId, available, count)
}

/** Deletes at most `count` of the keys that `candidates` selects, the newest first, in batches. */
export async function deleteKeysInBatches(
  tx: Tx,
  storeId: number,
  candidates: RawBuilder<unknown>,
  count = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  let deletedCount = 0
  let beforeId: number | null = Number.MAX_SAFE_INTEGER
  while (beforeId !== null && deletedCount < count) {
    const batch: DeletedBatch = await deleteBatch(
      tx,
      storeId,
      sql`${candidates}
         and id < ${beforeId}
       order by id desc
       limit ${Math.min(DELETE_BATCH, count - deletedCount)}`,
    )
    deletedCount += batch.count
    beforeId = batch.count < DELETE_BATCH ? null : batch.oldest
  }
  return deletedCount
}

interface DeletedBatch {
  count: number
  oldest: number | null
}

// The links of former deliveries are deleted first, in a separate statement, because a foreign key
// refuses to delete a key that has links.
async function deleteBatch(
  tx: Tx,
  storeId: number,
  ids: RawBuilder<unknown>,
): Promise<DeletedBatch> {
  await sql`
    delete from delivery_key
     where store_id = ${storeId} and not live and stock_key_id in (${ids})`.execute(tx)
  return onlyRow<DeletedBatch>(tx)`
    with deleted as (
      delete from stock_key where store_id = ${storeId} and id in (${ids}) returning id
    )
    select count(*) as count, min(id) as oldest from deleted`
}

/**
 * Counts the available keys of variants. The caller has locked their counters, so the numbers stay
 * valid in its transaction.
 */
export async function countAvailable(
  tx: Tx,
  storeId: number,
  variantIds: readonly number[],
): Promise<Map<number, number>> {
  if (variantIds.length === 0) return new Map()
  const { rows } = await sql<{ variant_id: number; available: number }>`
    select variant_id, count(*) as available
      from stock_key
     where store_id = ${storeId} and variant_id = any(${variantIds}::bigint[])
       and status = 'available'
     group by variant_id`.execute(tx)
  return new Map(rows.map((row) => [row.variant_id, row.available]))
}

/** The number of keys of a variant that an order needs. */
export interface KeyRequest {
  order_id: string
  variant_id: number
  quantity: number
}

const REQUEST_COLUMNS = {
  order_id: 'text',
  variant_id: 'bigint',
  quantity: 'bigint',
  key_offset: 'bigint',
} as const

export interface ClaimedKey {
  id: number
  order_id: string
  variant_id: number
}

/**
 * Marks the oldest available keys as sold to these orders, in the order of the requests. The caller has locked the
 * counters of the variants.
 */
export async function claimKeys(
  tx: Tx,
  storeId: number,
  { now, requests }: { now: string; requests: readonly KeyRequest[] },
): Promise<ClaimedKey[]> {
  if (requests.length === 0) return []
  const totals = new Map<number, number>()
  // The keys of earlier requests for the same variant are skipped.
  const placed = requests.map((request) => {
    const key_offset = totals.get(request.variant_id) ?? 0
    totals.set(request.variant_id, key_offset + request.quantity)
    return { ...request, key_offset }
  })
  // The planner cannot see the limit of a request. It would join the keys by reading all keys of the store, so they
  // are also found by the list of their ids.
  const { rows } = await sql<ClaimedKey>`
    with oldest as materialized (
      select a.id, r.order_id
        from ${rowsOf('r', placed, REQUEST_COLUMNS)}
       cross join lateral (
         select a.id
           from stock_key a
          where a.store_id = ${storeId} and a.variant_id = r.variant_id and a.status = 'available'
          order by a.id
         offset r.key_offset
          limit r.quantity) a
    )
    update stock_key k
       set status = 'sold', order_id = oldest.order_id, sold_at = greatest(k.created_at, ${now})
      from oldest
     where k.store_id = ${storeId} and k.id = any(array(select id from oldest)) and k.id = oldest.id
    returning k.id, k.order_id, k.variant_id`.execute(tx)
  return rows.sort((a, b) => a.id - b.id)
}

/** Returns the keys that were delivered for an order to stock, or revokes them. Returns their number by variant. */
export async function releaseDeliveredKeys(
  tx: Tx,
  storeId: number,
  orderId: string,
  status: 'available' | 'revoked',
): Promise<Map<number, number>> {
  const { rows } = await sql<{ variant_id: number; units: number }>`
    with returned as (
      update stock_key
         set status = ${status},
             order_id = case when ${status} = 'available' then null else order_id end,
             sold_at = case when ${status} = 'available' then null else sold_at end
       where store_id = ${storeId} and status = 'sold'
         and id in (select dk.stock_key_id
                      from delivery d
                      join delivery_key dk on dk.store_id = d.store_id and dk.delivery_id = d.id and dk.live
                     where d.store_id = ${storeId} and d.order_id = ${orderId})
      returning variant_id
    )
    select variant_id, count(*) as units from returned group by variant_id`.execute(tx)
  return new Map(rows.map((row) => [row.variant_id, row.units]))
}

/** Marks delivered keys as unusable, so that they are never sold again. */
export const burnKeys = (tx: Tx, storeId: number, ids: readonly number[]) =>
  execute(tx)`
    update stock_key set status = 'burned'
     where store_id = ${storeId} and id = any(${ids}::bigint[])`
