import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { allRows, firstRow, REPLANNED } from '../../../db/rows.ts'
import { eventNoOf } from './delivery-id.ts'
import { isLeased } from './lease.ts'
import { pendingEndpoints, pendingStores } from './pending.ts'

/** An event whose first attempts a worker leased for 30 s, with the data to send them. */
export interface ClaimedEvent {
  store_id: number
  no: number
  tag: number
  type: string
  token: number
  test: boolean
  /** True if another worker claimed the event and did not finish it. */
  is_lost: boolean
  endpoint_ids: number[]
  payload_enc: Buffer
  created_at: string
  clock_offset_ms: number
}

/** The number of attempts of an endpoint that may begin now. */
export interface EndpointCapacity {
  store_id: number
  endpoint_id: number
  slots: number
}

/** The maximum total size of the payloads of a claim. A larger payload is claimed alone. */
export const PAYLOAD_BYTES_MAX = 16 * 1024 * 1024

/** For each attempt that may begin, another is claimed and queued, so that no slot is idle until the next claim. */
const CLAIMS_PER_SLOT = 2

interface EventClaim {
  /** The store id after which the claim begins. */
  afterStore: number
  /** Stores to skip. */
  skippedStores: readonly number[]
  /** The free slots of endpoints that are in use or slow. All other endpoints have `defaultSlots`. */
  capacity: readonly EndpointCapacity[]
  defaultSlots: number
  /** Expected attempts per claimed event. */
  attemptsPerEvent: number
  /** The limits of the events of one store. */
  perStore: { min: number; max: number }
  /** Maximum number of events. */
  eventsMax: number
  /** The maximum number of attempts. The last event may exceed it. */
  attemptsMax: number
}

/**
 * Claims events with pending first attempts: a few of each store, or an equal share if few stores have any.
 * Begins after `afterStore`, so that no store waits behind another's backlog. Events with an expired lease are
 * claimed again. Claims at most as many events of a store as its endpoints have free slots, because an attempt
 * without a slot costs two writes.
 */
export const claimEvents = (
  db: Db,
  {
    afterStore,
    skippedStores,
    capacity,
    defaultSlots,
    attemptsPerEvent,
    perStore,
    eventsMax,
    attemptsMax,
  }: EventClaim,
) =>
  allRows<ClaimedEvent>(db)`${REPLANNED}
    with recursive ${pendingStores(afterStore)},
    capacity as materialized (
      select store_id,
             ${CLAIMS_PER_SLOT}::int * greatest(max(slots), ceil(sum(slots) / ${attemptsPerEvent}::float)::bigint) as events
        from (${freeSlots(capacity, defaultSlots)}) p
       group by store_id
    ), claimable as materialized (
      select s.store_id, c.events
        from stores s
        left join capacity c on c.store_id = s.store_id
       where s.store_id is not null and s.store_id <> all(${skippedStores}::bigint[])
         and coalesce(c.events, 1) > 0
       order by s.store_id
    ), share as materialized (
      select least(${perStore.max}::int, greatest(${perStore.min}::int, ${eventsMax}::int / greatest(count(*), 1)))
               as events
        from claimable
    ), lease as materialized (
      select nextval('webhook_lease') as token
    ), locked as materialized (
      select f.*
        from claimable c
        cross join lateral (
          select store_id, no, lease_token, cardinality(endpoint_ids) as attempts
            from webhook_fanout
           where store_id = c.store_id and not ${isLeased(sql`lease_until`)}
           order by no
           limit least((select events from share), c.events)
             for update skip locked) f
       limit ${eventsMax}
    ), picked as (
      select store_id, no, lease_token
        from (select f.*, sum(attempts) over so_far - attempts as attempts_before,
                     sum(octet_length(e.payload_enc)) over so_far - octet_length(e.payload_enc) as bytes_before
                from locked f
                join event e using (store_id, no)
              window so_far as (order by f.store_id, f.no)) f
       where attempts_before < ${attemptsMax} and bytes_before < ${PAYLOAD_BYTES_MAX}
    ), leased as (
      update webhook_fanout f
         set lease_until = clock_timestamp() + interval '30 s', lease_token = lease.token
        from picked p, lease
       where f.store_id = p.store_id and f.no = p.no
      returning f.store_id, f.no, f.lease_token as token, p.lease_token <> 0 as is_lost, f.endpoint_ids
    )
    select l.*, e.tag, e.type, e.test, e.payload_enc, e.created_at, s.clock_offset_ms
      from leased l
      join event e on e.store_id = l.store_id and e.no = l.no
      join store s on s.id = l.store_id
     order by l.store_id, l.no`

