import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { isHeld } from './lease.ts'

/**
 * Webhook work of a store: the running attempts, and when the next retry is due, by the machine's
 * clock.
 */
export interface WebhookWork {
  running: boolean
  due: boolean
  next_due_at: string | null
}

export async function selectWebhookWork(db: Db, storeId: number): Promise<WebhookWork> {
  const { rows } = await sql<WebhookWork>`
    select exists (select from webhook_fanout where store_id = ${storeId} and ${isHeld(sql`lease_until`)})
        or exists (select from webhook_retry where store_id = ${storeId} and lease_token <> 0) as running,
           exists (select from webhook_fanout where store_id = ${storeId})
        or exists (select from webhook_retry
                    where store_id = ${storeId} and due_at <= clock_timestamp()) as due,
           (select min(due_at) from webhook_retry
             where store_id = ${storeId} and due_at > clock_timestamp() and due_at < 'infinity'
               and lease_token = 0) as next_due_at`.execute(db)
  return rows[0] ?? { running: false, due: false, next_due_at: null }
}

/** How many events and deliveries of a store are due or running. */
export async function countWebhookWork(db: Db, storeId: number): Promise<number> {
  const { rows } = await sql<{ work: number }>`
    select (select count(*) from webhook_fanout where store_id = ${storeId})
         + (select count(*) from webhook_retry
             where store_id = ${storeId} and (lease_token <> 0 or due_at <= clock_timestamp())) as work`.execute(
    db,
  )
  return rows[0]?.work ?? 0
}

/** The queue's due times are the machine's: a step of the store's clock brings them nearer (decision 41). */
export async function moveQueue(tx: Tx, storeId: number, step_ms: number): Promise<void> {
  await sql`
    update webhook_retry
       set due_at = due_at - ${step_ms} * interval '1 ms'
     where store_id = ${storeId} and lease_token = 0 and due_at < 'infinity'`.execute(tx)
}
