import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { allRows, firstRow } from '../../../../db/rows.ts'
import type { ImportedStockKeys } from '../schema.ts'
import { deleteKeysInBatches } from './keys.ts'

/** A summary of the keys that one import added. */
export interface KeyImport {
  count: number
  /** The status of a key that is no longer available; null if all are available. */
  changed_status: string | null
  /** The time at which the last key was added, by the store's clock. */
  last_at: string
}

/** Returns a summary of an import; undefined if it added no key to the variant. */
export const selectImport = (tx: Tx, storeId: number, variantId: number, importId: string) =>
  firstRow<KeyImport>(tx)`
    select count(*) as count, min(status) filter (where status <> 'available') as changed_status,
           max(created_at) as last_at
      from stock_key
     where store_id = ${storeId} and variant_id = ${variantId} and import_id = ${importId}
    having count(*) > 0`

const IMPORTS_SHOWN = 25

/** Returns the newest batches of a variant, with the numbers of their keys by status. */
export const selectImports = (db: Db, storeId: number, variantId: number) =>
  allRows<ImportedStockKeys>(db)`
    select nullif(import_id, '') as import_id, added_at, count, available, sold
      from stock_key_batch
     where store_id = ${storeId} and variant_id = ${variantId} and count > 0
     order by last_id desc
     limit ${sql.lit(IMPORTS_SHOWN)}`

/** Deletes the available keys of an import, and returns their number. */
export async function deleteImport(
  tx: Tx,
  storeId: number,
  variantId: number,
  importId: string,
): Promise<number> {
  return deleteKeysInBatches(
    tx,
    storeId,
    sql`
      select id from stock_key
       where store_id = ${storeId} and variant_id = ${variantId} and import_id = ${importId}
         and status = 'available'`,
  )
}
