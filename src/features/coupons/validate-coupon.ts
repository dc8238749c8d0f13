import { unitPrice } from '../../kernel/money.ts'
import type { Shop } from '../../shop.ts'
import { findSellables } from '../products/index.ts'
import { judgeCoupon } from './apply-coupon.ts'
import type { CouponCheck, CouponVerdict } from './schema.ts'

/** Whether an order of these items may use a coupon, and what it would take off. Nothing is counted. */
export async function validateCoupon(
  shop: Shop,
  { code, items, email }: CouponCheck,
): Promise<CouponVerdict> {
  const wanted = await findSellables(shop.db, shop.store.id, items)
  const lines = wanted.map((one) => ({ ...one, total_cents: unitPrice(one) * one.quantity }))
  const { reason = null, shares } = await judgeCoupon(shop, shop.db, { code, email, lines })
  const discount_cents = shares.reduce((sum, share) => sum + share, 0)
  return { valid: reason === null, reason, discount_cents }
}
