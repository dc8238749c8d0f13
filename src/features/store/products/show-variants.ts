import type { Db } from '../../../db/database.ts'
import { notFound, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import type { Variant } from './variant-schema.ts'

/** Returns the variants of a product, by sort order. A product has at least one. */
export async function listVariants({ db, store }: StoreContext, ref: string) {
  const variants = await q.selectVariants(db, store.id, ref)
  if (variants.length === 0) throw notFound('Product')
  return { variants }
}

export const getVariant = (
  context: StoreContext,
  ref: string,
  id: number,
): Promise<{ variant: Variant }> => readVariant(context, context.db, ref, id)

/** Returns a variant within a transaction that may have changed it. */
export async function readVariant(
  { store }: StoreContext,
  db: Db,
  ref: string | number,
  id: number,
) {
  const variants = await q.selectVariants(db, store.id, String(ref))
  return {
    variant: requireRecord(
      variants.find((item) => item.id === id),
      'Variant',
    ),
  }
}
