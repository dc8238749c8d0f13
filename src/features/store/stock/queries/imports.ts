import { sql } from 'kysely'
import type { Tx } from '../../../../db/database.ts'
import { removeKeys } from './keys.ts'

/** The keys that one import added. */
export interface KeyImport {
  count: number
  /** The status of a key that is no longer available, if there is one. */
  changed: string | null
  /** When the last key was added, by the store's clock. */
  last_at: string
}

/** Returns undefined if no key of the variant was added by this import. */
export async function selectImport(
  tx: Tx,
  storeId: number,
  variantId: number,
  importId: string,
): Promise<KeyImport | undefined> {
  const { rows } = await sql<KeyImport>`
    select count(*) as count, min(status) filter (where status <> 'available') as changed,
           max(created_at) as last_at
      from stock_key
     where store_id = ${storeId} and variant_id = ${variantId} and import_id = ${importId}
    having count(*) > 0`.execute(tx)
  return rows[0]
}

/** Deletes the available keys of an import, and returns their number. */
export async function deleteImport(
  tx: Tx,
  storeId: number,
  variantId: number,
  importId: string,
): Promise<number> {
  return removeKeys(
    tx,
    storeId,
    sql`
      select id from stock_key
       where store_id = ${storeId} and variant_id = ${variantId} and import_id = ${importId}
         and status = 'available'`,
  )
}
