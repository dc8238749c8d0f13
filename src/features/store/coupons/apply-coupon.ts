import type { Db, Tx } from '../../../db/database.ts'
import { Refusal } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  type CouponLine,
  isEmailAllowed,
  lineDiscounts,
  linesOf,
  reasonAgainstUse,
} from './coupons.rules.ts'
import * as q from './queries.ts'
import type { Coupon, Reason } from './schema.ts'

/** The lines of an order and the coupon code, with the buyer's email and the payment method if known. */
interface CouponRequest {
  code: string
  email?: string | undefined
  payment_method?: string | undefined
  lines: readonly (Omit<CouponLine, 'in_category' | 'bundle'> & {
    product_id: number
    bundle?: (NonNullable<CouponLine['bundle']> & { product_id: number }) | undefined
  })[]
}

interface CouponEvaluation {
  /** The discount of each line. All are 0 if the coupon cannot be used. */
  shares: number[]
  /** For each line, whether the coupon applies to it, also if it takes 0 off it. */
  isDiscounted: boolean[]
  coupon?: Coupon
  /** The reason why the coupon cannot be used. */
  reason?: Reason
}

/**
 * Evaluates the coupon with this code for an order. Returns the discount of each line, or the reason
 * why the coupon cannot be used.
 */
export async function evaluateCoupon(
  { store, now }: Pick<StoreContext, 'store' | 'now'>,
  db: Db,
  { code, email, payment_method, lines: orderLines }: CouponRequest,
): Promise<CouponEvaluation> {
  const nothing = { shares: orderLines.map(() => 0), isDiscounted: orderLines.map(() => false) }
  const coupon = await q.selectCouponByCode(db, store.id, code)
  if (!coupon) return { ...nothing, reason: 'not_found' }
  const lines = await withCategories(db, store.id, coupon, orderLines)
  const isLimited = coupon.max_uses_per_customer !== null && email !== undefined
  const customer_uses = isLimited ? await q.countUses(db, store.id, coupon.id, email) : 0
  const reason = reasonAgainstUse(coupon, { now, lines, email, customer_uses, payment_method })
  if (reason) return { ...nothing, coupon, reason }
  return { shares: lineDiscounts(coupon, lines), isDiscounted: linesOf(coupon, lines), coupon }
}

/** Adds to each line whether its product or its bundle is in a category of the coupon. */
async function withCategories(
  db: Db,
  storeId: number,
  { category_ids }: Coupon,
  lines: CouponRequest['lines'],
): Promise<CouponLine[]> {
  const idsOf = ({ product_id, bundle }: CouponRequest['lines'][number]) =>
    bundle ? [product_id, bundle.product_id] : [product_id]
  const product_ids = lines.flatMap(idsOf)
  const productsInCategories =
    category_ids.length === 0
      ? new Set<number>()
      : await q.selectProductsInCategories(db, storeId, { category_ids, product_ids })
  return lines.map((line) => ({
    ...line,
    in_category: idsOf(line).some((id) => productsInCategories.has(id)),
  }))
}

const MESSAGES: Record<Reason, string> = {
  not_found: 'This store has no coupon with this code. Check the code.',
  inactive: 'This coupon is not active. Activate it, or order without it.',
  not_started: 'This coupon is not valid before its starts_at. Order without it.',
  expired: 'This coupon has expired. Order without it.',
  max_uses: 'This coupon has reached its max_uses. Order without it.',
  max_uses_per_customer:
    'This customer has reached max_uses_per_customer of this coupon. Order without it.',
  min_order: 'The order is below min_order_cents of this coupon. Order more, or order without it.',
  not_applicable: 'This coupon does not apply to this order. Order without it.',
  email_not_allowed: 'This coupon does not allow this email. Order without it.',
}

/** Returns the error for an order whose coupon cannot be used. */
export const couponRefusal = (reason: Reason) =>
  new Refusal('COUPON_INVALID', MESSAGES[reason], { field: 'coupon_code', reason })

/**
 * Counts the use of a coupon by a new order. Throws COUPON_INVALID if other orders have used the coupon
 * up meanwhile. Call this late: the coupon stays locked until the commit.
 */
export async function recordCouponUse(tx: Tx, storeId: number, use: q.NewUse): Promise<void> {
  const { is_counted, customer_uses } = await q.insertUse(tx, storeId, use)
  if (is_counted) return
  const coupon = await q.selectCoupon(tx, storeId, use.coupon_id)
  if (!coupon) throw couponRefusal('not_found')
  const customerLimit = coupon.max_uses_per_customer
  const isCustomerLimit = customerLimit !== null && customer_uses >= customerLimit
  throw couponRefusal(isCustomerLimit ? 'max_uses_per_customer' : 'max_uses')
}

/** Uncounts the use of a coupon, because its order ended unpaid. */
export const releaseCouponUse = (tx: Tx, storeId: number, orderId: string): Promise<void> =>
  q.updateUse(tx, storeId, orderId, { isLive: false })

/** Counts the use of a coupon again, because its expired order was paid late. */
export const restoreCouponUse = (tx: Tx, storeId: number, orderId: string): Promise<void> =>
  q.updateUse(tx, storeId, orderId, { isLive: true })

/** Moves the coupon use of an unpaid order to another customer. Refuses if they cannot use the coupon. */
export async function moveCouponUse(
  tx: Tx,
  storeId: number,
  orderId: string,
  { id: customer_id, email }: { id: number; email: string },
): Promise<void> {
  const coupon = await q.selectCouponOfOrder(tx, storeId, orderId)
  if (!coupon) return
  const { max_uses_per_customer: customerLimit } = coupon
  if (!isEmailAllowed(coupon, email)) throw couponRefusal('email_not_allowed')
  const uses = customerLimit === null ? 0 : await q.countUses(tx, storeId, coupon.id, email)
  if (customerLimit !== null && uses >= customerLimit) {
    throw couponRefusal('max_uses_per_customer')
  }
  await q.moveUse(tx, storeId, orderId, customer_id)
}
