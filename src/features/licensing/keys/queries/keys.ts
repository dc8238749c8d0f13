import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { hasEmail } from '../../../../db/has-email.ts'
import { allRows, allValues, execute, firstRow } from '../../../../db/rows.ts'
import { never } from '../../../../kernel/never.ts'
import type { KEY_STATUSES, LicenseKeyQuery, ListedLicenseKey, NewTerms } from '../schema.ts'

/** A key row of the database. Its text is sealed, and its status is computed when it is read. */
export type KeyRow = Omit<ListedLicenseKey, 'status'> & { key_hmac: Buffer; key_enc: Buffer }

const COLUMNS = sql`
  id, 'license_key' as object, app_id, key_hmac, key_enc, key_preview, ban_reason, public_ban_reason,
  banned_at, ban_expires_at, banned_by, suspended_at, suspend_reason, level, entitlements,
  duration_seconds, expiry_basis, expires_at, max_devices, devices_count, max_sessions,
  device_resets_left, reset_cooldown_seconds, max_device_changes, last_reset_at, note, metadata,
  product_hash as product_id, variant_id, order_id as invoice_id, subscription_id, customer_email,
  first_activated_at, last_validated_at, created_at, updated_at`

/** Returns the condition of a status. Each branch repeats the predicate of its partial index. */
function hasStatus(status: (typeof KEY_STATUSES)[number], now: string) {
  const banned = sql`banned_at is not null and (ban_expires_at is null or ban_expires_at > ${now})`
  const notBanned = sql`(banned_at is null or ban_expires_at <= ${now})`
  const valid = sql`${notBanned} and suspended_at is null and (expires_at is null or expires_at > ${now})`
  switch (status) {
    case 'banned':
      return banned
    case 'suspended':
      return sql`suspended_at is not null and ${notBanned}`
    case 'expired':
      return sql`expires_at <= ${now} and ${notBanned} and suspended_at is null`
    case 'unused':
      return sql`first_activated_at is null and ${valid}`
    case 'active':
      return sql`first_activated_at is not null and ${valid}`
    default:
      return never(status)
  }
}

/** A search for a key by its text: the apps that may have it, and its hashes in these apps. */
export interface KeyLookup {
  appIds: readonly number[]
  hmacs: readonly Buffer[]
}

/** Returns up to `limit + 1` keys, newest first. */
export function selectKeys(
  db: Db,
  storeId: number,
  query: Omit<LicenseKeyQuery, 'key'> & { now: string; lookup: KeyLookup | undefined },
) {
  const conditions = [sql`store_id = ${storeId}`]
  if (query.cursor) conditions.push(sql`id < ${query.cursor}`)
  if (query.app_id) conditions.push(sql`app_id = ${query.app_id}`)
  if (query.level !== undefined) conditions.push(sql`level = ${query.level}`)
  if (query.product_id) conditions.push(sql`product_hash = ${query.product_id}`)
  if (query.customer_email) conditions.push(hasEmail('customer_email', query.customer_email))
  if (query.created_after) conditions.push(sql`created_at >= ${query.created_after}`)
  if (query.created_before) conditions.push(sql`created_at < ${query.created_before}`)
  if (query.lookup) {
    // The index of hashes begins with the app. Without one, each key of the store would be compared.
    conditions.push(sql`app_id = any(${query.lookup.appIds}::bigint[])`)
    conditions.push(sql`key_hmac = any(${query.lookup.hmacs}::bytea[])`)
  }
  if (query.status) {
    const statuses = query.status.map((status) => sql`(${hasStatus(status, query.now)})`)
    conditions.push(sql`(${sql.join(statuses, sql` or `)})`)
  }
  return allRows<KeyRow>(db)`
    select ${COLUMNS} from license_key
     where ${sql.join(conditions, sql` and `)}
     order by id desc
     limit ${query.limit + 1}`
}

export const selectKey = (db: Db, storeId: number, id: number) =>
  firstRow<KeyRow>(db)`
    select ${COLUMNS} from license_key where store_id = ${storeId} and id = ${id}`

/** Locks keys in order of id, so that two concurrent changes cannot deadlock. */
export const lockKeys = (tx: Tx, storeId: number, ids: readonly number[]) =>
  allRows<KeyRow>(tx)`
    select ${COLUMNS} from license_key
     where store_id = ${storeId} and id = any(${ids}::bigint[])
     order by id
       for update`

