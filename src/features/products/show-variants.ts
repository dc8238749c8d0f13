import type { Db } from '../../db/database.ts'
import { found, notFound } from '../../kernel/errors.ts'
import type { Shop } from '../../shop.ts'
import { selectVariants } from './queries/variants.ts'
import type { Variant } from './variant-schema.ts'

/** All variants of a product, by sort order. There is always one. */
export async function listVariants(
  { db, store }: Shop,
  ref: string,
): Promise<{ variants: Variant[] }> {
  const variants = await selectVariants(db, store.id, ref)
  if (variants.length === 0) throw notFound('Product')
  return { variants }
}

export const getVariant = (shop: Shop, ref: string, id: number): Promise<{ variant: Variant }> =>
  readVariant(shop, shop.db, ref, id)

/** The same in a transaction that changed it. */
export async function readVariant(
  { store }: Shop,
  db: Db,
  ref: string | number,
  id: number,
): Promise<{ variant: Variant }> {
  const variants = await selectVariants(db, store.id, String(ref))
  return {
    variant: found(
      variants.find((one) => one.id === id),
      'Variant',
    ),
  }
}
