import { type RawBuilder, sql } from 'kysely'

/**
 * Copies the newest attempt of deliveries from their own rows to the history, because the next attempt
 * overwrites it. `narrowed` joins the deliveries `d` with the results that are recorded.
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
