import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'

/**
 * Selects the endpoints for a sample, as for any event; returns their number, and the tag of the
 * event's id.
 */
export async function fanOutTest(
  tx: Tx,
  storeId: number,
  no: number,
): Promise<{ tag: number; deliveries: number } | undefined> {
  const { rows } = await sql<{ tag: number; deliveries: number }>`
    with subscribed as (
      select e.tag, (select array_agg(w.id order by w.id)
                       from webhook_endpoint w
                      where w.store_id = e.store_id and w.enabled and w.deleted_at is null
                        and w.events && array[e.type, '*']) as endpoint_ids
        from event e
       where e.store_id = ${storeId} and e.no = ${no}
    ), fanned as (
      insert into webhook_fanout (store_id, no, endpoint_ids)
      select ${storeId}, ${no}, endpoint_ids from subscribed where endpoint_ids is not null
    )
    select tag, coalesce(cardinality(endpoint_ids), 0) as deliveries from subscribed`.execute(tx)
  return rows[0]
}
