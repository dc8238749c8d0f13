import { notFound, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'

export async function deleteAlert({ db, store }: StoreContext, ref: string, id: number) {
  const product = requireRecord(await q.selectProduct(db, store.id, ref), 'Product')
  if (!(await q.deleteAlert(db, store.id, product.id, id))) throw notFound('Stock alert')
  return { deleted: true as const, id }
}
