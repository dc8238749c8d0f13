import type { Coupon } from '../../api/store.ts'
import { formatEnd, formatStart } from '../../kit/days.ts'
import { formatMoney, formatPercent, humanize } from '../../kit/format.ts'
import { countText, listAnd, listOr } from '../../kit/words.ts'
import { fill } from '../../text/catalogue.ts'
import { coupons } from '../../text/coupons.ts'

const discountText = ({ discount_percent, amount_cents }: Coupon, currency: string): string =>
  amount_cents === null
    ? formatPercent((discount_percent ?? 0) / 100)
    : formatMoney(amount_cents, currency)

function scopeText({ product_ids, variant_ids, category_ids }: Coupon): string {
  const parts = [
    [product_ids.length, coupons.oneProduct, coupons.manyProducts],
    [variant_ids.length, coupons.oneVariant, coupons.manyVariants],
    [category_ids.length, coupons.oneCategory, coupons.manyCategories],
  ] as const
  const scopes = parts.filter(([n]) => n > 0).map((part) => countText(...part))
  return scopes.length === 0 ? coupons.everything : listAnd(scopes)
}

/** The limits of a coupon in words; false for a limit that it does not have. */
function limitTexts(coupon: Coupon): (string | false)[] {
  const { max_uses, max_uses_per_customer, allowed_emails, payment_methods } = coupon
  return [
    max_uses_per_customer !== null &&
      countText(max_uses_per_customer, coupons.oncePer, coupons.timesPer),
    max_uses !== null && countText(max_uses, coupons.onceAll, coupons.timesAll),
    allowed_emails.length > 0 &&
      countText(allowed_emails.length, coupons.oneAddress, coupons.manyAddresses),
    payment_methods.length > 0 &&
      fill(coupons.paidBy, { methods: listOr(payment_methods.map(humanize)) }),
    coupon.applies_to_renewals && coupons.onRenewals,
  ]
}

/** The rules of a coupon in a sentence: "10% off 3 products until Nov 27, 2026, once per customer". */
export function rulesText(coupon: Coupon, currency: string): string {
  const { starts_at, expires_at, min_order_cents } = coupon
  const discount = fill(coupons.off, {
    discount: discountText(coupon, currency),
    scope: scopeText(coupon),
  })
  const parts = [
    starts_at !== null && fill(coupons.from, { day: formatStart(starts_at) }),
    expires_at !== null && fill(coupons.until, { day: formatEnd(expires_at) }),
    min_order_cents !== null &&
      fill(coupons.atLeast, { amount: formatMoney(min_order_cents, currency) }),
    ...limitTexts(coupon),
  ]
  return [discount, ...parts.filter((part) => part !== false)].join(', ')
}

/** The state of a coupon at a time of the store's clock, as a known state word and its text. */
export function stateOf(coupon: Coupon, now: number): { state: string; text: string } {
  const { active, starts_at, expires_at, max_uses, uses } = coupon
  if (!active) return { state: 'closed', text: coupons.stateStopped }
  if (expires_at !== null && Date.parse(expires_at) <= now) {
    return { state: 'expired', text: coupons.stateExpired }
  }
  if (max_uses !== null && uses >= max_uses) return { state: 'closed', text: coupons.stateUsedUp }
  if (starts_at !== null && Date.parse(starts_at) > now) {
    return { state: 'pending', text: coupons.stateScheduled }
  }
  return { state: 'active', text: coupons.stateActive }
}
