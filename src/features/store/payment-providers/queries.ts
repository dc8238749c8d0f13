import type { Db, Tx } from '../../../db/database.ts'
import { allRows, execute, send } from '../../../db/rows.ts'

/** The facts about a provider that a store has seen. */
export interface ProviderFacts {
  provider: string
  last_checked_at: string | null
  last_callback_at: string | null
  last_error: string | null
}

export const selectFacts = (db: Db, storeId: number) =>
  allRows<ProviderFacts>(db)`
    select provider, last_checked_at, last_callback_at, last_error
      from payment_provider
     where store_id = ${storeId}`

/** Records that a provider has accepted the credentials. */
export const upsertCheck = (tx: Tx, storeId: number, provider: string, now: string) =>
  execute(tx)`
    insert into payment_provider (store_id, provider, last_checked_at)
    values (${storeId}, ${provider}, ${now})
        on conflict (store_id, provider) do update
       set last_checked_at = excluded.last_checked_at, last_error = null`

export const deleteFacts = (tx: Tx, storeId: number, provider: string) =>
  execute(tx)`
    delete from payment_provider where store_id = ${storeId} and provider = ${provider}`

/** Records the time of a callback. Within a minute it is recorded once, so that callbacks do not wait for each other. */
export const upsertCallbackTime = (tx: Tx, storeId: number, provider: string, now: string) =>
  send(tx)`
    insert into payment_provider as p (store_id, provider, last_callback_at)
    values (${storeId}, ${provider}, ${now})
        on conflict (store_id, provider) do update
       set last_callback_at = excluded.last_callback_at
     where p.last_callback_at is null
        or p.last_callback_at < excluded.last_callback_at - interval '1 minute'`
