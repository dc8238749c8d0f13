import type { Tx } from '../../../db/database.ts'
import { firstRow } from '../../../db/rows.ts'

/**
 * Inserts the fan-out of a sample, with the same endpoints as for any event. Returns their number, and the tag
 * of the event's id.
 */
export const fanOutTest = (tx: Tx, storeId: number, no: number) =>
  firstRow<{ tag: number; deliveries: number }>(tx)`
    with subscribed as (
      select e.tag, (select array_agg(w.id order by w.id)
                       from webhook_endpoint w
                      where w.store_id = e.store_id and w.enabled and w.deleted_at is null
                        and w.events && array[e.type, '*']) as endpoint_ids
        from event e
       where e.store_id = ${storeId} and e.no = ${no}
    ), inserted as (
      insert into webhook_fanout (store_id, no, endpoint_ids)
      select ${storeId}, ${no}, endpoint_ids from subscribed where endpoint_ids is not null
    )
    select tag, coalesce(cardinality(endpoint_ids), 0) as deliveries from subscribed`
