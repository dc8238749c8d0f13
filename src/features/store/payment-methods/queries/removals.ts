import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { type DuePage, dueRows, nextDue, storeTime, type TimedRows } from '../../../../db/due.ts'
import { allRows, execute, send } from '../../../../db/rows.ts'

/** A saved method that is not used any more, which its provider has to delete. */
export interface MethodRemoval {
  store_id: number
  id: number
  provider: string
  external_id: string
}

/** Deletes the methods of customers, and has their providers delete them after the commit. */
export const removeMethodsOf = (
  tx: Tx,
  storeId: number,
  { customerIds, now }: { customerIds: readonly number[]; now: string },
) =>
  send(tx)`
    with deleted as (
      delete from payment_method
       where store_id = ${storeId} and customer_id = any(${customerIds}::bigint[])
      returning store_id, provider, external_id
    )
    insert into method_removal (store_id, provider, external_id, due_at)
    select store_id, provider, external_id, ${now} from deleted`

/** Has a provider delete a method that was saved there and is not used. */
export const insertRemoval = (
  tx: Tx,
  storeId: number,
  { provider, external_id, now }: { provider: string; external_id: string; now: string },
) =>
  execute(tx)`
    insert into method_removal (store_id, provider, external_id, due_at)
    values (${storeId}, ${provider}, ${external_id}, ${now})`

/** The wait before a provider is asked again: a minute, and twice as long after each further call, up to a day. */
const WAIT = sql`least(interval '1 minute' * 2 ^ least(r.attempts, 11), interval '1 day')`

const REMOVED: TimedRows = {
  from: sql`method_removal r`,
  store_id: sql`r.store_id`,
  due_at: sql`r.due_at`,
}

/** Returns removals that are due, and sets the time of the next attempt, so that no other process makes one. */
export const claimRemovals = (db: Db, page: DuePage) =>
  allRows<MethodRemoval>(db)`
    with due as materialized (
      ${dueRows(REMOVED, sql`r.store_id, r.id, r.due_at`, page)}
    )
    update method_removal r set attempts = r.attempts + 1, due_at = ${storeTime(page.now)} + ${WAIT}
      from due, store
     where r.store_id = due.store_id and r.id = due.id and r.due_at = due.due_at and store.id = r.store_id
    returning r.store_id, r.id, r.provider, r.external_id`

export const nextRemoval = nextDue(REMOVED)

export const deleteRemoval = (db: Db, { store_id, id }: MethodRemoval) =>
  execute(db)`
    delete from method_removal where store_id = ${store_id} and id = ${id}`