export const lockKeysOfOrder = (tx: Tx, storeId: number, orderId: string) =>
  allRows<KeyRow>(tx)`
    select ${COLUMNS} from license_key
     where store_id = ${storeId} and order_id = ${orderId}
     order by id
       for update`

export const lockKeysOfItems = (tx: Tx, storeId: number, itemIds: readonly number[]) =>
  allRows<KeyRow & { order_item_id: number }>(tx)`
    select ${COLUMNS}, order_item_id from license_key
     where store_id = ${storeId} and order_item_id = any(${itemIds}::bigint[])
     order by id
       for update`

/** Returns the ids of a store's apps, on which the hashes of keys depend. */
export const selectAppIds = (db: Db, storeId: number) =>
  allValues<number>(db)`
    select id from client_app where store_id = ${storeId} order by id`

export type NewLicenseKeyRow = NewTerms & {
  app_id: number
  key_hmac: Buffer
  key_enc: Buffer
  key_preview: string
  order_item_id: number | null
  created_at: string
}

/** Inserts keys and returns their ids in the same order. If one key exists, the whole statement fails. */
export async function insertKeys(
  tx: Tx,
  storeId: number,
  rows: readonly NewLicenseKeyRow[],
): Promise<number[]> {
  const jsonRows = rows.map(({ key_hmac, key_enc, ...row }) => ({
    ...row,
    key_hmac: key_hmac.toString('hex'),
    key_enc: key_enc.toString('hex'),
  }))
  const inserted = await sql<{ id: number }>`
    insert into license_key (store_id, app_id, key_hmac, key_enc, key_preview, level, entitlements,
                             duration_seconds, expiry_basis, expires_at, max_devices, max_sessions,
                             device_resets_left, reset_cooldown_seconds, max_device_changes, note,
                             metadata, product_hash, variant_id, order_id, order_item_id, subscription_id, customer_email,
                             created_at, updated_at)
    select ${storeId}, k.app_id, decode(k.key_hmac, 'hex'), decode(k.key_enc, 'hex'), k.key_preview,
           k.level, array(select jsonb_array_elements_text(k.entitlements)), k.duration_seconds,
           k.expiry_basis, k.expires_at, k.max_devices, k.max_sessions, k.device_resets_left,
           k.reset_cooldown_seconds, k.max_device_changes, k.note, k.metadata, k.product_id,
           k.variant_id, k.invoice_id, k.order_item_id, k.subscription_id, k.customer_email, k.created_at, k.created_at
      from jsonb_array_elements(${JSON.stringify(jsonRows)}::jsonb) with ordinality as e(row, position),
           jsonb_to_record(e.row)
             as k(app_id bigint, key_hmac text, key_enc text, key_preview text, level integer,
                  entitlements jsonb, duration_seconds bigint, expiry_basis text,
                  expires_at timestamptz, max_devices integer, max_sessions integer,
                  device_resets_left integer, reset_cooldown_seconds integer,
                  max_device_changes integer, note text, metadata jsonb, product_id text, variant_id bigint, invoice_id text,
                  order_item_id bigint, subscription_id bigint, customer_email text,
                  created_at timestamptz)
     order by e.position
    returning id`.execute(tx)
  // `returning` guarantees no order, but the ids rise in the order of the inserted rows.
  return inserted.rows.map((row) => row.id).sort((a, b) => a - b)
}

/** Returns the hashes that belong to an existing or a deleted key. */
export const selectUsedHashes = (
  tx: Tx,
  storeId: number,
  appId: number,
  hmacs: readonly Buffer[],
) =>
  allValues<Buffer>(tx)`
    select key_hmac from license_key
     where store_id = ${storeId} and app_id = ${appId} and key_hmac = any(${hmacs}::bytea[])
     union all
    select key_hmac from license_key_tombstone
     where store_id = ${storeId} and app_id = ${appId} and key_hmac = any(${hmacs}::bytea[])`

/** Stores the hashes of keys as tombstones, so that their texts are never used again. */
export const insertTombstones = (tx: Tx, storeId: number, ids: readonly number[], now: string) =>
  execute(tx)`
    insert into license_key_tombstone (store_id, app_id, key_hmac, created_at)
    select store_id, app_id, key_hmac, ${now} from license_key
     where store_id = ${storeId} and id = any(${ids}::bigint[])
        on conflict do nothing`

