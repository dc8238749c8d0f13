import { inTransaction } from '../../../db/database.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'

/** Deletes a coupon. Orders that use it keep their discount. */
export function deleteCoupon({ db, store }: StoreContext, id: number) {
  return inTransaction(db, async (tx) => {
    if (!(await q.deleteCoupon(tx, store.id, id))) throw notFound('Coupon')
    return { deleted: true as const, id }
  })
}
