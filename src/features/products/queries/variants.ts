import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { VariantRow } from '../variants.rules.ts'

/** Writes variants with their stock counters. A manual quantity becomes what is on hand. */
export async function insertVariants(
  tx: Tx,
  storeId: number,
  productId: number,
  { created_at, variants }: { created_at: string; variants: readonly VariantRow[] },
): Promise<void> {
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
}

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
