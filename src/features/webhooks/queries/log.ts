import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { countedTo } from '../../../kernel/page.ts'
import type { Attempt, DeliveryQuery, ListedDelivery, ObjectDeliveryQuery } from '../schema.ts'
import { deliveryAt, eventNo, isOfEvent } from './delivery-id.ts'
import { isHeld } from './lease.ts'

export type LoggedDelivery = Omit<ListedDelivery, 'object' | 'event' | 'payload_redacted'> & {
  event: { no: number; tag: number; type: string; test: boolean; object_id: string }
}

export type LogQuery = DeliveryQuery & Partial<ObjectDeliveryQuery>

type EventOfLog = { no: number; tag: number } | undefined

const LEASED = sql`coalesce(q.lease_token <> 0 and ${isHeld(sql`q.due_at`)}, false)`
const STATUS = sql`case when ${LEASED} then 'delivering' else d.status end`

/**
 * The log of a store has two parts: deliveries with a row, and deliveries of events whose first attempts
 * are still under way. The latter have no row; the fan-out determines their ids.
 * Each is filtered and cut on its own, so that a page reads about as many rows as it shows.
 */
interface Part {
  columns: RawBuilder<unknown>
  from: RawBuilder<unknown>
  /** By this it is walked, the newest first. */
  order: { id: RawBuilder<unknown>; created_at: RawBuilder<unknown> }
}

// Why not `not exists`, which reads all deliveries to find those of a few events. The joins are outer
// ones so that the planner leaves out those that a count does not need.
const writtenIn = (storeId: number, narrowed: RawBuilder<unknown>): Part => ({
  columns: WRITTEN,
  from: sql`
    from webhook_delivery d
    left join webhook_retry q on q.store_id = d.store_id and q.delivery_id = d.id
   where d.store_id = ${storeId} and ${narrowed}`,
  order: { id: sql`d.id desc`, created_at: sql`d.created_at desc, d.id desc` },
})

/** The same, found by their events. The limit keeps the planner from reading all deliveries for a few. */
const writtenOf = (storeId: number, narrowed: RawBuilder<unknown>): Part => ({
  columns: WRITTEN,
  from: sql`
    from event e
    cross join lateral (
      select * from webhook_delivery
       where store_id = e.store_id and ${isOfEvent('id', 'e.no')}
       order by id desc
       limit 32) d
    left join webhook_retry q on q.store_id = d.store_id and q.delivery_id = d.id
   where e.store_id = ${storeId} and ${narrowed}`,
  order: { id: sql`e.no desc, d.id desc`, created_at: sql`e.created_at desc, d.id desc` },
})

const WRITTEN = sql`
  d.id, d.endpoint_id, ${STATUS} as status, d.attempts, d.next_attempt_at, d.status_code, d.error,
  d.duration_ms, d.created_at, d.updated_at`

const unwrittenIn = (storeId: number, narrowed: RawBuilder<unknown>): Part => ({
  columns: sql`
    d.id, d.endpoint_id, d.status, 0 as attempts, d.created_at as next_attempt_at,
    null::smallint as status_code, null as error, null::int as duration_ms, d.created_at, d.created_at as updated_at`,
  from: sql`
    from webhook_fanout f
    join event e on e.store_id = f.store_id and e.no = f.no
    cross join lateral (
      select ${deliveryAt('f.no', 'x.place')} as id, x.endpoint_id, e.created_at,
             case when ${isHeld(sql`f.lease_until`)} then 'delivering' else 'pending' end as status
        from unnest(f.endpoint_ids) with ordinality as x(endpoint_id, place)
       where x.endpoint_id <> 0) d
   where f.store_id = ${storeId}
     and (select true from webhook_delivery w where w.store_id = f.store_id and w.id = d.id) is null
     and ${narrowed}`,
  order: { id: sql`f.no desc, d.id desc`, created_at: sql`e.created_at desc, d.id desc` },
})

const DELIVERY = sql`
  l.id, l.status, l.attempts, l.next_attempt_at, l.status_code as last_status_code,
  l.error as last_error, l.duration_ms as last_duration_ms, e.created_at, l.updated_at,
  json_build_object('no', e.no, 'tag', e.tag, 'type', e.type, 'test', e.test,
                    'object_id', e.object_id) as event,
  json_build_object('id', w.public_id, 'url', w.url, 'description', w.description,
                    'deleted', w.deleted_at is not null) as webhook`

