import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { never } from '../../../../kernel/never.ts'
import type { KEY_STATUSES, KeyQuery, ListedKey, NewTerms } from '../schema.ts'

/** A key as stored: its text is sealed, and its status is not stored. */
export type KeyRow = Omit<ListedKey, 'status'> & { key_hmac: Buffer; key_enc: Buffer }

const COLUMNS = sql`
  id, 'license_key' as object, app_id, key_hmac, key_enc, key_preview, ban_reason, public_ban_reason,
  banned_at, ban_expires_at, banned_by, suspended_at, suspend_reason, level, entitlements,
  duration_seconds, expiry_basis, expires_at, max_devices, devices_count, max_sessions,
  device_resets_left, reset_cooldown_seconds, max_device_changes, last_reset_at, note, metadata,
  product_hash as product_id, variant_id, order_id as invoice_id, subscription_id, customer_email,
  first_activated_at, last_validated_at, created_at, updated_at`

/** The condition of a status. Each branch repeats the predicate of its partial index. */
function hasStatus(status: (typeof KEY_STATUSES)[number], now: string) {
  const banned = sql`banned_at is not null and (ban_expires_at is null or ban_expires_at > ${now})`
  const free = sql`(banned_at is null or ban_expires_at <= ${now})`
  const lasting = sql`${free} and suspended_at is null and (expires_at is null or expires_at > ${now})`
  switch (status) {
    case 'banned':
      return banned
    case 'suspended':
      return sql`suspended_at is not null and ${free}`
    case 'expired':
      return sql`expires_at <= ${now} and ${free} and suspended_at is null`
    case 'unused':
      return sql`first_activated_at is null and ${lasting}`
    case 'active':
      return sql`first_activated_at is not null and ${lasting}`
    default:
      return never(status)
  }
}

/** A page of keys and one more row, newest first. */
export async function selectKeys(
  db: Db,
  storeId: number,
  query: Omit<KeyQuery, 'key'> & { now: string; hmacs: readonly Buffer[] | undefined },
): Promise<KeyRow[]> {
  const wheres = [sql`store_id = ${storeId}`]
  if (query.cursor) wheres.push(sql`id < ${query.cursor}`)
  if (query.app_id) wheres.push(sql`app_id = ${query.app_id}`)
  if (query.level !== undefined) wheres.push(sql`level = ${query.level}`)
  if (query.product_id) wheres.push(sql`product_hash = ${query.product_id}`)
  if (query.customer_email) wheres.push(sql`customer_email = ${query.customer_email}`)
  if (query.created_after) wheres.push(sql`created_at >= ${query.created_after}`)
  if (query.created_before) wheres.push(sql`created_at < ${query.created_before}`)
  if (query.hmacs) wheres.push(sql`key_hmac = any(${query.hmacs}::bytea[])`)
  if (query.status) {
    const conditions = query.status.map((status) => sql`(${hasStatus(status, query.now)})`)
    wheres.push(sql`(${sql.join(conditions, sql` or `)})`)
  }
  const { rows } = await sql<KeyRow>`
    select ${COLUMNS} from license_key
     where ${sql.join(wheres, sql` and `)}
     order by id desc
     limit ${query.limit + 1}`.execute(db)
  return rows
}

export async function selectKey(db: Db, storeId: number, id: number): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`
    select ${COLUMNS} from license_key where store_id = ${storeId} and id = ${id}`.execute(db)
  return rows[0]
}

/** Locks keys in order of id, so that two concurrent changes cannot deadlock. */
export async function lockKeys(tx: Tx, storeId: number, ids: readonly number[]): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select ${COLUMNS} from license_key
     where store_id = ${storeId} and id = any(${ids}::bigint[])
     order by id
       for update`.execute(tx)
  return rows
}

/** Locks the keys of an order. */
export async function lockKeysOfOrder(tx: Tx, storeId: number, orderId: string): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select ${COLUMNS} from license_key
     where store_id = ${storeId} and order_id = ${orderId}
     order by id
       for update`.execute(tx)
  return rows
}

/** Locks the keys of an order line. */
export async function lockKeysOfItem(tx: Tx, storeId: number, itemId: number): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select ${COLUMNS} from license_key
     where store_id = ${storeId} and order_item_id = ${itemId}
     order by id
       for update`.execute(tx)
  return rows
}

/** The ids of a store's apps. The hash of a key depends on its app. */
export async function selectAppIds(db: Db, storeId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from client_app where store_id = ${storeId} order by id`.execute(db)
  return rows.map((row) => row.id)
}

export type NewKeyRow = NewTerms & {
  app_id: number
  key_hmac: Buffer
  key_enc: Buffer
  key_preview: string
  order_item_id: number | null
  created_at: string
}

