import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { eventNo } from './delivery-id.ts'
import { isHeld } from './lease.ts'

/** The deliveries to select. */
export interface FailedSince {
  /** At this moment or later, by the store's clock, ISO 8601. */
  since: string
  /** True if samples are included. */
  samples: boolean
}

/** Deliveries whose newest attempt failed and that have no attempt running. */
const failedSince = (storeId: number, { since, samples }: FailedSince) => sql`
  from webhook_delivery d
  join webhook_endpoint w on w.store_id = d.store_id and w.id = d.endpoint_id
  join event e on e.store_id = d.store_id and e.no = ${eventNo('d.id')}
 where d.store_id = ${storeId} and w.deleted_at is null and (${samples} or not e.test)
   and (d.status = 'failed' and d.updated_at >= ${since}
        or d.status = 'pending' and d.attempts > 0 and d.attempted_at >= ${since})
   and not exists (select from webhook_retry q
                    where q.store_id = d.store_id and q.delivery_id = d.id
                      and q.lease_token <> 0 and ${isHeld(sql`q.due_at`)})`

/** The first such delivery after this one, by their ids. */
export async function selectNextFailed(
  db: Db,
  storeId: number,
  { after, ...which }: FailedSince & { after: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select d.id
      ${failedSince(storeId, which)} and d.id > ${after}
     order by d.id
     limit 1`.execute(db)
  return rows[0]?.id
}

export async function countFailed(db: Db, storeId: number, which: FailedSince): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total ${failedSince(storeId, which)}`.execute(db)
  return rows[0]?.total ?? 0
}
