import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { allRows } from '../../../db/rows.ts'
import type { ClientReport, ReportQuery } from './schema.ts'

type NewReportRow = Omit<ClientReport, 'id' | 'object'>

export async function insertReport(tx: Tx, storeId: number, row: NewReportRow): Promise<void> {
  await tx
    .insertInto('client_report')
    .values({ ...row, store_id: storeId })
    .execute()
}

/** Returns up to `limit + 1` reports, newest first. */
export function selectReports(db: Db, storeId: number, query: ReportQuery) {
  const conditions = [sql`store_id = ${storeId}`]
  if (query.cursor) conditions.push(sql`id < ${query.cursor}`)
  if (query.app_id) conditions.push(sql`app_id = ${query.app_id}`)
  if (query.key_id) conditions.push(sql`key_id = ${query.key_id}`)
  if (query.kind) conditions.push(sql`kind = ${query.kind}`)
  if (query.created_from) conditions.push(sql`created_at >= ${query.created_from}`)
  if (query.created_to) conditions.push(sql`created_at < ${query.created_to}`)
  return allRows<ClientReport>(db)`
    select id, 'client_report' as object, app_id, key_id, device_id, session_id, kind, detail, action,
           created_at
      from client_report
     where ${sql.join(conditions, sql` and `)}
     order by id desc
     limit ${query.limit + 1}`
}
