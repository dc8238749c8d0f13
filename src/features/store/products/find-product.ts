import type { Db, Tx } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { lockProduct, selectProductId } from './queries/products.ts'
import { selectVariants } from './queries/variants.ts'
import type { Variant } from './variant-schema.ts'

/** The numeric id of a product, by either of its names. */
export const productId = async ({ store }: StoreContext, db: Db, ref: string): Promise<number> =>
  found(await selectProductId(db, store.id, ref), 'Product')

/** The same, locked against changes of the product and of its parts. */
export const lockedProduct = async (
  { store }: StoreContext,
  tx: Tx,
  ref: string,
): Promise<number> => found(await lockProduct(tx, store.id, ref), 'Product').id

export const getVariants = ({ store }: StoreContext, db: Db, id: number): Promise<Variant[]> =>
  selectVariants(db, store.id, String(id))
