import { type RawBuilder, sql } from 'kysely'

/**
 * Moves the newest attempt of deliveries, which stands in their own row, into the history: the row is
 * about to tell of the next one. `narrowed` joins the deliveries `d` with what is written down of them.
 */
export const keepAttempts = (narrowed: RawBuilder<unknown>) => sql`
      insert into webhook_attempt (store_id, delivery_id, attempt, status_code, error, duration_ms,
                                   response_body, manual, worker_lost, created_at)
      select d.store_id, d.id, d.attempts, d.status_code, d.error, d.duration_ms, d.response_body,
             d.manual, d.worker_lost, d.attempted_at
        from webhook_delivery d
        ${narrowed}
       where d.attempts > 0
          on conflict do nothing`
