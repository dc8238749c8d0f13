import { sql } from 'kysely'
import type { Json, Tradepost } from './harness.ts'

// Reads the stored audit events of all stores.

export async function lastAuditId({ db }: Tradepost): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select coalesce(max(id), 0) as id from audit_event`.execute(db)
  return rows[0]?.id ?? 0
}

export async function auditEventsSince({ db }: Tradepost, id: number): Promise<Json[]> {
  const { rows } = await sql<Json>`
    select * from audit_event where id > ${id} order by id`.execute(db)
  return rows
}
