import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { ClientReport, ReportQuery } from './schema.ts'

export type NewReportRow = Omit<ClientReport, 'id' | 'object'>

export async function insertReport(tx: Tx, storeId: number, row: NewReportRow): Promise<void> {
  await tx
    .insertInto('client_report')
    .values({ ...row, store_id: storeId })
    .execute()
}

/** A page of reports and one more row, newest first. */
export async function selectReports(
  db: Db,
  storeId: number,
  query: ReportQuery,
): Promise<ClientReport[]> {
  const wheres = [sql`store_id = ${storeId}`]
  if (query.cursor) wheres.push(sql`id < ${query.cursor}`)
  if (query.app_id) wheres.push(sql`app_id = ${query.app_id}`)
  if (query.key_id) wheres.push(sql`key_id = ${query.key_id}`)
  if (query.kind) wheres.push(sql`kind = ${query.kind}`)
  if (query.created_from) wheres.push(sql`created_at >= ${query.created_from}`)
  if (query.created_to) wheres.push(sql`created_at < ${query.created_to}`)
  const { rows } = await sql<ClientReport>`
    select id, 'client_report' as object, app_id, key_id, device_id, session_id, kind, detail, action,
           created_at
      from client_report
     where ${sql.join(wheres, sql` and `)}
     order by id desc
     limit ${query.limit + 1}`.execute(db)
  return rows
}
