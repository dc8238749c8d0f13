import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { Store } from '../../../store-context.ts'

/** A row of `store`. It has only the switches that were set. */
export interface StoreRow extends Omit<Store, 'features'> {
  features: Record<string, boolean>
  quota_month: string
  quota_used: number
}

const COLUMNS = [
  'id',
  'account_id',
  'hash',
  'slug',
  'name',
  'livemode',
  'currency',
  'plan',
  'features',
  'order_expiry_minutes',
  'auto_review_days',
  'return_window_days',
  'time_zone',
  'clock_offset_ms',
  'quota_month',
  'quota_used',
  'created_at',
] as const

export const selectStore = (db: Db, hash: string): Promise<StoreRow | undefined> =>
  db.selectFrom('store').select(COLUMNS).where('hash', '=', hash).executeTakeFirst() as Promise<
    StoreRow | undefined
  >

export const selectStoreById = (db: Db, id: number): Promise<StoreRow | undefined> =>
  db.selectFrom('store').select(COLUMNS).where('id', '=', id).executeTakeFirst() as Promise<
    StoreRow | undefined
  >

/** The fields of an API key that determine the stores that it opens. */
export interface OpeningKey {
  id: number
  account_id: number
  livemode: boolean
  store_ids: number[] | null
}

/** The stores that a key opens; two are enough to know that it is not one. */
export async function selectStoresOfKey(db: Db, key: OpeningKey): Promise<StoreRow[]> {
  let rows = db
    .selectFrom('store')
    .select(COLUMNS)
    .where('account_id', '=', key.account_id)
    .where('livemode', '=', key.livemode)
  if (key.store_ids) rows = rows.where('id', '=', sql<number>`any(${key.store_ids}::bigint[])`)
  return (await rows.limit(2).execute()) as StoreRow[]
}

export const selectStores = (db: Db): Promise<StoreRow[]> =>
  db.selectFrom('store').select(COLUMNS).orderBy('id').execute() as Promise<StoreRow[]>

export async function selectOrInsertAccount(tx: Tx, now: string): Promise<number> {
  const first = await tx.selectFrom('account').select('id').orderBy('id').executeTakeFirst()
  if (first) return first.id
  const made = await tx
    .insertInto('account')
    .values({ name: 'Account', created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

export const slugExists = async (tx: Tx, slug: string): Promise<boolean> =>
  (await tx.selectFrom('store').select('id').where('slug', '=', slug).executeTakeFirst()) !==
  undefined

export type NewStoreRow = Omit<
  Store,
  | 'id'
  | 'features'
  | 'order_expiry_minutes'
  | 'auto_review_days'
  | 'return_window_days'
  | 'time_zone'
  | 'clock_offset_ms'
>

/** A store, with the counter its order numbers come from. */
export async function insertStore(tx: Tx, row: NewStoreRow): Promise<StoreRow> {
  const store = await tx
    .insertInto('store')
    .values(row)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  await tx.insertInto('order_counter').values({ store_id: store.id }).execute()
  return store as StoreRow
}

/** Lets the numbers of orders begin at 1 again; the store has no orders. */
export async function restartOrderNumbers(tx: Tx, storeId: number): Promise<void> {
  await tx
    .updateTable('order_counter')
    .set({ last_number: 0 })
    .where('store_id', '=', storeId)
    .execute()
}

/** Both sides of a store are on one plan; returns their ids. */
export async function updatePlan(db: Db, hash: string, plan: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update store s
       set plan = ${plan}
      from store named
     where named.hash = ${hash} and s.account_id = named.account_id and s.slug = named.slug
    returning s.id`.execute(db)
  return rows.map((row) => row.id)
}

export async function updateFeatures(
  db: Db,
  hash: string,
  features: Record<string, boolean>,
): Promise<void> {
  await sql`
    update store set features = features || ${JSON.stringify(features)}::jsonb
     where hash = ${hash}`.execute(db)
}

/** Moves the clock of a test side, and returns how far ahead it is then. */
export async function addClockOffset(db: Db, id: number, step_ms: number): Promise<number> {
  const { rows } = await sql<{ clock_offset_ms: number }>`
    update store set clock_offset_ms = clock_offset_ms + ${step_ms}
     where id = ${id} and not livemode
    returning clock_offset_ms`.execute(db)
  return rows[0]?.clock_offset_ms ?? 0
}

export interface Usage {
  store_id: number
  calls: number
}

/** Adds the calls of this process to the month's count of each store, and returns the new counts. */
export async function addUsage(
  db: Db,
  month: string,
  usages: readonly Usage[],
): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; quota_used: number }>`
    update store s
       set quota_used = case when s.quota_month = ${month} then s.quota_used else 0 end + u.calls,
           quota_month = ${month}
      from unnest(${usages.map((usage) => usage.store_id)}::bigint[],
                  ${usages.map((usage) => usage.calls)}::bigint[]) as u(store_id, calls)
     where s.id = u.store_id
    returning s.id, s.quota_used`.execute(db)
  return new Map(rows.map((row) => [row.id, row.quota_used]))
}

/** The settings that a seller changes (decision 144). */
export interface StoreSettings
  extends Pick<
    Store,
    'order_expiry_minutes' | 'auto_review_days' | 'return_window_days' | 'time_zone'
  > {
  return_address: PostalAddress | null
  support_email: string | null
}

interface PostalAddress {
  name: string
  line1: string
  line2: string | null
  city: string
  region: string | null
  postal_code: string | null
  country: string
  phone: string | null
}

const SETTINGS = [
  'order_expiry_minutes',
  'auto_review_days',
  'return_window_days',
  'time_zone',
  'return_address',
  'support_email',
] as const

export const selectSettings = (db: Db, id: number): Promise<StoreSettings | undefined> =>
  db.selectFrom('store').select(SETTINGS).where('id', '=', id).executeTakeFirst() as Promise<
    StoreSettings | undefined
  >

/** Locks the row against other changes of the settings, not against orders. */
export const lockSettings = (tx: Tx, id: number): Promise<StoreSettings | undefined> =>
  tx
    .selectFrom('store')
    .select(SETTINGS)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst() as Promise<StoreSettings | undefined>

export const updateStoreSettings = (
  tx: Tx,
  id: number,
  { return_address, ...settings }: StoreSettings,
): Promise<StoreSettings> =>
  tx
    .updateTable('store')
    .set({ ...settings, return_address: return_address && JSON.stringify(return_address) })
    .where('id', '=', id)
    .returning(SETTINGS)
    .executeTakeFirstOrThrow() as Promise<StoreSettings>

const INVALID_PARAMETER = '22023'

/** Returns false if the database's time zones lack this one. The transaction has failed then. */
export async function isZoneOfDatabase(tx: Tx, zone: string): Promise<boolean> {
  try {
    await sql`select now() at time zone ${zone}`.execute(tx)
    return true
  } catch (error) {
    if ((error as { code?: string }).code === INVALID_PARAMETER) return false
    throw error
  }
}
