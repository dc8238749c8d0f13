import { sql } from 'kysely'

// Both CTEs read one index entry for each store or endpoint, so their cost does not depend on the number of pending
// rows. The last row of each is null.

/** The CTE `stores`: the ids above `after` of stores with pending first attempts. */
export const pendingStores = (after = 0) => sql`
  stores as (
    (select store_id from webhook_fanout where store_id > ${after} order by store_id limit 1)
     union all
    select (select f.store_id from webhook_fanout f
             where f.store_id > s.store_id order by f.store_id limit 1)
      from stores s
     where s.store_id is not null
  )`

/** The CTE `endpoints`: the ids above `after` of endpoints with pending retries. */
export const pendingEndpoints = (after = 0) => sql`
  endpoints as (
    (select endpoint_id from webhook_retry
      where endpoint_id > ${after} and due_at < 'infinity' order by endpoint_id limit 1)
     union all
    select (select retry.endpoint_id from webhook_retry retry
             where retry.endpoint_id > w.endpoint_id and retry.due_at < 'infinity'
             order by retry.endpoint_id limit 1)
      from endpoints w
     where w.endpoint_id is not null
  )`
