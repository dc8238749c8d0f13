import { sql } from 'kysely'
import { recordLock } from '../../../db/advisory-locks.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { allRows, execute, hasRows } from '../../../db/rows.ts'
import { isLeased } from './lease.ts'
import { pendingEndpoints } from './pending.ts'

/** The slots of an endpoint: requests that may run at once. */
export interface EndpointSlots {
  store_id: number
  endpoint_id: number
  slots: number
}

/**
 * Prevents claims by other processes until the transaction ends. They wait, so a process that freezes
 * meanwhile loses its connection after 3 s.
 */
export const lockClaims = (tx: Tx) =>
  execute(tx)`
    select set_config('idle_in_transaction_session_timeout', '3s', true),
           ${recordLock('webhook_claims', sql`1`)}`

/** Returns true if a claim may find events. Takes no lock. */
export const selectAnyEvent = (db: Db) => hasRows(db)`select from webhook_fanout limit 1`

/** Returns true if a claim may find retries. Takes no lock. */
export const selectAnyRetry = (db: Db) =>
  hasRows(db)`
    with recursive ${pendingEndpoints()}
    select
      from endpoints w
     cross join lateral (
       select
         from webhook_retry
        where endpoint_id = w.endpoint_id and due_at <= clock_timestamp()
        limit 1) retry
     limit 1`

/** Returns the slots that other processes use. A process that died uses its slots until its leases end. */
export const selectSlotsOfOthers = (tx: Tx, workerId: string) =>
  allRows<EndpointSlots>(tx)`
    select s.store_id, s.endpoint_id, sum(s.slots) as slots
      from webhook_worker w
     cross join unnest(w.store_ids, w.endpoint_ids, w.slots) as s(store_id, endpoint_id, slots)
     where w.id <> ${workerId} and ${isLeased(sql`w.held_until`)}
     group by s.store_id, s.endpoint_id`

/** Replaces the slots of this process. */
export async function saveSlots(
  db: Db,
  workerId: string,
  slots: readonly EndpointSlots[],
): Promise<void> {
  if (slots.length === 0) return deleteSlots(db, workerId)
  const columns = {
    store_ids: slots.map((row) => row.store_id),
    endpoint_ids: slots.map((row) => row.endpoint_id),
    slots: slots.map((row) => row.slots),
  }
  await sql`
    insert into webhook_worker as w (id, store_ids, endpoint_ids, slots, held_until)
    values (${workerId}, ${columns.store_ids}::bigint[], ${columns.endpoint_ids}::bigint[],
            ${columns.slots}::int[], clock_timestamp() + interval '30 s')
        on conflict (id) do update
       set store_ids = excluded.store_ids, endpoint_ids = excluded.endpoint_ids,
           slots = excluded.slots, held_until = excluded.held_until`.execute(db)
}

/** Deletes the slots of this process, and those of processes that died. */
const deleteSlots = (db: Db, workerId: string) =>
  execute(db)`
    delete from webhook_worker
     where id = ${workerId} or not ${isLeased(sql`held_until`)}`
