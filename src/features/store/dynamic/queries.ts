import type { Db, Tx } from '../../../db/database.ts'
import { firstRow } from '../../../db/rows.ts'
import type { DynamicAddress } from './schema.ts'

const NO_ADDRESS: DynamicAddress = { url: null, created_at: null, updated_at: null }

export async function selectAddress(
  db: Db,
  storeId: number,
  variantId: number,
): Promise<DynamicAddress> {
  const row = await db
    .selectFrom('variant_dynamic')
    .select(['url', 'created_at', 'updated_at'])
    .where('store_id', '=', storeId)
    .where('variant_id', '=', variantId)
    .executeTakeFirst()
  return row ?? NO_ADDRESS
}

/**
 * Sets the address. An existing address is replaced, and its secret is not changed. `is_new` is true if
 * there was none. Returns undefined if the variant has this address already.
 */
export const upsertAddress = (
  tx: Tx,
  storeId: number,
  variantId: number,
  { url, secret_enc, now }: { url: string; secret_enc: Buffer; now: string },
) =>
  firstRow<{ is_new: boolean }>(tx)`
    insert into variant_dynamic as d (store_id, variant_id, url, secret_enc, created_at, updated_at)
    values (${storeId}, ${variantId}, ${url}, ${secret_enc}, ${now}, ${now})
        on conflict (store_id, variant_id) do update
       set url = excluded.url, updated_at = greatest(d.updated_at, excluded.updated_at)
     where d.url <> excluded.url
    returning xmax = 0 as is_new`

/** Deletes the address. Returns false if there was none. */
export async function deleteAddress(tx: Tx, storeId: number, variantId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('variant_dynamic')
    .where('store_id', '=', storeId)
    .where('variant_id', '=', variantId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
