import { sql } from 'kysely'
import type { Db, Expression, Tx } from '../../../db/database.ts'
import { allRows, execute, firstRow } from '../../../db/rows.ts'

/** The facts about a provider that a store has seen. */
interface ProviderFacts {
  provider: string
  account: string | null
  /** `failing` if the provider refused the credentials in the last call. */
  status: 'connected' | 'failing'
  last_checked_at: string | null
  last_callback_at: string | null
  last_error: string | null
}

export const selectFacts = (db: Db, storeId: number) =>
  allRows<ProviderFacts>(db)`
    select provider, account, status, last_checked_at, last_callback_at, last_error
      from payment_provider
     where store_id = ${storeId}`

interface NewConnectionRow {
  provider: string
  account: string | null
  credentials_enc: Buffer | null
  now: string
}

/** Records that a provider has accepted credentials, which replace earlier ones. */
export const upsertConnection = (tx: Tx, storeId: number, row: NewConnectionRow) =>
  execute(tx)`
    insert into payment_provider (store_id, provider, account, credentials_enc, last_checked_at)
    values (${storeId}, ${row.provider}, ${row.account}, ${row.credentials_enc}, ${row.now})
        on conflict (store_id, provider) do update
       set account = excluded.account, credentials_enc = excluded.credentials_enc, status = 'connected',
           last_checked_at = excluded.last_checked_at, last_error = null`

export const selectCredentials = (db: Db, storeId: number, provider: string) =>
  firstRow<{ credentials_enc: Buffer; status: ProviderFacts['status'] }>(db)`
    select credentials_enc, status
      from payment_provider
     where store_id = ${storeId} and provider = ${provider} and credentials_enc is not null`

/** Records that a provider has refused the credentials, or accepts them again if `last_error` is null. */
export const updateHealth = (
  tx: Tx,
  storeId: number,
  provider: string,
  { last_error, now }: { last_error: string | null; now: string },
) =>
  execute(tx)`
    update payment_provider
       set status = case when ${last_error}::text is null then 'connected' else 'failing' end,
           last_checked_at = case when ${last_error}::text is null then ${now} else last_checked_at end,
           last_error = ${last_error}
     where store_id = ${storeId} and provider = ${provider}`

export const deleteFacts = (tx: Tx, storeId: number, provider: string) =>
  execute(tx)`
    delete from payment_provider where store_id = ${storeId} and provider = ${provider}`

/** The SQL that records the time of a callback. Within a minute it is recorded once, so that callbacks do not wait for each other. */
export const callbackTime = (storeId: number, provider: string, now: string): Expression => sql`
  insert into payment_provider as p (store_id, provider, last_callback_at)
  select ${storeId}, ${provider}, ${now}::timestamptz
   where not exists (select from payment_provider r
                      where r.store_id = ${storeId} and r.provider = ${provider}
                        and r.last_callback_at >= ${now}::timestamptz - interval '1 minute')
      on conflict (store_id, provider) do update
     set last_callback_at = excluded.last_callback_at`
