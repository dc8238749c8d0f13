import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { allValues, execute, hasChanged } from '../../../db/rows.ts'
import { FEATURES, type Store } from '../../../store-context.ts'

/** A store with its used quota at the time when the row was read. */
export interface StoreRow extends Store {
  quota_month: string
  quota_used: number
}

/** The feature switches. The column has only those that were set; the others have their defaults. */
const FEATURE_SWITCHES = sql<Store['features']>`
  ${sql.lit(JSON.stringify(FEATURES))}::jsonb || features`.as('features')

const COLUMNS = [
  'id',
  'account_id',
  'hash',
  'slug',
  'name',
  'livemode',
  'currency',
  'plan',
  FEATURE_SWITCHES,
  'order_expiry_minutes',
  'auto_review_days',
  'return_window_days',
  'time_zone',
  'mail_from_name',
  'language',
  'mail_api_orders',
  'clock_offset_ms',
  'quota_month',
  'quota_used',
  'payment_providers',
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

/** The fields of an API key that determine for which stores it is valid. */
export interface KeyScope {
  id: number
  account_id: number
  livemode: boolean
  store_ids: number[] | null
}

/** Returns at most two stores of a key, which is enough to see whether there is exactly one. */
export async function selectStoresOfKey(db: Db, key: KeyScope): Promise<StoreRow[]> {
  let statement = db
    .selectFrom('store')
    .select(COLUMNS)
    .where('account_id', '=', key.account_id)
    .where('livemode', '=', key.livemode)
  if (key.store_ids)
    statement = statement.where('id', '=', sql<number>`any(${key.store_ids}::bigint[])`)
  return (await statement.limit(2).execute()) as StoreRow[]
}

/** Returns a side of the store with this slug. */
export const selectSide = (
  db: Db,
  slug: string,
  { livemode }: { livemode: boolean },
): Promise<StoreRow | undefined> =>
  db
    .selectFrom('store')
    .select(COLUMNS)
    .where('slug', '=', slug)
    .where('livemode', '=', livemode)
    .executeTakeFirst() as Promise<StoreRow | undefined>

export const selectStores = (db: Db): Promise<StoreRow[]> =>
  db.selectFrom('store').select(COLUMNS).orderBy('id').execute() as Promise<StoreRow[]>

export async function selectOrInsertAccount(tx: Tx, now: string): Promise<number> {
  const first = await tx.selectFrom('account').select('id').orderBy('id').executeTakeFirst()
  if (first) return first.id
  const inserted = await tx
    .insertInto('account')
    .values({ name: 'Account', created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return inserted.id
}

export const slugExists = async (tx: Tx, slug: string): Promise<boolean> =>
  (await tx.selectFrom('store').select('id').where('slug', '=', slug).executeTakeFirst()) !==
  undefined

type NewStoreRow = Omit<
  Store,
  | 'id'
  | 'features'
  | 'order_expiry_minutes'
  | 'auto_review_days'
  | 'return_window_days'
  | 'time_zone'
  | 'mail_from_name'
  | 'language'
  | 'mail_api_orders'
  | 'clock_offset_ms'
>

/** Inserts a store and the counter of its order numbers. */
export async function insertStore(tx: Tx, row: NewStoreRow): Promise<StoreRow> {
  const store = await tx
    .insertInto('store')
    .values(row)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  await tx.insertInto('order_counter').values({ store_id: store.id }).execute()
  return store as StoreRow
}

/** Resets the order numbers, so that the next order has number 1. The store must have no orders. */
export async function restartOrderNumbers(tx: Tx, storeId: number): Promise<void> {
  await tx
    .updateTable('order_counter')
    .set({ last_number: 0 })
    .where('store_id', '=', storeId)
    .execute()
}

/** Sets the plan of both sides of a store, and returns their ids. */
export const updatePlan = (db: Db, hash: string, plan: string) =>
  allValues<number>(db)`
    update store s
       set plan = ${plan}
      from store named
     where named.hash = ${hash} and s.account_id = named.account_id and s.slug = named.slug
    returning s.id`

export const updateFeatures = (db: Db, hash: string, features: Record<string, boolean>) =>
  execute(db)`
    update store set features = features || ${JSON.stringify(features)}::jsonb
     where hash = ${hash}`

/** Connects a payment provider to a store. Returns false if it is connected already. */
export const addPaymentProvider = (db: Db, id: number, provider: string) =>
  hasChanged(db)`
    update store set payment_providers = payment_providers || ${provider}::text
     where id = ${id} and not ${provider} = any(payment_providers)`

/** Disconnects a payment provider from a store. Returns false if it is not connected. */
export const removePaymentProvider = (db: Db, id: number, provider: string) =>
  hasChanged(db)`
    update store set payment_providers = array_remove(payment_providers, ${provider})
     where id = ${id} and ${provider} = any(payment_providers)`

/** Moves the clock of a test side, and returns its new offset. */
export async function addClockOffset(db: Db, id: number, step_ms: number): Promise<number> {
  const { rows } = await sql<{ clock_offset_ms: number }>`
    update store set clock_offset_ms = clock_offset_ms + ${step_ms}
     where id = ${id} and not livemode
    returning clock_offset_ms`.execute(db)
  return rows[0]?.clock_offset_ms ?? 0
}

interface Usage {
  store_id: number
  calls: number
}

/**
 * Adds the calls of this process to the month's count of each store, and returns the new counts. Stores are locked in
 * the order of their ids, because each process does this every second (decision 400).
 */
export async function addUsage(
  db: Db,
  month: string,
  usages: readonly Usage[],
): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; quota_used: number }>`
    with u as materialized (
      select * from unnest(${usages.map((usage) => usage.store_id)}::bigint[],
                           ${usages.map((usage) => usage.calls)}::bigint[]) as u(store_id, calls)
    ), locked as materialized (
      select s.id, u.calls
        from store s
        join u on u.store_id = s.id
       order by s.id
         for no key update of s
    )
    update store s
       set quota_used = case when s.quota_month = ${month} then s.quota_used else 0 end + l.calls,
           quota_month = ${month}
      from locked l
     where s.id = l.id
    returning s.id, s.quota_used`.execute(db)
  return new Map(rows.map((row) => [row.id, row.quota_used]))
}

/** The settings that a seller can change (decision 144). */
interface StoreSettings
  extends Pick<
    Store,
    | 'order_expiry_minutes'
    | 'auto_review_days'
    | 'return_window_days'
    | 'time_zone'
    | 'mail_from_name'
    | 'language'
    | 'mail_api_orders'
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
  'mail_from_name',
  'language',
  'mail_api_orders',
] as const

export const selectSettings = (db: Db, id: number): Promise<StoreSettings | undefined> =>
  db.selectFrom('store').select(SETTINGS).where('id', '=', id).executeTakeFirst() as Promise<
    StoreSettings | undefined
  >

/** Locks the row against other changes of the settings. Orders can still be inserted. */
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

/** Returns false if the database does not support the time zone. The transaction is then aborted. */
export async function isTimeZoneOfDatabase(tx: Tx, timeZone: string): Promise<boolean> {
  try {
    await sql`select now() at time zone ${timeZone}`.execute(tx)
    return true
  } catch (error) {
    if ((error as { code?: string }).code === INVALID_PARAMETER) return false
    throw error
  }
}
