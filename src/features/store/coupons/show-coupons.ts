import { found } from '../../../kernel/errors.ts'
import { type Pagination, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectCoupon, selectCoupons } from './queries.ts'
import type { Coupon, CouponQuery } from './schema.ts'

export async function getCoupon({ db, store }: StoreContext, id: number): Promise<Coupon> {
  return found(await selectCoupon(db, store.id, id), 'Coupon')
}

/** A page of coupons, the newest first. */
export async function listCoupons(
  { db, store }: StoreContext,
  query: CouponQuery,
): Promise<{ coupons: Coupon[]; pagination: Pagination }> {
  const { coupons, total } = await selectCoupons(db, store.id, query)
  return { coupons, pagination: pagination(query, total) }
}
