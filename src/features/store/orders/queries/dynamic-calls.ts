import { sql } from 'kysely'
import type { Db, Expression, Tx } from '../../../../db/database.ts'
import { allRows, execute, firstValue, hasRows, REPLANNED } from '../../../../db/rows.ts'

/** A call that this worker has leased. */
export interface LeasedCall {
  store_id: number
  delivery_id: number
  variant_id: number
  order_id: string
  /** The number of this attempt, from 1. Above the maximum, the worker of the last attempt crashed. */
  attempts: number
  lease_until: string
  url: string
  secret_enc: Buffer
}

/** The first number above the maximum of attempts. The table allows no higher number. */
const ATTEMPTS_STORED_MAX = 4

interface Claim {
  /** The time of the machine's clock. */
  now: string
  lease_until: string
  limit: number
  /** The maximum number of leased calls of one store, so that its slow receivers leave room for other stores. */
  perStore: number
  storeId?: number
}

/**
 * Leases due calls, the earliest of each store first. The attempt is counted here, so that an attempt
 * whose worker crashes counts too.
 */
export const claimCalls = (db: Db, { now, lease_until, limit, perStore, storeId }: Claim) =>
  allRows<LeasedCall>(db)`${REPLANNED}
    with due as materialized (
      select c.store_id, c.delivery_id
        from store s
       cross join lateral (
             select c.store_id, c.delivery_id
               from dynamic_call c
              where c.store_id = s.id
                and c.due_at <= ${now}::timestamptz + s.clock_offset_ms * interval '1 ms'
                and (c.lease_until is null or c.lease_until <= ${now})
              order by c.due_at
              limit greatest(0, ${perStore} - (
                    select count(*) from dynamic_call l
                     where l.store_id = s.id and l.lease_until > ${now}))
                for update skip locked) c
       where ${storeId ?? null}::bigint is null or s.id = ${storeId ?? null}
       limit ${limit}
    )
    update dynamic_call c
       set attempts = least(c.attempts + 1, ${sql.lit(ATTEMPTS_STORED_MAX)}), lease_until = ${lease_until}
      from due, delivery d, variant_dynamic v
     where c.store_id = due.store_id and c.delivery_id = due.delivery_id
       and d.store_id = c.store_id and d.id = c.delivery_id
       and v.store_id = d.store_id and v.variant_id = d.variant_id
    returning c.store_id, c.delivery_id, d.variant_id, d.order_id, c.attempts, c.lease_until, v.url,
              v.secret_enc`

/** Locks a call. Returns false if the call was deleted or its lease is lost. */
export const lockCall = (tx: Tx, { store_id, delivery_id, lease_until }: LeasedCall) =>
  hasRows(tx)`
    select from dynamic_call
     where store_id = ${store_id} and delivery_id = ${delivery_id} and lease_until = ${lease_until}
       for update`

/** Records the error of an attempt and the time of the next attempt. Without `due_at` the delivery fails. */
export async function recordFailure(
  tx: Tx,
  { store_id, delivery_id }: LeasedCall,
  { error, due_at }: { error: string; due_at: string | undefined },
): Promise<void> {
  const call = due_at
    ? sql`update dynamic_call set due_at = ${due_at}, lease_until = null
           where store_id = ${store_id} and delivery_id = ${delivery_id}`
    : sql`delete from dynamic_call where store_id = ${store_id} and delivery_id = ${delivery_id}`
  await sql`
    with call as (${call})
    update delivery
       set status = ${due_at ? 'pending' : 'failed'}, error = ${error},
           attempts = attempts + 1
     where store_id = ${store_id} and id = ${delivery_id}`.execute(tx)
}

/**
 * Inserts a new call for a delivery that is pending or failed. Returns false if its variant has no
 * dynamic address, or if a call exists.
 */
export const insertCall = (tx: Tx, storeId: number, deliveryId: number, now: string) =>
  hasRows(tx)`
    with pending as (
      update delivery set status = 'pending', error = null
       where store_id = ${storeId} and id = ${deliveryId}
         and exists (select from variant_dynamic v
                      where v.store_id = ${storeId} and v.variant_id = delivery.variant_id)
      returning id
    )
    insert into dynamic_call (store_id, delivery_id, due_at)
    select ${storeId}, id, ${now} from pending
        on conflict (store_id, delivery_id) do nothing
    returning delivery_id`

/** Deletes the calls of an order. */
export const deleteCallsOfOrder = (tx: Tx, storeId: number, orderId: string) =>
  execute(tx)`
    delete from dynamic_call c
     using delivery d
     where c.store_id = ${storeId} and d.store_id = c.store_id and d.id = c.delivery_id
       and d.order_id = ${orderId}`

/** Inserts calls for the pending deliveries of an order, due now. */
export const insertCallsOfOrder = (tx: Tx, storeId: number, orderId: string, now: string) =>
  execute(tx)`
    insert into dynamic_call (store_id, delivery_id, due_at)
    select d.store_id, d.id, ${now}
      from delivery d
      join variant_dynamic v on v.store_id = d.store_id and v.variant_id = d.variant_id
     where d.store_id = ${storeId} and d.order_id = ${orderId} and d.type = 'dynamic' and d.status = 'pending'
        on conflict (store_id, delivery_id) do nothing`

/** Returns the time of the next call of a store, by its clock. */
export const selectNextCall = (db: Db, storeId: number) =>
  firstValue<string>(db)`
    select due_at from dynamic_call where store_id = ${storeId} order by due_at limit 1`

/** The time of the next call of any store, by the machine's clock. Finished calls are deleted, so all rows count. */
export const nextCall: Expression = sql`
  (select min(greatest(c.due_at - s.clock_offset_ms * interval '1 ms', c.lease_until))
     from dynamic_call c
     join store s on s.id = c.store_id)`

/** Deletes the calls of a variant. The seller then has to deliver their deliveries. */
export const deleteCallsOf = (tx: Tx, storeId: number, variantId: number) =>
  execute(tx)`
    delete from dynamic_call c
     using delivery d
     where c.store_id = ${storeId} and d.store_id = c.store_id and d.id = c.delivery_id
       and d.variant_id = ${variantId}`
