import { sameEmail } from '../../../kernel/email.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { Coupon, Reason } from './schema.ts'

/** The fields of an order line that a coupon depends on. */
export interface CouponLine {
  product_hash: string
  variant_id: number
  accepts_coupons: boolean
  /** The bundle that the line belongs to. A coupon for the bundle applies to its lines (decision 179). */
  bundle?: { product_hash: string; variant_id: number } | undefined
  /** True if the product or its bundle is in a category of the coupon. */
  in_category: boolean
  /** The quantity times the unit price. */
  total_cents: number
}

/** An intended use of a coupon. `email` and `payment_method` are undefined if not known. */
interface IntendedUse {
  now: string
  lines: readonly CouponLine[]
  email: string | undefined
  /** The number of orders of this customer that use the coupon. */
  customer_uses: number
  payment_method: string | undefined
}

/** Returns the first reason why a coupon cannot be used; undefined if it can. */
export function reasonAgainstUse(coupon: Coupon, use: IntendedUse): Reason | undefined {
  const { now, email, customer_uses } = use
  if (!coupon.active) return 'inactive'
  if (coupon.starts_at !== null && now < coupon.starts_at) return 'not_started'
  if (coupon.expires_at !== null && now >= coupon.expires_at) return 'expired'
  if (isReached(coupon.max_uses, coupon.uses)) return 'max_uses'
  if (email !== undefined && !isEmailAllowed(coupon, email)) return 'email_not_allowed'
  if (isReached(coupon.max_uses_per_customer, customer_uses)) return 'max_uses_per_customer'
  return reasonAgainstOrder(coupon, use)
}

/** Returns the reason why a coupon does not apply to the lines and payment method; undefined if it does. */
function reasonAgainstOrder(
  coupon: Coupon,
  { lines, payment_method }: IntendedUse,
): Reason | undefined {
  const methods: readonly string[] = coupon.payment_methods
  const isOtherMethod = payment_method !== undefined && !methods.includes(payment_method)
  if (methods.length > 0 && isOtherMethod) return 'not_applicable'
  const totals = eligibleTotals(coupon, lines)
  if (totals.every((cents) => cents === undefined)) return 'not_applicable'
  return sumOf(totals) < (coupon.min_order_cents ?? 0) ? 'min_order' : undefined
}

const isReached = (limit: number | null, uses: number) => limit !== null && uses >= limit

export const isEmailAllowed = ({ allowed_emails }: Pick<Coupon, 'allowed_emails'>, email: string) =>
  allowed_emails.length === 0 || allowed_emails.some((allowed) => sameEmail(allowed, email))

/** Returns the discount of a coupon for each line. */
export function lineDiscounts(coupon: Coupon, lines: readonly CouponLine[]): number[] {
  const totals = eligibleTotals(coupon, lines)
  return splitDiscount(
    discountOf(coupon, sumOf(totals)),
    totals.map((cents) => cents ?? 0),
  )
}

/** Returns for each line whether a coupon applies to it. */
export const linesOf = (coupon: Coupon, lines: readonly CouponLine[]): boolean[] =>
  eligibleTotals(coupon, lines).map((cents) => cents !== undefined)

/** Returns the totals of the lines that a coupon applies to, and undefined for all other lines. */
function eligibleTotals(coupon: Coupon, lines: readonly CouponLine[]): (number | undefined)[] {
  const { product_ids, variant_ids, category_ids } = coupon
  const appliesToAll = product_ids.length + variant_ids.length + category_ids.length === 0
  return lines.map((line) => {
    const isChosen = (item: { product_hash: string; variant_id: number }) =>
      product_ids.includes(item.product_hash) || variant_ids.includes(item.variant_id)
    const applies =
      appliesToAll ||
      isChosen(line) ||
      (line.bundle !== undefined && isChosen(line.bundle)) ||
      line.in_category
    return line.accepts_coupons && applies ? line.total_cents : undefined
  })
}

const sumOf = (totals: readonly (number | undefined)[]) =>
  totals.reduce<number>((sum, cents) => sum + (cents ?? 0), 0)

/** 100 percent, in hundredths of a percent. */
const ALL_HUNDREDTHS = 10_000n

/**
 * Returns the discount of a coupon on a subtotal: its amount, or its percentage with half a cent
 * rounded up. It is at most the subtotal.
 */
export function discountOf(
  { discount_percent, amount_cents }: Pick<Coupon, 'discount_percent' | 'amount_cents'>,
  subtotal_cents: number,
): number {
  if (amount_cents !== null) return Math.min(amount_cents, subtotal_cents)
  const hundredths = BigInt(Math.round((discount_percent ?? 0) * 100))
  return Number((BigInt(subtotal_cents) * hundredths + ALL_HUNDREDTHS / 2n) / ALL_HUNDREDTHS)
}

/**
 * Spreads a discount over lines in proportion to their totals, in whole cents. Shares are rounded
 * down. The remaining cents go to the lines with the largest remainders, earlier lines first.
 */
export function splitDiscount(discount_cents: number, totals: readonly number[]): number[] {
  const sum = BigInt(totals.reduce((total, cents) => total + cents, 0))
  if (sum === 0n) return totals.map(() => 0)
  const quotients = totals.map((cents, index) => {
    const product = BigInt(cents) * BigInt(discount_cents)
    return { index, share: Number(product / sum), remainder: product % sum }
  })
  const shares = quotients.map(({ share }) => share)
  const remainingCents = discount_cents - shares.reduce((total, share) => total + share, 0)
  // The sort is stable, so earlier lines stay first.
  const byRemainder = quotients.toSorted((a, b) => Number(b.remainder - a.remainder))
  for (const { index } of byRemainder.slice(0, remainingCents))
    shares[index] = (shares[index] ?? 0) + 1
  return shares
}

type CouponValue = Pick<
  Coupon,
  'type' | 'discount_percent' | 'amount_cents' | 'starts_at' | 'expires_at'
>

/**
 * Refuses a coupon if the value of its type (a percentage or an amount) is missing, if the value of the other type
 * is set, or if it ends before it starts.
 */
export function checkCoupon(coupon: CouponValue): void {
  const [required, otherField] =
    coupon.type === 'percentage'
      ? (['discount_percent', 'amount_cents'] as const)
      : (['amount_cents', 'discount_percent'] as const)
  if (coupon[required] === null)
    throw invalid(required, `A ${coupon.type} coupon needs ${required}. Send it.`)
  if (coupon[otherField] !== null)
    throw invalid(
      otherField,
      `A ${coupon.type} coupon has only ${required}. Set ${otherField} to null.`,
    )
  const { starts_at, expires_at } = coupon
  if (starts_at !== null && expires_at !== null && expires_at <= starts_at) {
    throw invalid('expires_at', 'Use a time after starts_at.')
  }
}

/** Returns the patch. If it changes the type, the value of the former type is also cleared. */
export function clearFormerValue<P extends Partial<CouponValue>>(
  before: CouponValue,
  patch: P,
): P & Partial<CouponValue> {
  if (patch.type === undefined || patch.type === before.type) return patch
  const formerField = patch.type === 'percentage' ? 'amount_cents' : 'discount_percent'
  return { [formerField]: null, ...patch }
}
