import { invalid } from '../../../kernel/errors.ts'
import type { Coupon, Reason } from './schema.ts'

/** The fields of an order line that a coupon depends on. */
export interface CouponLine {
  product_hash: string
  variant_id: number
  accepts_coupons: boolean
  /** True if its product is in a category that the coupon names. */
  in_category: boolean
  /** Units times price. */
  total_cents: number
}

/** The use of a coupon by a customer, with the time, the lines, and the payment method if known. */
export interface Usage {
  now: string
  lines: readonly CouponLine[]
  email: string | undefined
  /** Uses by this customer so far. */
  own_uses: number
  payment_method: string | undefined
}

/** Returns the first reason why a coupon may not be used, if there is one (decision 96). */
export function whyNotUse(coupon: Coupon, usage: Usage): Reason | undefined {
  const { now, email, own_uses } = usage
  if (!coupon.active) return 'inactive'
  if (coupon.starts_at !== null && now < coupon.starts_at) return 'not_started'
  if (coupon.expires_at !== null && now >= coupon.expires_at) return 'expired'
  if (isReached(coupon.max_uses, coupon.uses)) return 'max_uses'
  if (email !== undefined && !isAllowed(coupon, email)) return 'email_not_allowed'
  if (isReached(coupon.max_uses_per_customer, own_uses)) return 'max_uses_per_customer'
  return whyNotApply(coupon, usage)
}

function whyNotApply(coupon: Coupon, { lines, payment_method }: Usage): Reason | undefined {
  const methods: readonly string[] = coupon.payment_methods
  const wrongMethod = payment_method !== undefined && !methods.includes(payment_method)
  if (methods.length > 0 && wrongMethod) return 'not_applicable'
  const eligible = eligibleTotals(coupon, lines)
  if (eligible.every((cents) => cents === undefined)) return 'not_applicable'
  return sumOf(eligible) < (coupon.min_order_cents ?? 0) ? 'min_order' : undefined
}

const isReached = (limit: number | null, uses: number) => limit !== null && uses >= limit

const isAllowed = ({ allowed_emails }: Coupon, email: string) =>
  allowed_emails.length === 0 || allowed_emails.includes(email)

/** Returns the discount of a coupon for each line. */
export function sharesOf(coupon: Coupon, lines: readonly CouponLine[]): number[] {
  const totals = eligibleTotals(coupon, lines)
  return spread(
    discountOf(coupon, sumOf(totals)),
    totals.map((cents) => cents ?? 0),
  )
}

/** Returns the totals of the lines that a coupon applies to, and undefined for all other lines. */
function eligibleTotals(coupon: Coupon, lines: readonly CouponLine[]): (number | undefined)[] {
  const { product_ids, variant_ids, category_ids } = coupon
  const everything = product_ids.length + variant_ids.length + category_ids.length === 0
  return lines.map((line) => {
    const named =
      everything ||
      product_ids.includes(line.product_hash) ||
      variant_ids.includes(line.variant_id) ||
      line.in_category
    return line.accepts_coupons && named ? line.total_cents : undefined
  })
}

const sumOf = (totals: readonly (number | undefined)[]) =>
  totals.reduce<number>((sum, cents) => sum + (cents ?? 0), 0)

/**
 * Returns an amount, or a percentage of the sum with half a cent rounded up, but at most the sum.
 */
export function discountOf(
  { discount_percent, amount_cents }: Pick<Coupon, 'discount_percent' | 'amount_cents'>,
  subtotal_cents: number,
): number {
  if (amount_cents !== null) return Math.min(amount_cents, subtotal_cents)
  const hundredths = BigInt(Math.round((discount_percent ?? 0) * 100))
  return Number((BigInt(subtotal_cents) * hundredths + 5_000n) / 10_000n)
}

/**
 * Spreads a discount over lines in proportion to their totals, in whole cents. The cents that are
 * left after rounding down go to the lines that lost most by it, the first of equals first.
 */
export function spread(discount_cents: number, totals: readonly number[]): number[] {
  const sum = BigInt(totals.reduce((all, cents) => all + cents, 0))
  if (sum === 0n) return totals.map(() => 0)
  const exact = totals.map((cents, at) => {
    const parts = BigInt(cents) * BigInt(discount_cents)
    return { at, share: Number(parts / sum), rest: parts % sum }
  })
  const shares = exact.map(({ share }) => share)
  const left = discount_cents - shares.reduce((all, share) => all + share, 0)
  const byRest = exact.toSorted((a, b) =>
    a.rest === b.rest ? a.at - b.at : a.rest < b.rest ? 1 : -1,
  )
  for (const { at } of byRest.slice(0, left)) shares[at] = (shares[at] ?? 0) + 1
  return shares
}

type Value = Pick<Coupon, 'type' | 'discount_percent' | 'amount_cents' | 'starts_at' | 'expires_at'>

/** Checks that a coupon has only the value of its type, and that it ends after it starts. */
export function checkCoupon(coupon: Value): void {
  const [fits, other] =
    coupon.type === 'percentage'
      ? (['discount_percent', 'amount_cents'] as const)
      : (['amount_cents', 'discount_percent'] as const)
  if (coupon[fits] === null) throw invalid(fits, `Send it: a ${coupon.type} coupon needs ${fits}.`)
  if (coupon[other] !== null)
    throw invalid(other, `Remove it: a ${coupon.type} coupon has only ${fits}.`)
  const { starts_at, expires_at } = coupon
  if (starts_at !== null && expires_at !== null && expires_at <= starts_at) {
    throw invalid('expires_at', 'Use a moment after starts_at.')
  }
}

/** Returns the patch. If it changes the type, it also clears the value of the former type. */
export function withType<P extends Partial<Value>>(before: Value, patch: P): P & Partial<Value> {
  if (patch.type === undefined || patch.type === before.type) return patch
  const gone = patch.type === 'percentage' ? 'amount_cents' : 'discount_percent'
  return { [gone]: null, ...patch }
}
