import { requireRecord } from '../../../kernel/errors.ts'
import { pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { Coupon, CouponQuery } from './schema.ts'

export async function getCoupon({ db, store }: StoreContext, id: number): Promise<Coupon> {
  return requireRecord(await q.selectCoupon(db, store.id, id), 'Coupon')
}

/** Returns a page of coupons, the newest first. */
export async function listCoupons({ db, store }: StoreContext, query: CouponQuery) {
  const { records, total } = await q.selectCoupons(db, store.id, query)
  return { coupons: records, pagination: pagination(query, total) }
}

/** Returns the sums of the discounts that coupons gave on orders. */
export const listAmounts = ({ db, store }: StoreContext, ids: readonly number[]) =>
  q.selectAmounts(db, store.id, ids)