export const deleteKeys = (tx: Tx, storeId: number, ids: readonly number[]) =>
  execute(tx)`
    delete from license_key
     where store_id = ${storeId} and id = any(${ids}::bigint[])`

type LicenseKeyChange = Partial<
  Omit<KeyRow, 'id' | 'object' | 'metadata' | 'product_id' | 'invoice_id' | 'devices_count'>
> & { metadata?: Record<string, unknown>; ban_before_hold?: null }

/** Sets the same fields of all these keys. */
export async function updateKeys(
  tx: Tx,
  storeId: number,
  ids: readonly number[],
  { metadata, updated_at, ...fields }: LicenseKeyChange & { updated_at: string },
): Promise<void> {
  await tx
    .updateTable('license_key')
    .set((row) => ({
      ...fields,
      ...(metadata && { metadata: JSON.stringify(metadata) }),
      updated_at: sql<string>`greatest(${row.ref('updated_at')}, ${updated_at})`,
    }))
    .where('store_id', '=', storeId)
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
}

interface NewTerm {
  id: number
  expires_at: string | null
  duration_seconds: number | null
}

/** Sets the end and the duration of each key. */
export const updateTerms = (tx: Tx, storeId: number, terms: readonly NewTerm[], now: string) =>
  execute(tx)`
    update license_key k
       set expires_at = t.expires_at, duration_seconds = t.duration_seconds,
           updated_at = greatest(k.updated_at, ${now})
      from unnest(${terms.map((item) => item.id)}::bigint[],
                  ${terms.map((item) => item.expires_at)}::timestamptz[],
                  ${terms.map((item) => item.duration_seconds)}::bigint[])
        as t(id, expires_at, duration_seconds)
     where k.store_id = ${storeId} and k.id = t.id`

interface RenewedKey {
  id: number
  subscription_id: number
  expires_at: string | null
}

/**
 * Sets the subscription and the end of each renewed key. Returns the changed keys. The columns of `r` are named
 * unlike those of `license_key`, because `returning` lists its columns without a table.
 */
export function updateRenewedKeys(
  tx: Tx,
  storeId: number,
  { renewedKeys, now }: { renewedKeys: readonly RenewedKey[]; now: string },
) {
  const ids = renewedKeys.map((item) => item.id)
  return allRows<KeyRow>(tx)`
    update license_key k
       set expires_at = r.ends_at, subscription_id = r.renewed_by,
           updated_at = greatest(k.updated_at, ${now})
      from unnest(${ids}::bigint[], ${renewedKeys.map((item) => item.subscription_id)}::bigint[],
                  ${renewedKeys.map((item) => item.expires_at)}::timestamptz[])
        as r(key_id, renewed_by, ends_at)
     where k.store_id = ${storeId} and k.id = any(${ids}::bigint[]) and k.id = r.key_id
    returning ${COLUMNS}`
}

/** Records a device reset of keys. */
export const countResets = (tx: Tx, storeId: number, ids: readonly number[], now: string) =>
  execute(tx)`
    update license_key
       set last_reset_at = ${now}, updated_at = greatest(updated_at, ${now}),
           device_resets_left = case when device_resets_left > 0 then device_resets_left - 1
                                     else device_resets_left end
     where store_id = ${storeId} and id = any(${ids}::bigint[])`

/** Returns the moments after `after` at which the license holder freed a device, oldest first. */
export const selectDeviceChanges = (tx: Tx, storeId: number, id: number, after: string) =>
  allValues<string>(tx)`
    select moment
      from license_key k, unnest(k.device_changes) moment
     where k.store_id = ${storeId} and k.id = ${id} and moment > ${after}
     order by moment`

/**
 * Records a device change by the license holder. Deletes changes before `after`, and changes
 * beyond the newest `keep`.
 */
export const addDeviceChange = (
  tx: Tx,
  storeId: number,
  id: number,
  { now, after, keep }: { now: string; after: string; keep: number },
) =>
  execute(tx)`
    update license_key
       set device_changes = array(
             select moment from unnest(array_append(device_changes, ${now}::timestamptz(3))) moment
              where moment > ${after}
              order by moment desc
              limit ${keep})
     where store_id = ${storeId} and id = ${id}`
