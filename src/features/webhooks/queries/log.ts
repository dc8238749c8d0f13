import { type RawBuilder, sql } from 'kysely'
import { createdWithin } from '../../../db/created.ts'
import type { Db } from '../../../db/database.ts'
import { firstRow, REPLANNED } from '../../../db/rows.ts'
import { countLimit } from '../../../kernel/page.ts'
import type { Attempt, DeliveryQuery, ListedDelivery, ObjectDeliveryQuery } from '../schema.ts'
import { deliveryAt, eventNoOf, isOfEvent, POSITIONS } from './delivery-id.ts'
import type { EventKey } from './events.ts'
import { isLeased } from './lease.ts'

export type LoggedDelivery = Omit<ListedDelivery, 'object' | 'event' | 'payload_redacted'> & {
  event: { no: number; tag: number; type: string; test: boolean; object_id: string }
}

export type LogQuery = DeliveryQuery & Partial<ObjectDeliveryQuery>

const IS_LEASED = sql`coalesce(retry.lease_token <> 0 and ${isLeased(sql`retry.due_at`)}, false)`
const STATUS = sql`case when ${IS_LEASED} then 'delivering' else d.status end`

/**
 * The log of a store has two parts: deliveries with a row, and deliveries of events whose first attempts have
 * not ended. These have no row; their ids follow from the fan-out. Each part has its own filter and limit, so
 * that a page reads about as many rows as it shows.
 */
interface LogPart {
  columns: RawBuilder<unknown>
  from: RawBuilder<unknown>
  /** The columns to sort by, newest first. */
  sort: { id: RawBuilder<unknown>; created_at: RawBuilder<unknown> }
  /** The sort in which matches are counted, if the planner could otherwise read all older events first. */
  countSort?: RawBuilder<unknown> | undefined
}

/** Deliveries with a row. The outer join lets the planner omit `webhook_retry` from a count that does not need it. */
const partWithRow = (storeId: number, condition: RawBuilder<unknown>): LogPart => ({
  columns: ROW_COLUMNS,
  from: sql`
    from webhook_delivery d
    left join webhook_retry retry on retry.store_id = d.store_id and retry.delivery_id = d.id
   where d.store_id = ${storeId} and ${condition}`,
  sort: { id: sql`d.id desc`, created_at: sql`d.created_at desc, d.id desc` },
})

/** Deliveries with a row, read by their events. The limit keeps the planner from reading all deliveries for a few. */
const partWithRowByEvent = (storeId: number, condition: RawBuilder<unknown>): LogPart => ({
  columns: ROW_COLUMNS,
  from: sql`
    from event e
    cross join lateral (
      select * from webhook_delivery
       where store_id = e.store_id and ${isOfEvent('id', 'e.no')}
       order by id desc
       limit ${sql.lit(POSITIONS)}) d
    left join webhook_retry retry on retry.store_id = d.store_id and retry.delivery_id = d.id
   where e.store_id = ${storeId} and ${condition}`,
  sort: { id: sql`e.no desc, d.id desc`, created_at: sql`e.created_at desc, d.id desc` },
})

const ROW_COLUMNS = sql`
  d.id, d.endpoint_id, ${STATUS} as status, d.attempts, d.next_attempt_at, d.status_code, d.error,
  d.duration_ms, d.created_at, d.updated_at`

/** Deliveries without a row. `not exists` would read all deliveries to find those of a few events. */
const partInFanout = (storeId: number, condition: RawBuilder<unknown>): LogPart => ({
  columns: sql`
    d.id, d.endpoint_id, d.status, 0 as attempts, d.created_at as next_attempt_at,
    null::smallint as status_code, null as error, null::int as duration_ms, d.created_at, d.created_at as updated_at`,
  from: sql`
    from webhook_fanout f
    join event e on e.store_id = f.store_id and e.no = f.no
    cross join lateral (
      select ${deliveryAt('f.no', 'entry.position')} as id, entry.endpoint_id, e.created_at,
             case when ${isLeased(sql`f.lease_until`)} then 'delivering' else 'pending' end as status
        from unnest(f.endpoint_ids) with ordinality as entry(endpoint_id, position)
       where entry.endpoint_id <> 0) d
   where f.store_id = ${storeId}
     and (select true from webhook_delivery recorded where recorded.store_id = f.store_id and recorded.id = d.id) is null
     and ${condition}`,
  sort: { id: sql`f.no desc, d.id desc`, created_at: sql`e.created_at desc, d.id desc` },
})

const DELIVERY = sql`
  l.id, l.status, l.attempts, l.next_attempt_at, l.status_code as last_status_code,
  l.error as last_error, l.duration_ms as last_duration_ms, e.created_at, l.updated_at,
  json_build_object('no', e.no, 'tag', e.tag, 'type', e.type, 'test', e.test,
                    'object_id', e.object_id) as event,
  json_build_object('id', w.public_id, 'url', w.url, 'description', w.description,
                    'deleted', w.deleted_at is not null) as webhook`

