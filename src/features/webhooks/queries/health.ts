import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

export interface EndpointHealth {
  id: string
  enabled: boolean
  failures_in_row: number
  last_success_at: string | null
  /** Planned attempts, the next first, by the store's clock. */
  pending: { at: string; step: number }[]
}

/** The endpoints of a store with their next attempts, as many as the limit for each. */
export async function selectHealth(
  db: Db,
  storeId: number,
  limit: number,
): Promise<EndpointHealth[]> {
  const { rows } = await sql<EndpointHealth>`
    select w.public_id as id, w.enabled, w.failures_in_row, w.last_success_at, p.pending
      from webhook_endpoint w
      join store s on s.id = w.store_id
     cross join lateral (
       select coalesce(json_agg(json_build_object('at', iso(r.at), 'step', r.step)), '[]') as pending
         from (select due_at + s.clock_offset_ms * interval '1 ms' as at, step
                 from webhook_retry
                where endpoint_id = w.id and due_at < 'infinity'
                order by due_at
                limit ${limit}) r) p
     where w.store_id = ${storeId} and w.deleted_at is null
     order by w.id`.execute(db)
  return rows
}
