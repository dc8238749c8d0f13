import { unitPrice } from '../../../kernel/money.ts'
import type { StoreContext } from '../../../store-context.ts'
import { expandBundles } from '../bundles/index.ts'
import { findSellables } from '../products/index.ts'
import { evaluateCoupon } from './apply-coupon.ts'
import type { CouponCheck, CouponVerdict } from './schema.ts'

/** Returns whether an order of these items can use a coupon, and the discount. Counts no use. */
export async function validateCoupon(
  context: StoreContext,
  { code, items, email }: CouponCheck,
): Promise<CouponVerdict> {
  const { db, store } = context
  const sellables = await expandBundles(db, store.id, await findSellables(db, store.id, items))
  const lines = sellables.map((item) => ({ ...item, total_cents: unitPrice(item) * item.quantity }))
  const { reason = null, shares } = await evaluateCoupon(context, db, { code, email, lines })
  const discount_cents = shares.reduce((sum, share) => sum + share, 0)
  return { valid: reason === null, reason, discount_cents }
}
