import type { Db } from '../../../db/database.ts'
import { allRows } from '../../../db/rows.ts'

interface ListedHealth {
  id: string
  enabled: boolean
  failures_in_row: number
  last_success_at: string | null
  /** The planned attempts by the store's clock, earliest first. */
  pending: { at: string; step: number }[]
}

/** Returns the endpoints of a store, each with up to `limit` planned attempts. */
export const selectHealth = (db: Db, storeId: number, limit: number) =>
  allRows<ListedHealth>(db)`
    select w.public_id as id, w.enabled, w.failures_in_row, w.last_success_at, planned.pending
      from webhook_endpoint w
      join store s on s.id = w.store_id
     cross join lateral (
       select coalesce(json_agg(json_build_object('at', iso(retry.at), 'step', retry.step)), '[]') as pending
         from (select due_at + s.clock_offset_ms * interval '1 ms' as at, step
                 from webhook_retry
                where endpoint_id = w.id and due_at < 'infinity'
                order by due_at
                limit ${limit}) retry) planned
     where w.store_id = ${storeId} and w.deleted_at is null
     order by w.id`
