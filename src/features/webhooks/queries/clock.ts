import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { execute, onlyRow, onlyValue } from '../../../db/rows.ts'
import { isLeased } from './lease.ts'

/** The webhook work of a store. `next_due_at` is the next due time of a retry by the machine's clock. */
export interface WebhookWork {
  running: boolean
  due: boolean
  next_due_at: string | null
}

export const selectWebhookWork = (db: Db, storeId: number) =>
  onlyRow<WebhookWork>(db)`
    select exists (select from webhook_fanout where store_id = ${storeId} and ${isLeased(sql`lease_until`)})
        or exists (select from webhook_retry where store_id = ${storeId} and lease_token <> 0) as running,
           exists (select from webhook_fanout where store_id = ${storeId})
        or exists (select from webhook_retry
                    where store_id = ${storeId} and due_at <= clock_timestamp()) as due,
           (select min(due_at) from webhook_retry
             where store_id = ${storeId} and due_at > clock_timestamp() and due_at < 'infinity'
               and lease_token = 0) as next_due_at`

/** Counts the events and deliveries of a store that are due or running. */
export const countWebhookWork = (db: Db, storeId: number) =>
  onlyValue<number>(db)`
    select (select count(*) from webhook_fanout where store_id = ${storeId})
         + (select count(*) from webhook_retry
             where store_id = ${storeId} and (lease_token <> 0 or due_at <= clock_timestamp())) as work`

/** Moves the due times of retries when the store's clock is advanced. They are machine times (decision 41). */
export const moveQueue = (tx: Tx, storeId: number, step_ms: number) =>
  execute(tx)`
    update webhook_retry
       set due_at = due_at - ${step_ms} * interval '1 ms'
     where store_id = ${storeId} and lease_token = 0 and due_at < 'infinity'`
