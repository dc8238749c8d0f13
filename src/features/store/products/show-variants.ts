import type { Db } from '../../../db/database.ts'
import { found, notFound } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectVariants } from './queries/variants.ts'
import type { Variant } from './variant-schema.ts'

/** All variants of a product, by sort order. There is always one. */
export async function listVariants(
  { db, store }: StoreContext,
  ref: string,
): Promise<{ variants: Variant[] }> {
  const variants = await selectVariants(db, store.id, ref)
  if (variants.length === 0) throw notFound('Product')
  return { variants }
}

export const getVariant = (
  context: StoreContext,
  ref: string,
  id: number,
): Promise<{ variant: Variant }> => readVariant(context, context.db, ref, id)

/** The same in a transaction that changed it. */
export async function readVariant(
  { store }: StoreContext,
  db: Db,
  ref: string | number,
  id: number,
): Promise<{ variant: Variant }> {
  const variants = await selectVariants(db, store.id, String(ref))
  return {
    variant: found(
      variants.find((item) => item.id === id),
      'Variant',
    ),
  }
}