/** A page of the log, newest first, and how many match, as far as they are counted (decision 68). */
export async function selectLog(
  db: Db,
  storeId: number,
  query: LogQuery,
  event: EventOfLog,
): Promise<{ deliveries: LoggedDelivery[]; total: number }> {
  const { limit, offset } = query
  const { webhook_id } = query
  const endpointId = webhook_id === undefined ? undefined : await selectId(db, storeId, webhook_id)
  if (endpointId === null) return { deliveries: [], total: 0 }
  const parts = partsOf(storeId, { ...query, endpointId }, event)
  // Numbers and times go together, but for what happened within a second of each other: a page is put in
  // order once it is cut. A span of time is walked by its own index.
  const by = query.created_from || query.created_to ? 'created_at' : 'id'
  const order = by === 'id' ? sql`l.id desc` : sql`l.created_at desc, l.id desc`
  const page = await sql<LoggedDelivery>`-- planned anew
    select ${DELIVERY}
      from (select * from (${sql.join(
        parts.map(
          (part) =>
            sql`(select ${part.columns} ${part.from} order by ${part.order[by]} limit ${offset + limit})`,
        ),
        sql` union all `,
      )}) l order by ${order} limit ${limit} offset ${offset}) l
      join event e on e.store_id = ${storeId} and e.no = ${eventNo('l.id')}
      join webhook_endpoint w on w.store_id = ${storeId} and w.id = l.endpoint_id
     order by l.created_at desc, l.id desc`.execute(db)
  const count = await sql<{ total: number }>`-- planned anew
    select ${sql.join(
      parts.map(
        ({ from }) => sql`(select count(*) from (select ${from} limit ${countedTo(query)}) l)`,
      ),
      sql` + `,
    )} as total`.execute(db)
  return { deliveries: page.rows, total: count.rows[0]?.total ?? 0 }
}

/** The endpoint's own id: by a value the planner knows whether it has many deliveries or few. */
async function selectId(db: Db, storeId: number, publicId: string): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from webhook_endpoint
     where store_id = ${storeId} and public_id = ${publicId}`.execute(db)
  return rows[0]?.id ?? null
}

type Asked = LogQuery & { endpointId: number | undefined }

function partsOf(storeId: number, query: Asked, event: EventOfLog): Part[] {
  const { status } = query
  const shared = conditions(query, event)
  const ofRow = [
    status && sql`${STATUS} = any(${status}::text[])`,
    // Said once more, for the indexes that hold the few of these.
    status && !status.some(mayHaveSucceeded) && sql`d.status <> 'succeeded'`,
    status?.every((item) => item === 'delivering') && sql`q.lease_token <> 0`,
  ]
  const { event_type, event_id, test, created_from, created_to, object_id } = query
  const byEvent =
    event_type ||
    event_id !== undefined ||
    test !== undefined ||
    created_from ||
    created_to ||
    object_id
  const rows = (byEvent ? writtenOf : writtenIn)(storeId, all([...shared, ...ofRow]))
  if (status && !status.some(mayBeUnwritten)) return [rows]
  const ofNone = status && sql`d.status = any(${status}::text[])`
  return [rows, unwrittenIn(storeId, all([...shared, ofNone]))]
}

const mayBeUnwritten = (status: string) => status === 'pending' || status === 'delivering'

/** A delivery that is being sent again keeps the status it had. */
const mayHaveSucceeded = (status: string) => status === 'succeeded' || status === 'delivering'

function conditions(query: Asked, event: EventOfLog) {
  const { event_type, endpointId, event_id, test, created_from, created_to, object_id } = query
  return [
    event_type && ofTypes(event_type),
    endpointId !== undefined && sql`d.endpoint_id = ${endpointId}`,
    event_id !== undefined && sql`e.no = ${event?.no ?? -1} and e.tag = ${event?.tag ?? -1}`,
    object_id !== undefined && sql`e.object_id = ${object_id}`,
    // Not as a value: only so the planner knows which index may serve.
    test !== undefined && (test ? sql`e.test` : sql`not e.test`),
    created_from && sql`e.created_at >= ${created_from}`,
    created_to && sql`e.created_at < ${created_to}`,
  ]
}

/** Why not always `any`: one type is read from its index in the order of the page, however many events have it. */
const ofTypes = (types: readonly string[]) =>
  types.length === 1 ? sql`e.type = ${types[0]}` : sql`e.type = any(${types}::text[])`

const all = (conditions: readonly (RawBuilder<unknown> | string | false | undefined)[]) =>
  sql.join(
    [sql`true`, ...conditions].filter((item) => typeof item === 'object'),
    sql` and `,
  )

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
      from (${sql.join(
        [
          writtenIn(storeId, sql`d.id = ${id}`),
          unwrittenIn(storeId, sql`f.no = ${eventNo(id)} and d.id = ${id}`),
        ].map(({ columns, from }) => sql`select ${columns} ${from}`),
        sql` union all `,
      )}) l
      join event e on e.store_id = ${storeId} and e.no = ${eventNo('l.id')}
      join webhook_endpoint w on w.store_id = ${storeId} and w.id = l.endpoint_id
`.execute(db)
  return rows[0]
}