/** An event that this process has just recorded. */
export interface RecordedEvent {
  store_id: number
  no: number
}

/**
 * Claims those of some events that no process has claimed yet, and whose endpoints are all ready. It reads them by their
 * keys, so unlike `claimEvents` it needs no new plan for each run.
 */
export const claimRecorded = (
  db: Db,
  events: readonly RecordedEvent[],
  { only, except }: { only: readonly number[] | null; except: readonly number[] },
) =>
  allRows<ClaimedEvent>(db)`
    with lease as materialized (
      select nextval('webhook_lease') as token
    ), picked as materialized (
      select f.store_id, f.no
        from unnest(${events.map((event) => event.store_id)}::bigint[], ${events.map((event) => event.no)}::bigint[])
          as recorded(store_id, no)
        join webhook_fanout f on f.store_id = recorded.store_id and f.no = recorded.no
       where f.lease_token = 0 and not ${isLeased(sql`f.lease_until`)}
         and (${only}::bigint[] is null or f.endpoint_ids <@ ${only}::bigint[])
         and not f.endpoint_ids && ${except}::bigint[]
         for update of f skip locked
    ), leased as (
      update webhook_fanout f
         set lease_until = clock_timestamp() + interval '30 s', lease_token = lease.token
        from picked p, lease
       where f.store_id = p.store_id and f.no = p.no
      returning f.store_id, f.no, f.lease_token as token, false as is_lost, f.endpoint_ids
    )
    select l.*, e.tag, e.type, e.test, e.payload_enc, e.created_at, s.clock_offset_ms
      from leased l
      join event e on e.store_id = l.store_id and e.no = l.no
      join store s on s.id = l.store_id
     order by l.store_id, l.no`

const capacityRows = (capacity: readonly EndpointCapacity[]) => sql`
  unnest(${capacity.map((item) => item.endpoint_id)}::bigint[], ${capacity.map((item) => item.slots)}::int[])
    as free(endpoint_id, slots)`

/**
 * Free slots per endpoint, for busy stores with pending events. An endpoint that was turned off or deleted also
 * has slots while the oldest pending event is older than the change, because its deliveries only have to be parked.
 * The capacity is read once for all stores. Reading it for each store would cost the square of their number.
 */
const freeSlots = (capacity: readonly EndpointCapacity[], defaultSlots: number) => sql`
  select w.store_id,
         case when w.is_on then coalesce(free.slots, ${defaultSlots}::int) else ${defaultSlots}::int end as slots
    from (select w.store_id, w.id, w.enabled and w.deleted_at is null as is_on,
                 coalesce(w.deleted_at, w.disabled_at) as since
            from stores s
            join unnest(${[...new Set(capacity.map((item) => item.store_id))]}::bigint[]) as busy(store_id)
              on busy.store_id = s.store_id
            join webhook_endpoint w on w.store_id = s.store_id) w
    left join ${capacityRows(capacity)} on free.endpoint_id = w.id
   where w.is_on or w.since >= (
           select created_at
             from event
            where store_id = w.store_id
              and no = (select min(no) from webhook_fanout f where f.store_id = w.store_id))`

