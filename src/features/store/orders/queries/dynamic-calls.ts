import { sql } from 'kysely'
import type { Db, Expression, Tx } from '../../../../db/database.ts'

/** A call whose lease is ours. */
export interface LeasedCall {
  store_id: number
  delivery_id: number
  variant_id: number
  order_id: string
  /** 1 for the first attempt. Above the maximum, the last attempt was lost with its worker. */
  attempts: number
  lease_until: string
  url: string
  secret_enc: Buffer
}

export interface Claim {
  /** The machine's time. */
  now: string
  lease_until: string
  limit: number
  /** A store whose receivers hang takes no more of a batch. */
  limitOfStore: number
  storeId?: number
}

/**
 * Leases due calls, the earliest of each store first. The attempt counts from here on, so that one whose worker dies is
 * used up.
 */
export async function claimCalls(
  db: Db,
  { now, lease_until, limit, limitOfStore, storeId }: Claim,
): Promise<LeasedCall[]> {
  const { rows } = await sql<LeasedCall>`-- planned anew
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
              limit ${limitOfStore}
                for update skip locked) c
       where ${storeId ?? null}::bigint is null or s.id = ${storeId ?? null}
       limit ${limit}
    )
    update dynamic_call c
       set attempts = c.attempts + 1, lease_until = ${lease_until}
      from due, delivery d, variant_dynamic v
     where c.store_id = due.store_id and c.delivery_id = due.delivery_id
       and d.store_id = c.store_id and d.id = c.delivery_id
       and v.store_id = d.store_id and v.variant_id = d.variant_id
    returning c.store_id, c.delivery_id, d.variant_id, d.order_id, c.attempts, c.lease_until, v.url,
              v.secret_enc`.execute(db)
  return rows
}

/** Locks a call that is still leased as it was; returns false if it ended or is another worker's. */
export async function lockCall(
  tx: Tx,
  { store_id, delivery_id, lease_until }: LeasedCall,
): Promise<boolean> {
  const { rows } = await sql`
    select from dynamic_call
     where store_id = ${store_id} and delivery_id = ${delivery_id} and lease_until = ${lease_until}
       for update`.execute(tx)
  return rows.length > 0
}

/** Says why an attempt failed, and when the next one is due; without one the delivery has failed. */
export async function recordFailure(
  tx: Tx,
  { store_id, delivery_id }: LeasedCall,
  { error, due_at }: { error: string; due_at: string | undefined },
): Promise<void> {
  const next = due_at
    ? sql`update dynamic_call set due_at = ${due_at}, lease_until = null
           where store_id = ${store_id} and delivery_id = ${delivery_id}`
    : sql`delete from dynamic_call where store_id = ${store_id} and delivery_id = ${delivery_id}`
  await sql`
    with next as (${next})
    update delivery
       set status = ${due_at ? 'pending' : 'failed'}, error = ${error},
           attempts = attempts + 1
     where store_id = ${store_id} and id = ${delivery_id}`.execute(tx)
}

/** Asks again for a delivery that failed or waits. Returns false if its variant has no address. */
export async function insertCall(
  tx: Tx,
  storeId: number,
  deliveryId: number,
  now: string,
): Promise<boolean> {
  const { rows } = await sql`
    with waiting as (
      update delivery set status = 'pending', error = null
       where store_id = ${storeId} and id = ${deliveryId}
         and exists (select from variant_dynamic v
                      where v.store_id = ${storeId} and v.variant_id = delivery.variant_id)
      returning id
    )
    insert into dynamic_call (store_id, delivery_id, due_at)
    select ${storeId}, id, ${now} from waiting
        on conflict (store_id, delivery_id) do nothing
    returning delivery_id`.execute(tx)
  return rows.length > 0
}

/** When the next call of a store is due, by its clock. */
export async function selectNextCall(db: Db, storeId: number): Promise<string | undefined> {
  const { rows } = await sql<{ due_at: string }>`
    select due_at from dynamic_call where store_id = ${storeId} order by due_at limit 1`.execute(db)
  return rows[0]?.due_at
}

/** When the next call of any store is due, by the machine's clock. The table holds open calls only. */
export const nextCall: Expression = sql`
  (select min(greatest(c.due_at - s.clock_offset_ms * interval '1 ms', c.lease_until))
     from dynamic_call c
     join store s on s.id = c.store_id)`

/** Calls of a variant that has no address any more; their deliveries wait for the seller. */
export async function deleteCallsOf(tx: Tx, storeId: number, variantId: number): Promise<void> {
  await sql`
    delete from dynamic_call c
     using delivery d
     where c.store_id = ${storeId} and d.store_id = c.store_id and d.id = c.delivery_id
       and d.variant_id = ${variantId}`.execute(tx)
}
