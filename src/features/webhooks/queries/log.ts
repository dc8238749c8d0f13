import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { Attempt, DeliveryQuery, ListedDelivery } from '../schema.ts'

export type LoggedDelivery = Omit<ListedDelivery, 'object' | 'event' | 'payload_redacted'> & {
  event: { no: number; tag: number; type: string; test: boolean; object_id: string }
}

/**
 * The log of a store: deliveries that have a row, and those of events whose first tries are still
 * under way, which have none but stand in the fan-out with an id that is known already.
 */
const logOf = (storeId: number) => sql`
  select d.id, d.endpoint_id,
         case when q.lease_token <> 0 and q.due_at > clock_timestamp() then 'delivering'
              else d.status end as status,
         d.attempts, d.next_attempt_at, d.status_code, d.error, d.duration_ms, d.updated_at
    from webhook_delivery d
    left join webhook_retry q on q.store_id = d.store_id and q.delivery_id = d.id
   where d.store_id = ${storeId}
   union all
  select f.no * 32 + x.place - 1, x.endpoint_id,
         case when f.lease_until > clock_timestamp() then 'delivering' else 'pending' end,
         0, e.created_at, null, null, null, e.created_at
    from webhook_fanout f
    join event e on e.store_id = f.store_id and e.no = f.no
    cross join lateral unnest(f.endpoint_ids) with ordinality as x(endpoint_id, place)
   where f.store_id = ${storeId} and x.endpoint_id <> 0
     and not exists (select from webhook_delivery d
                      where d.store_id = f.store_id and d.id = f.no * 32 + x.place - 1)`

const DELIVERY = sql`
  l.id, l.status, l.attempts, l.next_attempt_at, l.status_code as last_status_code,
  l.error as last_error, l.duration_ms as last_duration_ms, e.created_at, l.updated_at,
  json_build_object('no', e.no, 'tag', e.tag, 'type', e.type, 'test', e.test,
                    'object_id', e.object_id) as event,
  json_build_object('id', w.public_id, 'url', w.url, 'description', w.description,
                    'deleted', w.deleted_at is not null) as webhook`

/** A page of the log, newest first, and how many match on all pages. */
export async function selectLog(
  db: Db,
  storeId: number,
  query: DeliveryQuery,
  event: { no: number; tag: number } | undefined,
): Promise<{ deliveries: LoggedDelivery[]; total: number }> {
  const from = sql`
    from (${logOf(storeId)}) l
    join event e on e.store_id = ${storeId} and e.no = l.id >> 5
    join webhook_endpoint w on w.store_id = ${storeId} and w.id = l.endpoint_id
   where ${conditions(query, event)}`
  const page = await sql<LoggedDelivery>`
    select ${DELIVERY}
      ${from}
     order by l.id desc
     limit ${query.limit} offset ${query.offset}`.execute(db)
  const count = await sql<{ total: number }>`select count(*) as total ${from}`.execute(db)
  return { deliveries: page.rows, total: count.rows[0]?.total ?? 0 }
}

function conditions(query: DeliveryQuery, event: { no: number; tag: number } | undefined) {
  const { status, event_type, webhook_id, event_id, test, created_from, created_to } = query
  const all = [
    sql`true`,
    status && sql`l.status = any(${status}::text[])`,
    event_type && sql`e.type = any(${event_type}::text[])`,
    webhook_id !== undefined && sql`w.public_id = ${webhook_id}`,
    event_id !== undefined && sql`e.no = ${event?.no ?? -1} and e.tag = ${event?.tag ?? -1}`,
    test !== undefined && sql`e.test = ${test}`,
    created_from && sql`e.created_at >= ${created_from}`,
    created_to && sql`e.created_at < ${created_to}`,
  ]
  return sql.join(
    all.filter((one) => typeof one === 'object'),
    sql` and `,
  )
}

export type WholeDelivery = LoggedDelivery & {
  /** Sealed, in base64. */
  payload_enc: string
  attempt_history: Attempt[]
}

/** One delivery with its sealed payload and all its attempts, the oldest first. */
export async function selectDelivery(
  db: Db,
  storeId: number,
  id: number,
): Promise<WholeDelivery | undefined> {
  const { rows } = await sql<WholeDelivery>`
    select ${DELIVERY}, encode(e.payload_enc, 'base64') as payload_enc,
           (select coalesce(json_agg(json_build_object(
                     'attempt', a.attempt, 'status_code', a.status_code,
                     'response_body', a.response_body, 'error', a.error,
                     'duration_ms', a.duration_ms, 'manual', a.manual,
                     'created_at', iso(a.created_at)) order by a.attempt), '[]')
              from (select attempt, status_code, response_body, error, duration_ms, manual, created_at
                      from webhook_attempt
                     where store_id = ${storeId} and delivery_id = ${id}
                     union all
                    select attempts, status_code, response_body, error, duration_ms, manual, attempted_at
                      from webhook_delivery
                     where store_id = ${storeId} and id = ${id} and attempts > 0) a) as attempt_history
      from (${logOf(storeId)}) l
      join event e on e.store_id = ${storeId} and e.no = l.id >> 5
      join webhook_endpoint w on w.store_id = ${storeId} and w.id = l.endpoint_id
     where l.id = ${id}`.execute(db)
  return rows[0]
}

const failedSince = (storeId: number, since: string) => sql`
  from webhook_delivery d
  join webhook_endpoint w on w.store_id = d.store_id and w.id = d.endpoint_id
 where d.store_id = ${storeId} and d.status = 'failed' and d.updated_at >= ${since}
   and w.deleted_at is null`

/** Deliveries that failed at this moment or later, after this one, by their ids. */
export async function selectFailedSince(
  db: Db,
  storeId: number,
  { since, after, limit }: { since: string; after: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select d.id
      ${failedSince(storeId, since)} and d.id > ${after}
     order by d.id
     limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

export async function countFailedSince(db: Db, storeId: number, since: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total ${failedSince(storeId, since)}`.execute(db)
  return rows[0]?.total ?? 0
}