/** A delivery of the retry lane, leased for 30 s. */
export interface ClaimedRetry {
  store_id: number
  delivery_id: number
  endpoint_id: number
  token: number
  step: number
  /** The scheduled attempts whose result was lost with their worker. */
  lost: number
  /** True if another worker claimed the delivery before and did not finish it. */
  is_lost: boolean
  /** True if the lost attempt was manual. It is recorded as lost, and the schedule continues. */
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

/** More due retries are locked than are claimed, because those beyond the share of their store are dropped. */
const DUE_PER_CLAIMED = 4

interface RetryClaim {
  /** The endpoint id after which the claim begins. */
  afterEndpoint: number
  /** The free slots of endpoints that are in use or slow. All other endpoints have `defaultSlots`. */
  capacity: readonly EndpointCapacity[]
  defaultSlots: number
  /** Stores to skip. */
  skippedStores: readonly number[]
  /** Maximum number of retries of one store. */
  perStore: number
  limit: number
}

/**
 * Claims due retries: at most as many of an endpoint as it has free slots, and at most `perStore` of a store.
 */
export const claimRetries = (
  db: Db,
  { afterEndpoint, capacity, defaultSlots, skippedStores, perStore, limit }: RetryClaim,
) =>
  allRows<ClaimedRetry>(db)`${REPLANNED}
    with recursive ${pendingEndpoints(afterEndpoint)},
    lease as materialized (
      select nextval('webhook_lease') as token
    ), due_retry as materialized (
      select retry.store_id, retry.delivery_id, retry.endpoint_id, retry.lease_token
        from endpoints w
        left join ${capacityRows(capacity)} on free.endpoint_id = w.endpoint_id
        cross join lateral (
          select store_id, delivery_id, endpoint_id, lease_token
            from webhook_retry
           where endpoint_id = w.endpoint_id and due_at <= clock_timestamp()
             and store_id <> all(${skippedStores}::bigint[])
           order by due_at, delivery_id
           limit greatest(coalesce(free.slots, ${defaultSlots}::int), 0)
             for update skip locked) retry
       where w.endpoint_id is not null
       limit ${DUE_PER_CLAIMED * limit}
    ), store_share as (
      select *
        from (select d.*, row_number() over (partition by store_id order by endpoint_id) as turn
                from due_retry d) d
       where turn <= ${perStore}
       order by turn
       limit ${limit}
    ), picked as (
      select store_id, delivery_id, lease_token
        from (select d.*, sum(octet_length(e.payload_enc)) over (order by d.turn, d.store_id)
                     - octet_length(e.payload_enc) as bytes_before
                from store_share d
                join event e on e.store_id = d.store_id and e.no = ${eventNoOf('d.delivery_id')}) d
       where bytes_before < ${PAYLOAD_BYTES_MAX}
    ), leased as (
      update webhook_retry retry
         set due_at = clock_timestamp() + interval '30 s', lease_token = lease.token,
             lost = retry.lost + (retry.lease_token <> 0 and not retry.by_hand)::int
        from picked p, lease
       where retry.store_id = p.store_id and retry.delivery_id = p.delivery_id
      returning retry.store_id, retry.delivery_id, retry.endpoint_id, retry.lease_token as token, retry.step, retry.lost,
                p.lease_token <> 0 as is_lost, retry.by_hand as manual
    )
    select l.*, d.attempts, e.no, e.tag, e.type, e.test, e.payload_enc, e.created_at, s.clock_offset_ms
      from leased l
      join webhook_delivery d on d.store_id = l.store_id and d.id = l.delivery_id
      join event e on e.store_id = l.store_id and e.no = ${eventNoOf('l.delivery_id')}
      join store s on s.id = l.store_id`

/** The fields of an endpoint that an attempt needs. */
export interface WebhookTarget {
  store_id: number
  id: number
  public_id: string
  url: string
  /** True if the dispatcher sends to the endpoint. A listener fetches its deliveries itself. */
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

export const selectTarget = (db: Db, id: number) =>
  firstRow<WebhookTarget>(db)`
    select ${TARGET}
      from webhook_endpoint w
     where w.id = ${id}`

/** A target with the version of its row. Every write to the row changes the version. */
export interface VersionedTarget extends WebhookTarget {
  version: string
}

/** Returns the endpoints whose version differs from the given one. */
export const selectChangedTargets = (db: Db, versions: ReadonlyMap<number, string>) =>
  allRows<VersionedTarget>(db)`
    select ${TARGET}, w.xmin::text as version
      from unnest(${[...versions.keys()]}::bigint[], ${[...versions.values()]}::text[]) as cached(id, version)
      join webhook_endpoint w on w.id = cached.id
     where w.xmin::text <> cached.version`
