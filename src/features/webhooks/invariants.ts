import { sql } from 'kysely'
import { type Invariant, invariantOf } from '../../db/invariant.ts'
import * as q from './queries/index.ts'

export const webhookInvariants: readonly Invariant[] = [
  invariantOf(
    'waiting_deliveries',
    'A webhook delivery waits in the retry lane exactly while it is pending.',
    sql`
      select d.store_id, d.id
        from webhook_delivery d
        left join webhook_retry retry on retry.store_id = d.store_id and retry.delivery_id = d.id
       where (d.status = 'pending') <> (retry.delivery_id is not null)
         and not coalesce(retry.by_hand and retry.resume_at is null, false)`,
  ),
  invariantOf(
    'finished_fanouts',
    'No event has a fan-out after all its deliveries were recorded.',
    sql`
      select f.store_id, f.no
        from webhook_fanout f
       where not exists (
               select from unnest(f.endpoint_ids) with ordinality as entry(endpoint_id, position)
                where entry.endpoint_id <> 0
                  and not exists (select from webhook_delivery d
                                   where d.store_id = f.store_id and d.id = ${q.deliveryAt('f.no', 'entry.position')}))`,
  ),
]
