import type { Db, Tx } from '../../../../db/database.ts'
import { updateRecord } from '../../../../db/records.ts'
import { hasRef } from '../../../../db/refs.ts'
import { allValues, execute, hasChanged } from '../../../../db/rows.ts'
import type { Dimensions, Variant, VariantPatch } from '../variant-schema.ts'
import type { VariantRow } from '../variants.rules.ts'
import { VARIANT } from './sections.ts'

/** Returns the variants of a product by sort order; none if the product does not exist. */
export const selectVariants = (db: Db, storeId: number, ref: string) =>
  allValues<Variant>(db)`
    select ${VARIANT} as variant
      from product p
      join variant v on v.store_id = p.store_id and v.product_id = p.id and v.deleted_at is null
      join stock s on s.store_id = v.store_id and s.variant_id = v.id
     where p.store_id = ${storeId} and ${hasRef('p', ref)} and p.deleted_at is null
     order by v.sort_order, v.id`

/** Inserts variants with their stock counters, and returns their ids. */
export async function insertVariants(
  tx: Tx,
  storeId: number,
  productId: number,
  { created_at, variants }: { created_at: string; variants: readonly VariantRow[] },
): Promise<number[]> {
  const rows = variants.map(({ stock_quantity, ...variant }) => ({
    ...variant,
    store_id: storeId,
    product_id: productId,
    created_at,
    updated_at: created_at,
  }))
  const insertedVariants = await tx
    .insertInto('variant')
    .values(rows)
    .returning(['id', 'slug'])
    .execute()
  const stockRows = insertedVariants.map(({ id, slug }) => ({
    store_id: storeId,
    variant_id: id,
    on_hand: variants.find((variant) => variant.slug === slug)?.stock_quantity ?? 0,
  }))
  await tx.insertInto('stock').values(stockRows).execute()
  return insertedVariants.map(({ id }) => id)
}

export const updateVariant = (
  tx: Tx,
  storeId: number,
  id: number,
  columns: Omit<VariantPatch, 'stock_quantity'> & { updated_at: string },
) => updateRecord(tx, 'variant', { storeId, id }, columns)

/** Unsets the default variant. A unique index allows one, so this precedes setting another. */
export const demoteDefault = (tx: Tx, storeId: number, productId: number, updated_at: string) =>
  execute(tx)`
    update variant
       set is_default = false, updated_at = greatest(updated_at, ${updated_at})
     where store_id = ${storeId} and product_id = ${productId} and is_default
       and deleted_at is null`

/** Sets the price of a product to the price of its default variant (decision 27). */
export const copyDefaultPrice = (tx: Tx, storeId: number, productId: number, updated_at: string) =>
  execute(tx)`
    update product p
       set price_cents = v.price_cents, updated_at = greatest(p.updated_at, ${updated_at})
      from variant v
     where p.store_id = ${storeId} and p.id = ${productId}
       and v.store_id = p.store_id and v.product_id = p.id and v.is_default and v.deleted_at is null
       and v.price_cents <> p.price_cents`

export const deleteVariant = (tx: Tx, storeId: number, id: number, now: string) =>
  execute(tx)`
    update variant
       set deleted_at = ${now}, is_default = false, updated_at = greatest(updated_at, ${now})
     where store_id = ${storeId} and id = ${id}`

/** Sets the positions of variants, in the sequence of the ids. Returns false if they have them already. */
export const setVariantPositions = (
  tx: Tx,
  storeId: number,
  { ids, updated_at }: { ids: readonly number[]; updated_at: string },
) =>
  hasChanged(tx)`
    update variant v
       set sort_order = i.position - 1, updated_at = greatest(v.updated_at, ${updated_at})
      from unnest(${ids}::bigint[]) with ordinality as i(id, position)
     where v.store_id = ${storeId} and v.id = i.id and v.sort_order <> i.position - 1`

const DIMENSIONS = ['length_cm', 'width_cm', 'height_cm'] as const

export const lockDimensions = (tx: Tx, storeId: number, variantId: number) =>
  tx
    .selectFrom('variant')
    .select(DIMENSIONS)
    .where('store_id', '=', storeId)
    .where('id', '=', variantId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

export const selectDimensions = (db: Db, storeId: number, variantId: number) =>
  db
    .selectFrom('variant')
    .select(DIMENSIONS)
    .where('store_id', '=', storeId)
    .where('id', '=', variantId)
    .executeTakeFirstOrThrow()

export const updateDimensions = (
  tx: Tx,
  storeId: number,
  variantId: number,
  dimensions: Dimensions,
) =>
  tx
    .updateTable('variant')
    .set(dimensions)
    .where('store_id', '=', storeId)
    .where('id', '=', variantId)
    .returning(DIMENSIONS)
    .executeTakeFirstOrThrow()

/** Sets the price of the default variant to the new price of its product (decision 27). */
export const updateDefaultPrice = (
  tx: Tx,
  storeId: number,
  productId: number,
  { price_cents, updated_at }: { price_cents: number; updated_at: string },
) =>
  execute(tx)`
    update variant
       set price_cents = ${price_cents}, updated_at = greatest(updated_at, ${updated_at})
     where store_id = ${storeId} and product_id = ${productId} and is_default
       and deleted_at is null and price_cents <> ${price_cents}`
