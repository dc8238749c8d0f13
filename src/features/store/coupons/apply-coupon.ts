import type { Db, Tx } from '../../../db/database.ts'
import { Refusal } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type CouponLine, sharesOf, whyNotUse } from './coupons.rules.ts'
import * as q from './queries.ts'
import type { Coupon, Reason } from './schema.ts'

/** The lines to buy with a coupon code, with the buyer's email and the payment method if known. */
export interface Basket {
  code: string
  email?: string | undefined
  payment_method?: string | undefined
  lines: readonly (Omit<CouponLine, 'in_category'> & { product_id: number })[]
}

export interface Judged {
  /** The discount of each line. All are 0 if the coupon may not be used. */
  shares: number[]
  coupon?: Coupon
  /** The reason why the coupon may not be used. */
  reason?: Reason
}

/**
 * Evaluates the coupon with this code for a basket. Returns the discount of each line, or the
 * reason why the coupon may not be used.
 */
export async function judgeCoupon(
  { store, now }: Pick<StoreContext, 'store' | 'now'>,
  db: Db,
  { code, email, payment_method, lines: sent }: Basket,
): Promise<Judged> {
  const nothing = sent.map(() => 0)
  const coupon = await q.selectCouponByCode(db, store.id, code)
  if (!coupon) return { shares: nothing, reason: 'not_found' }
  const lines = await categorized(db, store.id, coupon, sent)
  const limited = coupon.max_uses_per_customer !== null && email !== undefined
  const own_uses = limited ? await q.countUses(db, store.id, coupon.id, email) : 0
  const reason = whyNotUse(coupon, { now, lines, email, own_uses, payment_method })
  if (reason) return { shares: nothing, coupon, reason }
  return { shares: sharesOf(coupon, lines), coupon }
}

async function categorized(
  db: Db,
  storeId: number,
  { category_ids }: Coupon,
  lines: Basket['lines'],
): Promise<CouponLine[]> {
  const product_ids = lines.map(({ product_id }) => product_id)
  const listed =
    category_ids.length === 0
      ? new Set<number>()
      : await q.selectCategorized(db, storeId, { category_ids, product_ids })
  return lines.map((line) => ({ ...line, in_category: listed.has(line.product_id) }))
}

const TEXTS: Record<Reason, string> = {
  not_found: 'There is no coupon with this code.',
  inactive: 'This coupon is switched off.',
  not_started: 'This coupon cannot be used yet.',
  expired: 'This coupon has expired.',
  max_uses: 'This coupon has been used up.',
  max_uses_per_customer: 'This customer has used this coupon as often as is allowed.',
  min_order: 'The order is too small for this coupon.',
  not_applicable: 'This coupon does not apply to this order.',
  email_not_allowed: 'This coupon is for other customers.',
}

/** Returns the error for an order whose coupon may not be used. */
export const couponInvalid = (reason: Reason) =>
  new Refusal('COUPON_INVALID', TEXTS[reason], { field: 'coupon_code', reason })

/**
 * Counts the use of a coupon by a new order, or throws COUPON_INVALID if other orders used it up
 * first. Called late, because the coupon's row stays locked until the commit (decision 96).
 */
export async function takeCoupon(tx: Tx, storeId: number, use: q.NewUse): Promise<void> {
  const { counted, own_uses } = await q.insertUse(tx, storeId, use)
  if (counted) return
  const coupon = await q.selectCoupon(tx, storeId, use.coupon_id)
  if (!coupon) throw couponInvalid('not_found')
  const own = coupon.max_uses_per_customer
  throw couponInvalid(own !== null && own_uses >= own ? 'max_uses_per_customer' : 'max_uses')
}

/** Takes back the use of a coupon when its order ends unpaid. */
export const returnCoupon = (tx: Tx, storeId: number, orderId: string): Promise<void> =>
  q.updateUse(tx, storeId, orderId, false)

/** Counts the use of a coupon again when an expired order is paid late. */
export const retakeCoupon = (tx: Tx, storeId: number, orderId: string): Promise<void> =>
  q.updateUse(tx, storeId, orderId, true)

/** Moves the coupon use of an unpaid order to another customer, who must be allowed the coupon. */
export async function moveCoupon(
  tx: Tx,
  storeId: number,
  orderId: string,
  { id: customer_id, email }: { id: number; email: string },
): Promise<void> {
  const coupon = await q.selectUsed(tx, storeId, orderId)
  if (!coupon) return
  const { allowed_emails, max_uses_per_customer: most } = coupon
  if (allowed_emails.length > 0 && !allowed_emails.includes(email)) {
    throw couponInvalid('email_not_allowed')
  }
  if (most !== null && (await q.countUses(tx, storeId, coupon.id, email)) >= most) {
    throw couponInvalid('max_uses_per_customer')
  }
  await q.moveUse(tx, storeId, orderId, customer_id)
}
