import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { eventNo } from './delivery-id.ts'
import { isHeld } from './lease.ts'
import { waitingEndpoints, waitingStores } from './waiting.ts'

/** An event whose first attempts a worker leased for 30 s, with all that is needed to make them. */
export interface ClaimedEvent {
  store_id: number
  no: number
  tag: number
  type: string
  token: number
  test: boolean
  /** Another worker had it and did not finish. */
  lost: boolean
  endpoint_ids: number[]
  payload_enc: Buffer
  created_at: string
  clock_offset_ms: number
}

/** The number of attempts of an endpoint that may begin now. */
export interface EndpointCapacity {
  store_id: number
  endpoint_id: number
  places: number
}

/** Bytes of payloads that are taken at once; one that is larger is taken alone. */
export const PAYLOADS_MAX = 16 * 1024 * 1024

/** For each attempt that may begin another one may queue, so that no slot is idle until the next claim. */
const BEGUN_AND_QUEUED = 2

export interface EventClaim {
  /** Begins behind this store. */
  afterStore: number
  /** Stores to take nothing of. */
  skip: readonly number[]
  /** Endpoints that are in use or slow; all others have `roomOfOthers`. */
  room: readonly EndpointCapacity[]
  roomOfOthers: number
  /** Expected attempts per claimed event. */
  triesPerEvent: number
  /** Events of one store, however few or many stores wait. */
  perStore: { least: number; most: number }
  /** Events to look at. */
  events: number
  /** First attempts within the capacity; the last event may bring some more. */
  limit: number
}

/**
 * Claims events that wait for their first attempts: a few of each store, or an equal share if few
 * stores wait. It begins after the store that was served last, so that no store waits behind
 * another's backlog. An expired lease is free. It claims none of the excluded stores, and of the
 * others no more than their endpoints have free slots: an attempt without a slot costs two writes.
 */
export async function claimEvents(
  db: Db,
  { afterStore, skip, room, roomOfOthers, triesPerEvent, perStore, events, limit }: EventClaim,
): Promise<ClaimedEvent[]> {
  const { rows } = await sql<ClaimedEvent>`-- planned anew
    with recursive ${waitingStores(afterStore)},
    room as materialized (
      select store_id,
             ${BEGUN_AND_QUEUED}::int * greatest(max(places), ceil(sum(places) / ${triesPerEvent}::float)::bigint) as events
        from (${placesIn(room, roomOfOthers)}) p
       group by store_id
    ), open as materialized (
      select w.store_id, r.events
        from stores w
        left join room r on r.store_id = w.store_id
       where w.store_id is not null and w.store_id <> all(${skip}::bigint[])
         and coalesce(r.events, 1) > 0
       order by w.store_id
    ), share as materialized (
      select least(${perStore.most}::int, greatest(${perStore.least}::int, ${events}::int / greatest(count(*), 1)))
               as events
        from open
    ), lease as materialized (
      select nextval('webhook_lease') as token
    ), found as materialized (
      select f.*
        from open w
        cross join lateral (
          select store_id, no, lease_token, cardinality(endpoint_ids) as tries
            from webhook_fanout
           where store_id = w.store_id and not ${isHeld(sql`lease_until`)}
           order by no
           limit least((select events from share), w.events)
             for update skip locked) f
       limit ${events}
    ), picked as (
      select store_id, no, lease_token
        from (select f.*, sum(tries) over so_far - tries as tries_before,
                     sum(octet_length(e.payload_enc)) over so_far - octet_length(e.payload_enc) as bytes_before
                from found f
                join event e using (store_id, no)
              window so_far as (order by f.store_id, f.no)) f
       where tries_before < ${limit} and bytes_before < ${PAYLOADS_MAX}
    ), leased as (
      update webhook_fanout f
         set lease_until = clock_timestamp() + interval '30 s', lease_token = lease.token
        from picked p, lease
       where f.store_id = p.store_id and f.no = p.no
      returning f.store_id, f.no, f.lease_token as token, p.lease_token <> 0 as lost, f.endpoint_ids
    )
    select l.*, e.tag, e.type, e.test, e.payload_enc, e.created_at, s.clock_offset_ms
      from leased l
      join event e on e.store_id = l.store_id and e.no = l.no
      join store s on s.id = l.store_id
     order by l.store_id, l.no`.execute(db)
  return rows
}

const placesOf = (room: readonly EndpointCapacity[]) => sql`
  unnest(${room.map((item) => item.endpoint_id)}::bigint[], ${room.map((item) => item.places)}::int[])
    as r(endpoint_id, places)`

/**
 * Free slots per endpoint, for busy stores with pending events. An endpoint that was turned off or
 * deleted has slots too, while the oldest pending event is older than that: its deliveries only have
 * to be parked. Each part is read once for all stores: reading all free slots for each store would
 * cost the square of their number.
 */
const placesIn = (room: readonly EndpointCapacity[], roomOfOthers: number) => sql`
  select w.store_id,
         case when w.is_on then coalesce(r.places, ${roomOfOthers}::int) else ${roomOfOthers}::int end as places
    from (select w.store_id, w.id, w.enabled and w.deleted_at is null as is_on,
                 coalesce(w.deleted_at, w.disabled_at) as since
            from stores s
            join unnest(${[...new Set(room.map((item) => item.store_id))]}::bigint[]) as busy(store_id)
              on busy.store_id = s.store_id
            join webhook_endpoint w on w.store_id = s.store_id) w
    left join ${placesOf(room)} on r.endpoint_id = w.id
   where w.is_on or w.since >= (
           select created_at
             from event
            where store_id = w.store_id
              and no = (select min(no) from webhook_fanout f where f.store_id = w.store_id))`

