import { type RawBuilder, sql } from 'kysely'

/**
 * Copies the newest attempt of deliveries from their rows to the history, before the next attempt
 * overwrites it. `join` restricts the deliveries `d` to those with a new result.
 */
export const archiveAttempts = (join: RawBuilder<unknown>) => sql`
      insert into webhook_attempt (store_id, delivery_id, attempt, status_code, error, duration_ms,
                                   response_body, signed_at, manual, worker_lost, created_at)
      select d.store_id, d.id, d.attempts, d.status_code, d.error, d.duration_ms, d.response_body,
             d.signed_at, d.manual, d.worker_lost, d.attempted_at
        from webhook_delivery d
        ${join}
       where d.attempts > 0
          on conflict do nothing`
