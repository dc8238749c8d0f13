import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { firstValue, onlyValue } from '../../../db/rows.ts'
import { eventNoOf } from './delivery-id.ts'
import { isLeased } from './lease.ts'

/** Selects deliveries by the time of their failure. */
interface FailureFilter {
  /** The earliest moment of a failure, by the store's clock, ISO 8601. */
  since: string
  /** True to include samples. */
  samples: boolean
  /** The public id of an endpoint; deliveries of all endpoints if undefined. */
  webhookId: string | undefined
}

/** The deliveries whose newest attempt failed, except those with a running attempt. */
const failedDeliveries = (storeId: number, { since, samples, webhookId }: FailureFilter) => sql`
  from webhook_delivery d
  join webhook_endpoint w on w.store_id = d.store_id and w.id = d.endpoint_id
  join event e on e.store_id = d.store_id and e.no = ${eventNoOf('d.id')}
 where d.store_id = ${storeId} and w.deleted_at is null and (${samples} or not e.test)
   and (${webhookId ?? null}::text is null or w.public_id = ${webhookId ?? null})
   and (d.status = 'failed' and d.updated_at >= ${since}
        or d.status = 'pending' and d.attempts > 0 and d.attempted_at >= ${since})
   and not exists (select from webhook_retry retry
                    where retry.store_id = d.store_id and retry.delivery_id = d.id
                      and retry.lease_token <> 0 and ${isLeased(sql`retry.due_at`)})`

/** Returns the failed delivery with the smallest id above `after`. */
export const selectNextFailed = (
  db: Db,
  storeId: number,
  { after, ...filter }: FailureFilter & { after: number },
) =>
  firstValue<number>(db)`
    select d.id
      ${failedDeliveries(storeId, filter)} and d.id > ${after}
     order by d.id
     limit 1`

export const countFailed = (db: Db, storeId: number, filter: FailureFilter) =>
  onlyValue<number>(db)`
    select count(*) as total ${failedDeliveries(storeId, filter)}`
