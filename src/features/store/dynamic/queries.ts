import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { DynamicAddress } from './schema.ts'

const NONE: DynamicAddress = { url: null, created_at: null, updated_at: null }

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
  return row ?? NONE
}

/** Sets the address. The secret is that of the first address, until it is deleted. */
export async function upsertAddress(
  tx: Tx,
  storeId: number,
  variantId: number,
  { url, secret_enc, now }: { url: string; secret_enc: Buffer; now: string },
): Promise<{ isNew: boolean }> {
  const { rows } = await sql<{ isNew: boolean }>`
    insert into variant_dynamic as d (store_id, variant_id, url, secret_enc, created_at, updated_at)
    values (${storeId}, ${variantId}, ${url}, ${secret_enc}, ${now}, ${now})
        on conflict (store_id, variant_id) do update
       set url = excluded.url, updated_at = greatest(d.updated_at, excluded.updated_at)
    returning xmax = 0 as "isNew"`.execute(tx)
  return { isNew: rows[0]?.isNew ?? false }
}

export async function deleteAddress(tx: Tx, storeId: number, variantId: number): Promise<void> {
  await tx
    .deleteFrom('variant_dynamic')
    .where('store_id', '=', storeId)
    .where('variant_id', '=', variantId)
    .execute()
}
