import { type RawBuilder, sql } from 'kysely'
import { listOf } from '../../../../db/arrays.ts'
import type { Db, Tx } from '../../../../db/database.ts'
import { named } from '../../../../db/named.ts'
import { countedTo } from '../../../../kernel/page.ts'
import { type KeyQuery, STATUSES, type StockKey } from '../schema.ts'

export interface KeyedVariant {
  id: number
  product_id: number
  delivery_type: string
  stock_mode: string
  active: boolean
}

export async function selectVariant(
  db: Db,
  storeId: number,
  productRef: string,
  variantId: number,
): Promise<KeyedVariant | undefined> {
  const { rows } = await sql<KeyedVariant>`
    select v.id, v.product_id, v.delivery_type, v.stock_mode, v.active
      from variant v
      join product p on p.store_id = v.store_id and p.id = v.product_id
     where v.store_id = ${storeId} and v.id = ${variantId} and v.deleted_at is null
       and ${named('p', productRef)} and p.deleted_at is null`.execute(db)
  return rows[0]
}

export interface SealedKey {
  value_enc: Buffer
  value_hmac: Buffer
}

export interface AddedKeys {
  now: string
  /** The import that they belong to, if the caller named one. */
  importId: string | null
  keys: readonly SealedKey[]
}

/**
 * Adds the keys that the variant does not have yet, and returns their number. A sold key counts as
 * one that the variant has.
 */
