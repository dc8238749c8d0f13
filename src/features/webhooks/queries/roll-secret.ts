import type { Tx } from '../../../db/database.ts'
import { execute, hasChanged } from '../../../db/rows.ts'

interface NewSecret {
  secret_enc: Buffer
  /** The moment until which the old secret signs too, by the clock of the machine; null if it stops now. */
  until: string | null
  /** The time from which the new secret signs, by the clock of the machine. */
  from: string
  now: string
}

/** Returns false if the endpoint does not exist or was deleted. */
export const replaceSecret = (
  tx: Tx,
  storeId: number,
  id: string,
  { secret_enc, until, from, now }: NewSecret,
) =>
  hasChanged(tx)`
    update webhook_endpoint
       set prev_secret_enc = case when ${until}::timestamptz is null then null else secret_enc end,
           prev_secret_until = ${until}::timestamptz,
           secret_enc = ${secret_enc}, secret_from = ${from},
           updated_at = ${now}
     where store_id = ${storeId} and public_id = ${id} and deleted_at is null`

/**
 * Moves the ends of overlaps when the store's clock is advanced. An overlap that is over ends now, so the requests of
 * earlier attempts are shown with both signatures.
 */
export const moveOverlaps = (tx: Tx, storeId: number, step_ms: number) =>
  execute(tx)`
    update webhook_endpoint
       set prev_secret_until = greatest(prev_secret_until - ${step_ms} * interval '1 ms', clock_timestamp())
     where store_id = ${storeId} and prev_secret_until > clock_timestamp()`