/** Returns a page of the log, newest first, and the number of matches up to the counting limit. */
export async function selectLog(
  db: Db,
  storeId: number,
  query: LogQuery,
  event: EventKey | undefined,
): Promise<{ deliveries: LoggedDelivery[]; total: number }> {
  const { limit, offset, webhook_id } = query
  const endpointId =
    webhook_id === undefined ? undefined : await selectEndpointId(db, storeId, webhook_id)
  if (endpointId === null) return { deliveries: [], total: 0 }
  const parts = partsOf(storeId, { ...query, endpointId }, event)
  // A page is read by id and then sorted by time, because ids increase with time except within about a second.
  // A filter by time has its own index.
  const sortColumn = query.created_from || query.created_to ? 'created_at' : 'id'
  const sort = sortColumn === 'id' ? sql`l.id desc` : sql`l.created_at desc, l.id desc`
  const page = await sql<LoggedDelivery>`${REPLANNED}
    select ${DELIVERY}
      from (select * from (${sql.join(
        parts.map(
          (part) =>
            sql`(select ${part.columns} ${part.from} order by ${part.sort[sortColumn]} limit ${offset + limit})`,
        ),
        sql` union all `,
      )}) l order by ${sort} limit ${limit} offset ${offset}) l
      join event e on e.store_id = ${storeId} and e.no = ${eventNoOf('l.id')}
      join webhook_endpoint w on w.store_id = ${storeId} and w.id = l.endpoint_id
     order by l.created_at desc, l.id desc`.execute(db)
  const count = await sql<{ total: number }>`${REPLANNED}
    select ${sql.join(
      parts.map(
        ({ from, countSort = sql`` }) =>
          sql`(select count(*) from (select ${from} ${countSort} limit ${countLimit(query)}) l)`,
      ),
      sql` + `,
    )} as total`.execute(db)
  return { deliveries: page.rows, total: count.rows[0]?.total ?? 0 }
}

/** Returns the numeric id of an endpoint. With the value, the planner estimates its number of deliveries. */
async function selectEndpointId(db: Db, storeId: number, publicId: string): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from webhook_endpoint
     where store_id = ${storeId} and public_id = ${publicId}`.execute(db)
  return rows[0]?.id ?? null
}

type IndexedQuery = LogQuery & { endpointId: number | undefined }

function partsOf(storeId: number, query: IndexedQuery, event: EventKey | undefined): LogPart[] {
  const { status } = query
  const sharedConditions = sharedConditionsOf(query, event)
  const rowConditions = [
    status && sql`${STATUS} = any(${status}::text[])`,
    // The line above implies this, but only with it does the planner use the partial indexes.
    status && !status.some(mayHaveSucceeded) && sql`d.status <> 'succeeded'`,
    status?.every((item) => item === 'delivering') && sql`retry.lease_token <> 0`,
  ]
  const { event_type, event_id, test, created_from, created_to, object_id } = query
  const hasPeriod = created_from !== undefined || created_to !== undefined
  const hasEventFilter = event_type || event_id !== undefined || test !== undefined || object_id
  const readsByEvent = Boolean(hasEventFilter) || hasPeriod
  const createPart = readsByEvent ? partWithRowByEvent : partWithRow
  const deliveriesWithRow = {
    ...createPart(storeId, joinConditions([...sharedConditions, ...rowConditions])),
    countSort: hasPeriod && !hasEventFilter ? sql`order by e.created_at desc` : undefined,
  }
  if (status && !status.some(mayBeInFanout)) return [deliveriesWithRow]
  const fanoutCondition = status && sql`d.status = any(${status}::text[])`
  return [
    deliveriesWithRow,
    partInFanout(storeId, joinConditions([...sharedConditions, fanoutCondition])),
  ]
}

const mayBeInFanout = (status: string) => status === 'pending' || status === 'delivering'

/** A succeeded delivery that is being resent is stored as succeeded and shown as delivering. */
const mayHaveSucceeded = (status: string) => status === 'succeeded' || status === 'delivering'

/** Returns the conditions that both parts of the log have. */
function sharedConditionsOf(query: IndexedQuery, event: EventKey | undefined) {
  const { event_type, endpointId, event_id, test, object_id } = query
  return [
    event_type && hasType(event_type),
    endpointId !== undefined && sql`d.endpoint_id = ${endpointId}`,
    // An id that is not an event's has no event; no event has the number -1.
    event_id !== undefined && sql`e.no = ${event?.no ?? -1} and e.tag = ${event?.tag ?? -1}`,
    object_id !== undefined && sql`e.object_id = ${object_id}`,
    // Literals, because the planner chooses a partial index only for a literal.
    test !== undefined && (test ? sql`e.test` : sql`not e.test`),
    ...createdWithin('e.created_at', query),
  ]
}

/** With `=`, the index returns the events of one type in the order of the page. With `any` they must be sorted. */
const hasType = (types: readonly string[]) =>
  types.length === 1 ? sql`e.type = ${types[0]}` : sql`e.type = any(${types}::text[])`

const joinConditions = (
  conditions: readonly (RawBuilder<unknown> | string | false | undefined)[],
) =>
  sql.join(
    [sql`true`, ...conditions].filter((item) => typeof item === 'object'),
    sql` and `,
  )

type WholeDelivery = LoggedDelivery & {
  /** Sealed, in base64. */
  payload_enc: string
  attempt_history: Attempt[]
}

/** Returns a delivery with its sealed payload and all its attempts, oldest first. */
export const selectDelivery = (db: Db, storeId: number, id: number) =>
  firstRow<WholeDelivery>(db)`
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
          partWithRow(storeId, sql`d.id = ${id}`),
          partInFanout(storeId, sql`f.no = ${eventNoOf(id)} and d.id = ${id}`),
        ].map(({ columns, from }) => sql`select ${columns} ${from}`),
        sql` union all `,
      )}) l
      join event e on e.store_id = ${storeId} and e.no = ${eventNoOf('l.id')}
      join webhook_endpoint w on w.store_id = ${storeId} and w.id = l.endpoint_id
`