export async function insertKeys(
  tx: Tx,
  storeId: number,
  variantId: number,
  { now, importId, keys }: AddedKeys,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into stock_key (store_id, variant_id, value_enc, value_hmac, status, created_at, import_id)
    select ${storeId}, ${variantId}, k.value_enc, k.value_hmac, 'available', ${now}, ${importId}
      from unnest(${keys.map((key) => key.value_enc)}::bytea[],
                  ${keys.map((key) => key.value_hmac)}::bytea[])
             with ordinality as k(value_enc, value_hmac, place)
     order by k.place
        on conflict (store_id, variant_id, value_hmac) do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Returns the status of the stored keys with these hashes, by hash in base64. */
export async function selectKnown(
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

export type StoredKey = Omit<StockKey, 'object' | 'value'> & SealedKey

/** Returns a page of keys, newest first, and how many match (decision 100). */
export async function selectKeys(
  db: Db,
  storeId: number,
  variantId: number,
  { status = [...STATUSES], limit, offset }: KeyQuery,
): Promise<{ keys: StoredKey[]; total: number }> {
  // Each status is read separately and as a literal: `available` has a separate index, for imports.
  const newest = (most: number) =>
    sql.join(
      [...new Set(status)].map(
        (item) => sql`
          (select id from stock_key
            where store_id = ${storeId} and variant_id = ${variantId} and status = ${sql.lit(item)}
            order by id desc
            limit ${most})`,
      ),
      sql` union all `,
    )
  const page = await sql<StoredKey>`
    with page as (
      select n.id from (${newest(offset + limit)}) n order by n.id desc limit ${limit} offset ${offset}
    )
    select k.id, k.variant_id, k.value_enc, k.value_hmac, k.status, k.order_id, k.sold_at, k.created_at
      from page
      join stock_key k on k.store_id = ${storeId} and k.id = page.id
     order by k.id desc`.execute(db)
  const most = countedTo({ limit, offset })
  const count = await sql<{ total: number }>`
    select least(count(*), ${most}::bigint) as total from (${newest(most)}) n`.execute(db)
  return { keys: page.rows, total: count.rows[0]?.total ?? 0 }
}

/** Returns the keys of a store with this hash and their products, also of variants that were deleted. */
export async function selectKeysByHash(
  db: Db,
  storeId: number,
  hmac: Buffer,
  limit: number,
): Promise<(StoredKey & { product_id: string; product_name: string })[]> {
  const { rows } = await sql<StoredKey & { product_id: string; product_name: string }>`
    select k.id, k.variant_id, k.value_enc, k.value_hmac, k.status, k.order_id, k.sold_at, k.created_at,
           p.hash_id as product_id, p.name as product_name
      from stock_key k
      join variant v on v.store_id = k.store_id and v.id = k.variant_id
      join product p on p.store_id = v.store_id and p.id = v.product_id
     where k.store_id = ${storeId} and k.value_hmac = ${hmac}
     order by k.id desc
     limit ${limit}`.execute(db)
  return rows
}

/** Returns the next keys of a variant, in the order they were added. */
export async function selectKeysAfter(
  db: Db,
  storeId: number,
  variantId: number,
  { after, limit }: { after: number; limit: number },
): Promise<StoredKey[]> {
  const { rows } = await sql<StoredKey>`
    select id, variant_id, value_enc, value_hmac, status, order_id, sold_at, created_at
      from stock_key
     where store_id = ${storeId} and variant_id = ${variantId} and id > ${after}
     order by id
     limit ${limit}`.execute(db)
  return rows
}

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

export async function updateKey(
  tx: Tx,
  storeId: number,
  id: number,
  change: Partial<SealedKey> & { status?: string },
): Promise<void> {
  if (Object.keys(change).length === 0) return
  await tx
    .updateTable('stock_key')
    .set(change)
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute()
}

/** Deletes a key that is not sold, with its links to former deliveries. */
export async function deleteKey(tx: Tx, storeId: number, id: number): Promise<void> {
  await remove(tx, storeId, sql`select ${id}::bigint as id`)
}

const DELETED_AT_ONCE = 10_000

/**
 * Deletes this number of available keys, the newest first. Each statement deletes a batch: one that
 * deletes half a million keys would exceed the statement timeout.
 */
export async function deleteAvailable(
  tx: Tx,
  storeId: number,
  variantId: number,
  count: number,
): Promise<number> {
  const available = sql`
    select id from stock_key
     where store_id = ${storeId} and variant_id = ${variantId} and status = 'available'`
  return removeKeys(tx, storeId, available, count)
}

/** Deletes the keys with the ids that `among` selects, the newest first, at most `count`; in batches. */
export async function removeKeys(
  tx: Tx,
  storeId: number,
  among: RawBuilder<unknown>,
  count = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  let gone = 0
  let oldest: number | null = Number.MAX_SAFE_INTEGER
  while (oldest !== null && gone < count) {
    const removed: Removed = await remove(
      tx,
      storeId,
      sql`${among}
         and id < ${oldest}
       order by id desc
       limit ${Math.min(DELETED_AT_ONCE, count - gone)}`,
    )
    gone += removed.count
    oldest = removed.count < DELETED_AT_ONCE ? null : removed.oldest
  }
  return gone
}

interface Removed {
  count: number
  oldest: number | null
}

// The links of deliveries are deleted first, in a separate statement. The foreign key checks the
// remaining links.
async function remove(tx: Tx, storeId: number, which: RawBuilder<unknown>): Promise<Removed> {
  await sql`
    delete from delivery_key
     where store_id = ${storeId} and not live and stock_key_id in (${which})`.execute(tx)
  const { rows } = await sql<Removed>`
    with gone as (
      delete from stock_key where store_id = ${storeId} and id in (${which}) returning id
    )
    select count(*) as count, min(id) as oldest from gone`.execute(tx)
  return rows[0] ?? { count: 0, oldest: null }
}

/**
 * Counts the available keys of variants whose counters do not count keys. The counters are locked
 * already.
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

/** Keys of one variant that an order takes. */
export interface WantedKeys {
  order_id: string
  variant_id: number
  quantity: number
}

export interface ClaimedKey {
  id: number
  order_id: string
  variant_id: number
}

/**
 * Sells available keys, the oldest first, to orders in this sequence. The counters of their variants
 * are locked already.
 */
export async function claimKeys(
  tx: Tx,
  storeId: number,
  { now, wanted }: { now: string; wanted: readonly WantedKeys[] },
): Promise<ClaimedKey[]> {
  if (wanted.length === 0) return []
  const claimed = new Map<number, number>()
  const skipped = wanted.map(({ variant_id, quantity }) => {
    const before = claimed.get(variant_id) ?? 0
    claimed.set(variant_id, before + quantity)
    return before
  })
  const column = <K extends keyof WantedKeys>(name: K) => wanted.map((item) => item[name])
  const { rows } = await sql<ClaimedKey>`
    update stock_key k
       set status = 'sold', order_id = oldest.order_id, sold_at = greatest(k.created_at, ${now})
      from unnest(${column('order_id')}::text[], ${listOf(column('variant_id'), 'bigint')},
                  ${listOf(column('quantity'), 'bigint')}, ${listOf(skipped, 'bigint')})
             as w(order_id, variant_id, quantity, skipped)
      cross join lateral (
        select a.id, w.order_id
          from stock_key a
         where a.store_id = ${storeId} and a.variant_id = w.variant_id and a.status = 'available'
         order by a.id
        offset w.skipped
         limit w.quantity) oldest
     where k.store_id = ${storeId} and k.id = oldest.id
    returning k.id, k.order_id, k.variant_id`.execute(tx)
  return rows.sort((a, b) => a.id - b.id)
}

/** Takes back the keys that an order was sold, and returns their number by variant. */
export async function returnKeys(
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
         and id in (select l.stock_key_id
                      from delivery d
                      join delivery_key l on l.store_id = d.store_id and l.delivery_id = d.id and l.live
                     where d.store_id = ${storeId} and d.order_id = ${orderId})
      returning variant_id
    )
    select variant_id, count(*) as units from returned group by variant_id`.execute(tx)
  return new Map(rows.map((row) => [row.variant_id, row.units]))
}

/** Marks delivered keys that turned out to be unusable. */
export async function burnKeys(tx: Tx, storeId: number, ids: readonly number[]): Promise<void> {
  await sql`
    update stock_key set status = 'burned'
     where store_id = ${storeId} and id = any(${ids}::bigint[])`.execute(tx)
}
