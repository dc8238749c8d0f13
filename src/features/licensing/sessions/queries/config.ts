import { sql } from 'kysely'
import type { Db } from '../../../../db/database.ts'

export async function selectConfigVersion(db: Db, storeId: number, appId: number): Promise<number> {
  const { rows } = await sql<{ config_version: number }>`
    select config_version from client_app where store_id = ${storeId} and id = ${appId}`.execute(db)
  return rows[0]?.config_version ?? 0
}
