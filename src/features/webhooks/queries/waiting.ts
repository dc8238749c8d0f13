import { sql } from 'kysely'

// In one step for each, however much waits there; the last row of both is a null.

/** As `stores`: those behind one whose events wait for their first attempts. */
export const waitingStores = (after = 0) => sql`
  stores as (
    (select store_id from webhook_fanout where store_id > ${after} order by store_id limit 1)
     union all
    select (select f.store_id from webhook_fanout f
             where f.store_id > s.store_id order by f.store_id limit 1)
      from stores s
     where s.store_id is not null
  )`

/** As `endpoints`: those behind one whose deliveries wait for another try. */
export const waitingEndpoints = (after = 0) => sql`
  endpoints as (
    (select endpoint_id from webhook_retry
      where endpoint_id > ${after} and due_at < 'infinity' order by endpoint_id limit 1)
     union all
    select (select q.endpoint_id from webhook_retry q
             where q.endpoint_id > w.endpoint_id and q.due_at < 'infinity'
             order by q.endpoint_id limit 1)
      from endpoints w
     where w.endpoint_id is not null
  )`
