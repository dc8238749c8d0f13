import { sql } from 'kysely'
import { breaking, type Invariant } from '../../db/invariant.ts'

export const webhookInvariants: readonly Invariant[] = [
  breaking(
    'waiting_deliveries',
    'A webhook delivery waits in the retry lane exactly while it is pending.',
    sql`
      select d.store_id, d.id
        from webhook_delivery d
        left join webhook_retry q on q.store_id = d.store_id and q.delivery_id = d.id
       where (d.status = 'pending') <> (q.delivery_id is not null)
         and not coalesce(q.by_hand and q.resume_at is null, false)`,
  ),
  breaking(
    'finished_fanouts',
    'No event keeps a fan-out after all its deliveries were recorded.',
    sql`
      select f.store_id, f.no
        from webhook_fanout f
       where not exists (
               select from unnest(f.endpoint_ids) with ordinality as x(endpoint_id, place)
                where x.endpoint_id <> 0
                  and not exists (select from webhook_delivery d
                                   where d.store_id = f.store_id and d.id = f.no * 32 + x.place - 1))`,
  ),
]
