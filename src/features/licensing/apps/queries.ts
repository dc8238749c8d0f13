import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { selectPage } from '../../../db/newest.ts'
import { insertRecord, updateRecord } from '../../../db/records.ts'
import { allRows, execute, firstRow, onlyRow } from '../../../db/rows.ts'
import type { Page } from '../../../kernel/page.ts'
import type { ClientApp } from './schema.ts'

const COLUMNS = sql`
  id, 'client_app' as object, public_id, is_default, name, status, min_version, latest_version,
  download_url, allowed_checksums, session_ttl_seconds, heartbeat_seconds, grace_seconds,
  device_policy, allow_public_session, rate_limits, report_rules, config_version, created_at,
  updated_at`

export const selectApps = (db: Db, storeId: number, page: Page) =>
  selectPage<ClientApp>(db, {
    ...page,
    table: 'client_app',
    columns: COLUMNS,
    storeId,
    filters: [],
  })

export const selectApp = (db: Db, storeId: number, id: number) =>
  firstRow<ClientApp>(db)`
    select ${COLUMNS} from client_app where store_id = ${storeId} and id = ${id}`

/** The row lock for each intent. `reference` only prevents the deletion of the app. */
const LOCKS = {
  reference: sql`for key share`,
  change: sql`for no key update`,
  delete: sql`for update`,
} as const

/**
 * Locks an app. A change must not block the insert of a session, which references the app. Otherwise the two could
 * deadlock, because the change also waits for rows that the transaction of the session has locked.
 */
export const lockApp = (tx: Tx, storeId: number, id: number, intent: keyof typeof LOCKS) =>
  firstRow<ClientApp>(tx)`
    select ${COLUMNS} from client_app
     where store_id = ${storeId} and id = ${id}
       ${LOCKS[intent]}`

export const selectDefaultApp = (db: Db, storeId: number) =>
  firstRow<ClientApp>(db)`
    select ${COLUMNS} from client_app where store_id = ${storeId} and is_default`

type AppRow = Omit<ClientApp, 'id' | 'object' | 'config_version'>

const asColumns = ({ device_policy, rate_limits, report_rules, ...row }: Partial<AppRow>) => ({
  ...row,
  ...(device_policy && { device_policy: JSON.stringify(device_policy) }),
  ...(rate_limits && { rate_limits: JSON.stringify(rate_limits) }),
  ...(report_rules && { report_rules: JSON.stringify(report_rules) }),
})

/** Returns the public ids of the default apps, by store id. Stores without an app are omitted. */
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

export const updateApp = (
  tx: Tx,
  storeId: number,
  id: number,
  fields: Partial<AppRow> & { updated_at: string },
) => updateRecord(tx, 'client_app', { storeId, id }, asColumns(fields))

interface AppDependents {
  has_keys: boolean
  has_files: boolean
  /** A variant that is not deleted and whose license policy has the app. */
  variant_id: number | null
}

/** Finds the records that prevent the deletion of an app. */
export const selectDependents = (tx: Tx, storeId: number, id: number) =>
  onlyRow<AppDependents>(tx)`
    select exists (select from license_key where store_id = ${storeId} and app_id = ${id}) as has_keys,
           exists (select from serverside_file where store_id = ${storeId} and app_id = ${id})
             as has_files,
           (select min(p.variant_id)
              from license_policy p
              join variant v on v.store_id = p.store_id and v.id = p.variant_id
             where p.store_id = ${storeId} and p.app_id = ${id} and v.deleted_at is null)
             as variant_id`

export async function deleteApp(tx: Tx, storeId: number, id: number): Promise<void> {
  await sql`delete from license_key_tombstone where store_id = ${storeId} and app_id = ${id}`.execute(
    tx,
  )
  await sql`delete from client_app where store_id = ${storeId} and id = ${id}`.execute(tx)
}

/** Ends all sessions of an app. Locks the rows in order of id, so that concurrent calls cannot deadlock. */
export const endSessionsOfApp = (
  tx: Tx,
  storeId: number,
  { appId, now, reason }: { appId: number; now: string; reason: string },
) =>
  execute(tx)`
    update client_session set ended_at = ${now}, ended_reason = ${reason}
     where store_id = ${storeId} and id = any(array(
       select id from client_session
        where store_id = ${storeId} and app_id = ${appId} and ended_at is null
        order by id
          for update))`

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

export const selectSigningKeys = (db: Db, storeId: number, appId: number) =>
  allRows<SigningKeyRow>(db)`
    select id, app_id, kid, public_key, private_enc, not_before, not_after, created_at
      from client_signing_key
     where store_id = ${storeId} and app_id = ${appId}
     order by id`

export async function insertSigningKey(
  tx: Tx,
  storeId: number,
  row: Omit<SigningKeyRow, 'id'>,
): Promise<SigningKeyRow> {
  const id = await insertRecord(tx, 'client_signing_key', { ...row, store_id: storeId })
  return { ...row, id }
}

/** Sets the end of the existing signing keys of an app. A key that ends earlier is unchanged. */
export const retireSigningKeys = (tx: Tx, storeId: number, appId: number, not_after: string) =>
  execute(tx)`
    update client_signing_key set not_after = least(not_after, ${not_after}::timestamptz)
     where store_id = ${storeId} and app_id = ${appId}`

/** The fields of an app and its store that each client call needs. */
export interface PublicAppRow {
  id: number
  store_id: number
  public_id: string
  rate_limits: ClientApp['rate_limits']
  store_hash: string
}

export const selectPublicApp = (db: Db, publicId: string) =>
  firstRow<PublicAppRow>(db)`
    select a.id, a.store_id, a.public_id, a.rate_limits, s.hash as store_hash
      from client_app a
      join store s on s.id = a.store_id
     where a.public_id = ${publicId}`
