import type { Db } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { expandBundles } from '../bundles/index.ts'
import { couponRefusal, evaluateCoupon } from '../coupons/index.ts'
import { findSellables, type SellableItem } from '../products/index.ts'
import { type OrderLine, planLines, subtractShares } from './lines.rules.ts'
import type { NewOrder, Order } from './schema.ts'

/** The contents of an order that its prices depend on. */
interface Contents {
  items: NewOrder['items']
  coupon_code: string | undefined
  /** The email of the buyer. If undefined, the limits of a coupon for each customer are not checked. */
  email: string | undefined
  payment_method: string | undefined
}

/** The lines of an order with their discounts, and the items that they were made of, in the same sequence. */
export interface PricedContents {
  lines: readonly OrderLine[]
  items: readonly SellableItem[]
  /** For each line, whether the coupon applies to it, also if it takes 0 off it. */
  isDiscounted: readonly boolean[]
  coupon?: AppliedCoupon
}

type OrderCoupon = NonNullable<Order['coupon']>
export type AppliedCoupon = OrderCoupon & { id: number; affiliate_partner_id: string | null }

/**
 * Prices the contents of an order: splits bundles, and subtracts the coupon. Orders and quotes share this
 * function, so a quote is what an order of the same contents pays (decision 178). Counts no use of the coupon.
 * Throws VALIDATION_FAILED for an item that cannot be ordered, and COUPON_INVALID.
 */
export async function priceContents(
  context: StoreContext,
  db: Db,
  contents: Contents,
): Promise<PricedContents> {
  const bodyItems = await findSellables(db, context.store.id, contents.items)
  // A bundle must be on sale itself, so the items are also checked before its products replace it.
  const bodyLines = planLines(bodyItems)
  const items = await expandBundles(db, context.store.id, bodyItems)
  const lines = items === bodyItems ? bodyLines : planLines(items)
  return applyCoupon(context, db, contents, { lines, items })
}

/** Subtracts the coupon of the contents, if there is one, from the lines. */
async function applyCoupon(
  context: StoreContext,
  db: Db,
  { coupon_code, email, payment_method }: Contents,
  { lines, items }: Pick<PricedContents, 'lines' | 'items'>,
): Promise<PricedContents> {
  if (coupon_code === undefined) return { lines, items, isDiscounted: [] }
  const { coupon, reason, shares, isDiscounted } = await evaluateCoupon(context, db, {
    code: coupon_code,
    email,
    payment_method,
    lines: lines.map((line, index) => ({
      ...line,
      accepts_coupons: items[index]?.accepts_coupons ?? false,
      bundle: items[index]?.bundle,
    })),
  })
  if (!coupon || reason) throw couponRefusal(reason ?? 'not_found')
  const { id, code, type, affiliate_partner_id } = coupon
  const discount_cents = shares.reduce((sum, share) => sum + share, 0)
  return {
    lines: subtractShares(lines, shares),
    items,
    isDiscounted,
    coupon: { id, code, type, affiliate_partner_id, discount_cents },
  }
}