/** A delivery that was tried before, or had to wait, taken for 30 s. */
export interface ClaimedRetry {
  store_id: number
  delivery_id: number
  endpoint_id: number
  token: number
  step: number
  lost: number
  /** Another worker had it just now and did not finish. */
  lost_now: boolean
  /** The lost attempt was manual: it is recorded as lost, and the schedule goes on (decision 66). */
  manual: boolean
  attempts: number
  no: number
  tag: number
  type: string
  test: boolean
  payload_enc: Buffer
  created_at: string
  clock_offset_ms: number
}

export interface RetryClaim {
  /** Begins behind this endpoint. */
  afterEndpoint: number
  /** Endpoints that are in use or slow; all others have `roomOfOthers`. */
  room: readonly EndpointCapacity[]
  roomOfOthers: number
  /** Stores to take nothing of. */
  crowded: readonly number[]
  /** Retries of one store, however many endpoints it has. */
  perStore: number
  limit: number
}

/**
 * Claims due retries: of each endpoint no more than its free slots, of each store no more than a
 * share.
 */
export async function claimRetries(
  db: Db,
  { afterEndpoint, room, roomOfOthers, crowded, perStore, limit }: RetryClaim,
): Promise<ClaimedRetry[]> {
  const { rows } = await sql<ClaimedRetry>`-- planned anew
    with recursive ${waitingEndpoints(afterEndpoint)},
    lease as materialized (
      select nextval('webhook_lease') as token
    ), due as materialized (
      select q.store_id, q.delivery_id, q.endpoint_id, q.lease_token
        from endpoints w
        left join ${placesOf(room)} on r.endpoint_id = w.endpoint_id
        cross join lateral (
          select store_id, delivery_id, endpoint_id, lease_token
            from webhook_retry
           where endpoint_id = w.endpoint_id and due_at <= clock_timestamp()
             and store_id <> all(${crowded}::bigint[])
           order by due_at, delivery_id
           limit greatest(coalesce(r.places, ${roomOfOthers}::int), 0)
             for update skip locked) q
       where w.endpoint_id is not null
       limit ${4 * limit}
    ), shared as (
      select *
        from (select d.*, row_number() over (partition by store_id order by endpoint_id) as place
                from due d) d
       where place <= ${perStore}
       order by place
       limit ${limit}
    ), picked as (
      select store_id, delivery_id, lease_token
        from (select d.*, sum(octet_length(e.payload_enc)) over (order by d.place, d.store_id)
                     - octet_length(e.payload_enc) as bytes_before
                from shared d
                join event e on e.store_id = d.store_id and e.no = ${eventNo('d.delivery_id')}) d
       where bytes_before < ${PAYLOADS_MAX}
    ), leased as (
      update webhook_retry q
         set due_at = clock_timestamp() + interval '30 s', lease_token = lease.token,
             lost = q.lost + (q.lease_token <> 0 and not q.by_hand)::int
        from picked p, lease
       where q.store_id = p.store_id and q.delivery_id = p.delivery_id
      returning q.store_id, q.delivery_id, q.endpoint_id, q.lease_token as token, q.step, q.lost,
                p.lease_token <> 0 as lost_now, q.by_hand as manual
    )
    select l.*, d.attempts, e.no, e.tag, e.type, e.test, e.payload_enc, e.created_at, s.clock_offset_ms
      from leased l
      join webhook_delivery d on d.store_id = l.store_id and d.id = l.delivery_id
      join event e on e.store_id = l.store_id and e.no = ${eventNo('l.delivery_id')}
      join store s on s.id = l.store_id`.execute(db)
  return rows
}

/** The data needed to send to an endpoint, and to decide whether to send. */
export interface Target {
  store_id: number
  id: number
  public_id: string
  url: string
  /** True if the dispatcher sends to it: a listener fetches its parked deliveries (decision 72). */
  enabled: boolean
  deleted: boolean
  secret_enc: Buffer
  prev_secret_enc: Buffer | null
  prev_secret_until: string | null
  standard_headers: boolean
}

const TARGET = sql`
  w.store_id, w.id, w.public_id, w.url, w.enabled and w.listening_until is null as enabled,
  w.deleted_at is not null as deleted, w.secret_enc, w.prev_secret_enc, w.prev_secret_until,
  w.standard_headers`

export async function selectTarget(db: Db, id: number): Promise<Target | undefined> {
  const { rows } = await sql<Target>`
    select ${TARGET}
      from webhook_endpoint w
     where w.id = ${id}`.execute(db)
  return rows[0]
}

/** A target as a row held it; every write to the row makes another version. */
export interface VersionedTarget extends Target {
  version: string
}

/** Returns the endpoints whose version differs from the known one. */
export async function selectChangedTargets(
  db: Db,
  known: ReadonlyMap<number, string>,
): Promise<VersionedTarget[]> {
  const { rows } = await sql<VersionedTarget>`
    select ${TARGET}, w.xmin::text as version
      from unnest(${[...known.keys()]}::bigint[], ${[...known.values()]}::text[]) as k(id, version)
      join webhook_endpoint w on w.id = k.id
     where w.xmin::text <> k.version`.execute(db)
  return rows
}
