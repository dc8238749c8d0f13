import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { countedTo, type Page } from '../../../kernel/page.ts'
import type { ClientApp } from './schema.ts'

const COLUMNS = sql`
  id, 'client_app' as object, public_id, is_default, name, status, min_version, latest_version,
  download_url, allowed_checksums, session_ttl_seconds, heartbeat_seconds, grace_seconds,
  device_policy, allow_public_session, rate_limits, report_rules, config_version, created_at,
  updated_at`

export async function selectApps(
  db: Db,
  storeId: number,
  { limit, offset }: Page,
): Promise<{ apps: ClientApp[]; total: number }> {
  const { rows } = await sql<ClientApp>`
    select ${COLUMNS} from client_app
     where store_id = ${storeId}
     order by id desc
     limit ${limit} offset ${offset}`.execute(db)
  const count = await sql<{ total: number }>`
    select count(*) as total
      from (select from client_app where store_id = ${storeId} limit ${countedTo({ limit, offset })}) n`.execute(
    db,
  )
  return { apps: rows, total: count.rows[0]?.total ?? 0 }
}

export async function selectApp(
  db: Db,
  storeId: number,
  id: number,
): Promise<ClientApp | undefined> {
  const { rows } = await sql<ClientApp>`
    select ${COLUMNS} from client_app where store_id = ${storeId} and id = ${id}`.execute(db)
  return rows[0]
}

/** The row lock for each intent. `to name it` only prevents the deletion of the app. */
const LOCKS = {
  'to name it': sql`for key share`,
  'to change it': sql`for no key update`,
  'to delete it': sql`for update`,
} as const

/**
 * Locks an app. A change must not block new sessions, which reference the app: such a session may hold
 * row locks that disabling the app waits for.
 */
export async function lockApp(
  tx: Tx,
  storeId: number,
  id: number,
  intent: keyof typeof LOCKS,
): Promise<ClientApp | undefined> {
  const { rows } = await sql<ClientApp>`
    select ${COLUMNS} from client_app
     where store_id = ${storeId} and id = ${id}
       ${LOCKS[intent]}`.execute(tx)
  return rows[0]
}

export async function selectDefaultApp(db: Db, storeId: number): Promise<ClientApp | undefined> {
  const { rows } = await sql<ClientApp>`
    select ${COLUMNS} from client_app where store_id = ${storeId} and is_default`.execute(db)
  return rows[0]
}

export type AppRow = Omit<ClientApp, 'id' | 'object' | 'config_version'>

const asColumns = ({ device_policy, rate_limits, report_rules, ...row }: Partial<AppRow>) => ({
  ...row,
  ...(device_policy && { device_policy: JSON.stringify(device_policy) }),
  ...(rate_limits && { rate_limits: JSON.stringify(rate_limits) }),
  ...(report_rules && { report_rules: JSON.stringify(report_rules) }),
})

/** The public id of each store's default app, by store id. A store without an app yet is left out. */
export async function selectDefaultPublicIds(db: Db): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('client_app')
    .select(['store_id', 'public_id'])
    .where('is_default', '=', true)
    .execute()
  return new Map(rows.map(({ store_id, public_id }) => [store_id, public_id]))
}

/** Returns undefined if the store has a default app already. */
export async function insertApp(tx: Tx, storeId: number, row: AppRow): Promise<number | undefined> {
  const inserted = await tx
    .insertInto('client_app')
    .values({
      ...(asColumns(row) as Required<ReturnType<typeof asColumns>>),
      store_id: storeId,
    } as never)
    .onConflict((conflict) =>
      conflict.column('store_id').where(sql<boolean>`is_default`).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

export async function updateApp(
  tx: Tx,
  storeId: number,
  id: number,
  { updated_at, ...fields }: Partial<AppRow> & { updated_at: string },
): Promise<void> {
  await tx
    .updateTable('client_app')
    .set((row) => ({
      ...asColumns(fields),
      updated_at: sql<string>`greatest(${row.ref('updated_at')}, ${updated_at})`,
    }))
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute()
}

export interface AppDependents {
  keys: boolean
  files: boolean
  /** A variant that is not deleted and whose license policy names the app. */
  variant_id: number | null
}

/** The records that prevent the deletion of an app. */
export async function selectDependents(
  tx: Tx,
  storeId: number,
  id: number,
): Promise<AppDependents> {
  const { rows } = await sql<AppDependents>`
    select exists (select from license_key where store_id = ${storeId} and app_id = ${id}) as keys,
           exists (select from serverside_file where store_id = ${storeId} and app_id = ${id})
             as files,
           (select min(p.variant_id)
              from license_policy p
              join variant v on v.store_id = p.store_id and v.id = p.variant_id
             where p.store_id = ${storeId} and p.app_id = ${id} and v.deleted_at is null)
             as variant_id`.execute(tx)
  return rows[0] ?? { keys: false, files: false, variant_id: null }
}

export async function deleteApp(tx: Tx, storeId: number, id: number): Promise<void> {
  await sql`delete from license_key_tombstone where store_id = ${storeId} and app_id = ${id}`.execute(
    tx,
  )
  await sql`delete from client_app where store_id = ${storeId} and id = ${id}`.execute(tx)
}

/** Ends all sessions of an app. Rows are locked in order of id, so that it cannot deadlock. */
export async function endSessionsOfApp(
  tx: Tx,
  storeId: number,
  { appId, now, reason }: { appId: number; now: string; reason: string },
): Promise<void> {
  await sql`
    update client_session set ended_at = ${now}, ended_reason = ${reason}
     where store_id = ${storeId} and id = any(array(
       select id from client_session
        where store_id = ${storeId} and app_id = ${appId} and ended_at is null
        order by id
          for update))`.execute(tx)
}

export interface SigningKeyRow {
  id: number
  app_id: number
  kid: string
  public_key: Buffer
  private_enc: Buffer
  not_before: string
  not_after: string | null
  created_at: string
}

export async function selectSigningKeys(
  db: Db,
  storeId: number,
  appId: number,
): Promise<SigningKeyRow[]> {
  const { rows } = await sql<SigningKeyRow>`
    select id, app_id, kid, public_key, private_enc, not_before, not_after, created_at
      from client_signing_key
     where store_id = ${storeId} and app_id = ${appId}
     order by id`.execute(db)
  return rows
}

export async function insertSigningKey(
  tx: Tx,
  storeId: number,
  row: Omit<SigningKeyRow, 'id'>,
): Promise<SigningKeyRow> {
  const { id } = await tx
    .insertInto('client_signing_key')
    .values({ ...row, store_id: storeId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { ...row, id }
}

/** Limits the trust in the existing signing keys of an app. An earlier end is kept. */
export async function retireSigningKeys(
  tx: Tx,
  storeId: number,
  appId: number,
  not_after: string,
): Promise<void> {
  await sql`
    update client_signing_key set not_after = least(not_after, ${not_after}::timestamptz)
     where store_id = ${storeId} and app_id = ${appId}`.execute(tx)
}

/** The fields of an app and its store that each client call needs. */
export interface PublicAppRow {
  id: number
  store_id: number
  public_id: string
  rate_limits: ClientApp['rate_limits']
  store_hash: string
}

export async function selectPublicApp(db: Db, publicId: string): Promise<PublicAppRow | undefined> {
  const { rows } = await sql<PublicAppRow>`
    select a.id, a.store_id, a.public_id, a.rate_limits, s.hash as store_hash
      from client_app a
      join store s on s.id = a.store_id
     where a.public_id = ${publicId}`.execute(db)
  return rows[0]
}
