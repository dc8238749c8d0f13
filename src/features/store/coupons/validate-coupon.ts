import { unitPrice } from '../../../kernel/money.ts'
import type { StoreContext } from '../../../store-context.ts'
import { openBundles } from '../bundles/index.ts'
import { findSellables } from '../products/index.ts'
import { judgeCoupon } from './apply-coupon.ts'
import type { CouponCheck, CouponVerdict } from './schema.ts'

/**
 * Reports whether an order of these items may use a coupon, and its discount. No use is counted.
 */
export async function validateCoupon(
  context: StoreContext,
  { code, items, email }: CouponCheck,
): Promise<CouponVerdict> {
  const { db, store } = context
  const wanted = await openBundles(db, store.id, await findSellables(db, store.id, items))
  const lines = wanted.map((item) => ({ ...item, total_cents: unitPrice(item) * item.quantity }))
  const { reason = null, shares } = await judgeCoupon(context, db, { code, email, lines })
  const discount_cents = shares.reduce((sum, share) => sum + share, 0)
  return { valid: reason === null, reason, discount_cents }
}
