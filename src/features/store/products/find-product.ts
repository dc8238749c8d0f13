import type { Db, Tx } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import type { Variant } from './variant-schema.ts'

/** Returns the numeric id of a product by its hash or its numeric id. */
export const findProductId = async (
  { store }: StoreContext,
  db: Db,
  ref: string,
): Promise<number> => requireRecord(await q.selectProductId(db, store.id, ref), 'Product')

/** Locks a product against changes of it and its variants, and returns its numeric id. */
export const lockProductByRef = async (
  { store }: StoreContext,
  tx: Tx,
  ref: string,
): Promise<number> => requireRecord(await q.lockProduct(tx, store.id, ref), 'Product').id

export const getVariants = ({ store }: StoreContext, db: Db, id: number): Promise<Variant[]> =>
  q.selectVariants(db, store.id, String(id))
