import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'

interface Rolled {
  secret_enc: Buffer
  /** Until when the old secret signs too; null if it stops now. */
  until: string | null
  now: string
}

/** Returns false if the endpoint does not exist or was deleted. */
export async function replaceSecret(
  tx: Tx,
  storeId: number,
  id: string,
  { secret_enc, until, now }: Rolled,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update webhook_endpoint
       set prev_secret_enc = case when ${until}::timestamptz is null then null else secret_enc end,
           prev_secret_until = ${until}::timestamptz,
           secret_enc = ${secret_enc},
           updated_at = ${now}
     where store_id = ${storeId} and public_id = ${id} and deleted_at is null`.execute(tx)
  return numAffectedRows === 1n
}
