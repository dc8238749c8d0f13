import { sql } from 'kysely'
import { recordLock } from '../../../db/advisory-locks.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { isHeld } from './lease.ts'
import { waitingEndpoints } from './waiting.ts'

/** Slots of an endpoint: requests that may be under way at once. */
export interface EndpointSlots {
  store_id: number
  endpoint_id: number
  slots: number
}

/**
 * Until the transaction ends no other process claims deliveries. A process that freezes in between
 * loses its connection after 3 s, because all others wait for it.
 */
export async function lockClaims(tx: Tx): Promise<void> {
  await sql`
    select set_config('idle_in_transaction_session_timeout', '3s', true),
           ${recordLock('webhook_claims', sql`1`)}`.execute(tx)
}

/** Without the lock: whether a claim of events may find any. */
export async function selectAnyEvent(db: Db): Promise<boolean> {
  const { rows } = await sql`select from webhook_fanout limit 1`.execute(db)
  return rows.length > 0
}

/** Without the lock: whether a claim of retries may find any. */
export async function selectAnyRetry(db: Db): Promise<boolean> {
  const { rows } = await sql`
    with recursive ${waitingEndpoints()}
    select
      from endpoints w
     cross join lateral (
       select
         from webhook_retry
        where endpoint_id = w.endpoint_id and due_at <= clock_timestamp()
        limit 1) q
     limit 1`.execute(db)
  return rows.length > 0
}

/** Slots that other processes use. A process that died uses them until its leases end. */
export async function selectSlotsOfOthers(tx: Tx, workerId: string): Promise<EndpointSlots[]> {
  const { rows } = await sql<EndpointSlots>`
    select s.store_id, s.endpoint_id, sum(s.slots) as slots
      from webhook_worker w
     cross join unnest(w.store_ids, w.endpoint_ids, w.slots) as s(store_id, endpoint_id, slots)
     where w.id <> ${workerId} and ${isHeld(sql`w.held_until`)}
     group by s.store_id, s.endpoint_id`.execute(tx)
  return rows
}

/** Replaces the slots of this process. */
export async function saveSlots(
  db: Db,
  workerId: string,
  slots: readonly EndpointSlots[],
): Promise<void> {
  if (slots.length === 0) return deleteSlots(db, workerId)
  const used = {
    store_ids: slots.map((row) => row.store_id),
    endpoint_ids: slots.map((row) => row.endpoint_id),
    slots: slots.map((row) => row.slots),
  }
  await sql`
    insert into webhook_worker as w (id, store_ids, endpoint_ids, slots, held_until)
    values (${workerId}, ${used.store_ids}::bigint[], ${used.endpoint_ids}::bigint[],
            ${used.slots}::int[], clock_timestamp() + interval '30 s')
        on conflict (id) do update
       set store_ids = excluded.store_ids, endpoint_ids = excluded.endpoint_ids,
           slots = excluded.slots, held_until = excluded.held_until`.execute(db)
}

/** Also removes the rows of processes that died. */
async function deleteSlots(db: Db, workerId: string): Promise<void> {
  await sql`
    delete from webhook_worker
     where id = ${workerId} or not ${isHeld(sql`held_until`)}`.execute(db)
}