/** Inserts keys in their order. One existing key fails the whole statement. */
export async function insertKeys(
  tx: Tx,
  storeId: number,
  rows: readonly NewKeyRow[],
): Promise<number[]> {
  const plain = rows.map(({ key_hmac, key_enc, ...row }) => ({
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
      from jsonb_array_elements(${JSON.stringify(plain)}::jsonb) with ordinality as e(row, position),
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
  return inserted.rows.map((row) => row.id).sort((a, b) => a - b)
}

/** Returns the hashes that belong to an existing or a deleted key. */
export async function selectTaken(
  tx: Tx,
  storeId: number,
  appId: number,
  hmacs: readonly Buffer[],
): Promise<Buffer[]> {
  const { rows } = await sql<{ key_hmac: Buffer }>`
    select key_hmac from license_key
     where store_id = ${storeId} and app_id = ${appId} and key_hmac = any(${hmacs}::bytea[])
     union all
    select key_hmac from license_key_tombstone
     where store_id = ${storeId} and app_id = ${appId} and key_hmac = any(${hmacs}::bytea[])`.execute(
    tx,
  )
  return rows.map((row) => row.key_hmac)
}

/** Keeps the hashes of keys as tombstones, so that their texts are never used again. */
export async function insertTombstones(
  tx: Tx,
  storeId: number,
  ids: readonly number[],
  now: string,
): Promise<void> {
  await sql`
    insert into license_key_tombstone (store_id, app_id, key_hmac, created_at)
    select store_id, app_id, key_hmac, ${now} from license_key
     where store_id = ${storeId} and id = any(${ids}::bigint[])
        on conflict do nothing`.execute(tx)
}

export async function deleteKeys(tx: Tx, storeId: number, ids: readonly number[]): Promise<void> {
  await sql`
    delete from license_key
     where store_id = ${storeId} and id = any(${ids}::bigint[])`.execute(tx)
}

type Change = Partial<
  Omit<KeyRow, 'id' | 'object' | 'metadata' | 'product_id' | 'invoice_id' | 'devices_count'>
> & { metadata?: Record<string, unknown> }

/** Sets the same fields of all these keys. */
export async function updateKeys(
  tx: Tx,
  storeId: number,
  ids: readonly number[],
  { metadata, updated_at, ...fields }: Change & { updated_at: string },
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

export interface NewTerm {
  id: number
  expires_at: string | null
  duration_seconds: number | null
}

/** Sets the ends and durations of keys, each its own. */
export async function updateTerms(
  tx: Tx,
  storeId: number,
  terms: readonly NewTerm[],
  now: string,
): Promise<void> {
  await sql`
    update license_key k
       set expires_at = t.expires_at, duration_seconds = t.duration_seconds,
           updated_at = greatest(k.updated_at, ${now})
      from unnest(${terms.map((item) => item.id)}::bigint[],
                  ${terms.map((item) => item.expires_at)}::timestamptz[],
                  ${terms.map((item) => item.duration_seconds)}::bigint[])
        as t(id, expires_at, duration_seconds)
     where k.store_id = ${storeId} and k.id = t.id`.execute(tx)
}

/** Sets the ends of keys that a subscription renews. */
export async function updateRenewed(
  tx: Tx,
  storeId: number,
  ends: readonly Pick<NewTerm, 'id' | 'expires_at'>[],
  { subscription_id, now }: { subscription_id: number; now: string },
): Promise<void> {
  await sql`
    update license_key k
       set expires_at = t.expires_at, subscription_id = ${subscription_id},
           updated_at = greatest(k.updated_at, ${now})
      from unnest(${ends.map((item) => item.id)}::bigint[],
                  ${ends.map((item) => item.expires_at)}::timestamptz[]) as t(id, expires_at)
     where k.store_id = ${storeId} and k.id = t.id`.execute(tx)
}

/** Records a device reset of keys. */
export async function countResets(
  tx: Tx,
  storeId: number,
  ids: readonly number[],
  now: string,
): Promise<void> {
  await sql`
    update license_key
       set last_reset_at = ${now}, updated_at = greatest(updated_at, ${now}),
           device_resets_left = case when device_resets_left > 0 then device_resets_left - 1
                                     else device_resets_left end
     where store_id = ${storeId} and id = any(${ids}::bigint[])`.execute(tx)
}

/** When the license holder freed devices after a moment, oldest first. The key must be locked. */
export async function selectDeviceChanges(
  tx: Tx,
  storeId: number,
  id: number,
  after: string,
): Promise<string[]> {
  const { rows } = await sql<{ moment: string }>`
    select c as moment
      from license_key k, unnest(k.device_changes) c
     where k.store_id = ${storeId} and k.id = ${id} and c > ${after}
     order by c`.execute(tx)
  return rows.map(({ moment }) => moment)
}

/** Records a device change by the license holder, and deletes those that no longer count. */
export async function addDeviceChange(
  tx: Tx,
  storeId: number,
  id: number,
  { now, after, keep }: { now: string; after: string; keep: number },
): Promise<void> {
  await sql`
    update license_key
       set device_changes = array(
             select c from unnest(array_append(device_changes, ${now}::timestamptz(3))) c
              where c > ${after}
              order by c desc
              limit ${keep})
     where store_id = ${storeId} and id = ${id}`.execute(tx)
}
