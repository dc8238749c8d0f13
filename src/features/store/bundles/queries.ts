import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { allRows } from '../../../db/rows.ts'
import type { BundleItem } from './schema.ts'

/** The fields of a product that decide whether it can be a bundle. */
export interface BundleProduct {
  hash_id: string
  product_kind: string
  sell_limit: number | null
}

export async function selectBundleProduct(
  db: Db,
  storeId: number,
  id: number,
): Promise<BundleProduct | undefined> {
  return db
    .selectFrom('product')
    .select(['hash_id', 'product_kind', 'sell_limit'])
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns the contents of a bundle, by position. */
export const selectItems = (db: Db, storeId: number, productId: number) =>
  allRows<BundleItem>(db)`
    select p.hash_id as product_id, p.name as product_name, v.id as variant_id,
           v.name as variant_name, b.quantity
      from bundle_item b
      join variant v on v.store_id = b.store_id and v.id = b.variant_id
      join product p on p.store_id = v.store_id and p.id = v.product_id
     where b.store_id = ${storeId} and b.product_id = ${productId}
     order by b.position`

/** A variant in a bundle. `product_id` is the hash of its product. */
interface BundleVariant {
  bundle_id: number
  product_id: string
  variant_id: number
  quantity: number
}

/** Returns the contents of bundles, each by position. */
export const selectContents = (db: Db, storeId: number, bundleIds: readonly number[]) =>
  allRows<BundleVariant>(db)`
    select b.product_id as bundle_id, p.hash_id as product_id, b.variant_id, b.quantity
      from bundle_item b
      join variant v on v.store_id = b.store_id and v.id = b.variant_id
      join product p on p.store_id = v.store_id and p.id = v.product_id
     where b.store_id = ${storeId} and b.product_id = any(${bundleIds}::bigint[])
     order by b.product_id, b.position`

/** A variant that a bundle may contain, if `product_kind` is `single`. */
interface CandidateVariant {
  id: number
  product_kind: string
  product_name: string
}

export const selectCandidates = (db: Db, storeId: number, variantIds: readonly number[]) =>
  allRows<CandidateVariant>(db)`
    select v.id, p.product_kind, p.name as product_name
      from variant v
      join product p on p.store_id = v.store_id and p.id = v.product_id
     where v.store_id = ${storeId} and v.id = any(${variantIds}::bigint[])
       and v.deleted_at is null and p.deleted_at is null`

/** Replaces the contents of a bundle. */
export async function replaceItems(
  tx: Tx,
  storeId: number,
  productId: number,
  items: readonly { variant_id: number; quantity: number }[],
): Promise<void> {
  await sql`
    delete from bundle_item where store_id = ${storeId} and product_id = ${productId}`.execute(tx)
  await sql`
    insert into bundle_item (store_id, product_id, position, variant_id, quantity)
    select ${storeId}, ${productId}, i.position, i.variant_id, i.quantity
      from unnest(${items.map((item) => item.variant_id)}::bigint[],
                  ${items.map((item) => item.quantity)}::integer[])
             with ordinality as i(variant_id, quantity, position)`.execute(tx)
}
