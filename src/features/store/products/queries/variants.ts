import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { named } from '../../../../db/named.ts'
import type { Dimensions, Variant, VariantPatch } from '../variant-schema.ts'
import type { VariantRow } from '../variants.rules.ts'
import { VARIANT } from './sections.ts'

/** The variants of a product by sort order; empty if there is no such product. */
export async function selectVariants(db: Db, storeId: number, ref: string): Promise<Variant[]> {
  const { rows } = await sql<{ variant: Variant }>`
    select ${VARIANT} as variant
      from product p
      join variant v on v.store_id = p.store_id and v.product_id = p.id and v.deleted_at is null
      join stock s on s.store_id = v.store_id and s.variant_id = v.id
     where p.store_id = ${storeId} and ${named('p', ref)} and p.deleted_at is null
     order by v.sort_order, v.id`.execute(db)
  return rows.map(({ variant }) => variant)
}

/** Writes variants with their stock counters. A manual quantity becomes what is on hand. */
export async function insertVariants(
  tx: Tx,
  storeId: number,
  productId: number,
  { created_at, variants }: { created_at: string; variants: readonly VariantRow[] },
): Promise<number[]> {
  const rows = variants.map(({ stock_quantity: _, ...variant }) => ({
    ...variant,
    store_id: storeId,
    product_id: productId,
    created_at,
    updated_at: created_at,
  }))
  const made = await tx.insertInto('variant').values(rows).returning(['id', 'slug']).execute()
  const stock = made.map(({ id, slug }) => ({
    store_id: storeId,
    variant_id: id,
    on_hand: variants.find((variant) => variant.slug === slug)?.stock_quantity ?? 0,
  }))
  await tx.insertInto('stock').values(stock).execute()
  return made.map(({ id }) => id)
}

export async function updateVariant(
  tx: Tx,
  storeId: number,
  id: number,
  { updated_at, ...fields }: Omit<VariantPatch, 'stock_quantity'> & { updated_at: string },
): Promise<void> {
  await tx
    .updateTable('variant')
    .set((row) => ({
      ...fields,
      updated_at: sql<string>`greatest(${row.ref('updated_at')}, ${updated_at})`,
    }))
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute()
}

/** There is one default at a time, so the former one gives way first. */
export async function demoteDefault(
  tx: Tx,
  storeId: number,
  productId: number,
  updated_at: string,
): Promise<void> {
  await sql`
    update variant
       set is_default = false, updated_at = greatest(updated_at, ${updated_at})
     where store_id = ${storeId} and product_id = ${productId} and is_default
       and deleted_at is null`.execute(tx)
}

/** The product's price is its default variant's, so it follows it (decision 27). */
export async function copyDefaultPrice(
  tx: Tx,
  storeId: number,
  productId: number,
  updated_at: string,
): Promise<void> {
  await sql`
    update product p
       set price_cents = v.price_cents, updated_at = greatest(p.updated_at, ${updated_at})
      from variant v
     where p.store_id = ${storeId} and p.id = ${productId}
       and v.store_id = p.store_id and v.product_id = p.id and v.is_default and v.deleted_at is null
       and v.price_cents <> p.price_cents`.execute(tx)
}

export async function deleteVariant(
  tx: Tx,
  storeId: number,
  id: number,
  now: string,
): Promise<void> {
  await sql`
    update variant
       set deleted_at = ${now}, is_default = false, updated_at = greatest(updated_at, ${now})
     where store_id = ${storeId} and id = ${id}`.execute(tx)
}

/** Gives the variants their places, in the order of the ids. */
export async function placeVariants(
  tx: Tx,
  storeId: number,
  { ids, updated_at }: { ids: readonly number[]; updated_at: string },
): Promise<void> {
  await sql`
    update variant v
       set sort_order = o.place - 1, updated_at = greatest(v.updated_at, ${updated_at})
      from unnest(${ids}::bigint[]) with ordinality as o(id, place)
     where v.store_id = ${storeId} and v.id = o.id and v.sort_order <> o.place - 1`.execute(tx)
}

const SIZES = ['length_cm', 'width_cm', 'height_cm'] as const

export const selectDimensions = (db: Db, storeId: number, variantId: number) =>
  db
    .selectFrom('variant')
    .select(SIZES)
    .where('store_id', '=', storeId)
    .where('id', '=', variantId)
    .executeTakeFirstOrThrow()

export const updateDimensions = (tx: Tx, storeId: number, variantId: number, sizes: Dimensions) =>
  tx
    .updateTable('variant')
    .set(sizes)
    .where('store_id', '=', storeId)
    .where('id', '=', variantId)
    .returning(SIZES)
    .executeTakeFirstOrThrow()

/** The product's price is its default variant's (decision 27). */
export async function updateDefaultPrice(
  tx: Tx,
  storeId: number,
  productId: number,
  { price_cents, updated_at }: { price_cents: number; updated_at: string },
): Promise<void> {
  await sql`
    update variant
       set price_cents = ${price_cents}, updated_at = greatest(updated_at, ${updated_at})
     where store_id = ${storeId} and product_id = ${productId} and is_default
       and deleted_at is null`.execute(tx)
}
