import { sameEmail } from '../../../kernel/email.ts'

/** Returns a percentage of an amount. Half a cent is rounded down. */
export function commissionOf(cents: number, percent: number): number {
  const hundredths = BigInt(Math.round(percent * 100))
  return roundHalfDown(BigInt(cents) * hundredths, 10_000n)
}

interface OrderPayment {
  total_cents: number
  paid_cents: number
  refunded_cents: number
}

/**
 * Returns the part of a commission that remains after refunds. Half a cent is rounded down. Money paid
 * beyond the total of the order earned no commission, so its refund does not reduce the commission.
 */
export function commissionAfterRefunds(
  base_cents: number,
  { total_cents, paid_cents, refunded_cents }: OrderPayment,
): number {
  const retained_cents = Math.max(0, Math.min(total_cents, paid_cents - refunded_cents))
  if (retained_cents >= total_cents) return base_cents
  return roundHalfDown(BigInt(base_cents) * BigInt(retained_cents), BigInt(total_cents))
}

/** Returns a quotient as a whole number. Exactly half is rounded down. */
const roundHalfDown = (dividend: bigint, divisor: bigint): number =>
  Number((2n * dividend + divisor - 1n) / (2n * divisor))

export interface Balances {
  unpaid_cents: number
  flagged_cents: number
}

interface UnpaidCommission {
  status: 'valid' | 'flagged' | 'rejected'
  /** 0 unless the commission is unpaid or in a payout. */
  commission_cents: number
}

/** Returns the change of a partner's balances if a commission outside of a payout changes. */
export const balanceChange = (before: UnpaidCommission, after: UnpaidCommission): Balances => ({
  unpaid_cents: centsOf(after, 'valid') - centsOf(before, 'valid'),
  flagged_cents: centsOf(after, 'flagged') - centsOf(before, 'flagged'),
})

const centsOf = (commission: UnpaidCommission, status: UnpaidCommission['status']): number =>
  commission.status === status ? commission.commission_cents : 0

const CONVERSIONS_PER_HOUR_MAX = 10

interface Signals {
  partner_email: string
  buyer_email: string
  same_ip: boolean
  blocked: boolean
  /** The number of other conversions of the partner that were paid within the last hour. */
  recent_count: number
}

/** Returns the reasons for which a conversion needs a review (decision 142). */
export function flagsOf({ partner_email, buyer_email, same_ip, blocked, recent_count }: Signals) {
  return [
    ...(sameEmail(partner_email, buyer_email) ? ['self_referral' as const] : []),
    ...(same_ip ? ['same_ip' as const] : []),
    ...(blocked ? ['blocked_customer' as const] : []),
    ...(recent_count + 1 > CONVERSIONS_PER_HOUR_MAX ? ['high_velocity' as const] : []),
  ]
}
