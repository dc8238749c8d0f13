import { invalid } from '../../kernel/errors.ts'
import { unitPrice } from '../../kernel/money.ts'
import type { Shop } from '../../shop.ts'
import { type Basket, judgeCoupon } from './apply-coupon.ts'
import { type PricedItem, selectItems } from './queries.ts'
import type { CouponCheck, CouponVerdict } from './schema.ts'

/** Whether an order of these items may use a coupon, and what it would take off. Nothing is counted. */
export async function validateCoupon(
  shop: Shop,
  { code, items, email }: CouponCheck,
): Promise<CouponVerdict> {
  const lines = linesOf(await selectItems(shop.db, shop.store.id, items))
  const { reason = null, shares } = await judgeCoupon(shop, shop.db, { code, email, lines })
  const discount_cents = shares.reduce((sum, share) => sum + share, 0)
  return { valid: reason === null, reason, discount_cents }
}

/** The lines, or the first item that names nothing. */
const linesOf = (items: readonly PricedItem[]): Basket['lines'] =>
  items.map((item, at) => {
    const { product_id, variant_id } = item
    if (product_id === null) {
      throw invalid(`items[${at}].product_id`, 'There is no product with this id.')
    }
    if (variant_id === null) {
      throw invalid(`items[${at}].variant_id`, 'This product has no variant with this id.')
    }
    return { ...item, product_id, variant_id, total_cents: unitPrice(item) * item.quantity }
  })
