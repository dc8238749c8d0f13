/** A percentage of an amount; half a cent goes down. */
export function commissionOf(cents: number, percent: number): number {
  const hundredths = BigInt(Math.round(percent * 100))
  return Number((BigInt(cents) * hundredths + 4_999n) / 10_000n)
}

export interface Paid {
  total_cents: number
  paid_cents: number
  refunded_cents: number
}

/**
 * The part of a commission that refunds leave; half a cent goes down. Money beyond the total earned
 * nothing, so its refund does not reduce the commission.
 */
export function afterRefunds(
  base_cents: number,
  { total_cents, paid_cents, refunded_cents }: Paid,
): number {
  const kept_cents = Math.max(0, Math.min(total_cents, paid_cents - refunded_cents))
  if (kept_cents >= total_cents) return base_cents
  const total = BigInt(total_cents)
  return Number((2n * BigInt(base_cents) * BigInt(kept_cents) + total - 1n) / (2n * total))
}

export interface Balances {
  unpaid_cents: number
  flagged_cents: number
}

interface Unpaid {
  status: 'valid' | 'flagged' | 'rejected'
  /** 0 unless the commission is unpaid or in a payout. */
  commission_cents: number
}

/** The change of a partner's balances by a commission that is in no payout, before or after. */
export const balanceChange = (before: Unpaid, after: Unpaid): Balances => ({
  unpaid_cents: centsOf(after, 'valid') - centsOf(before, 'valid'),
  flagged_cents: centsOf(after, 'flagged') - centsOf(before, 'flagged'),
})

const centsOf = ({ status, commission_cents }: Unpaid, counted: Unpaid['status']): number =>
  status === counted ? commission_cents : 0

const VELOCITY_MAX = 10

export interface Signals {
  partner_email: string
  buyer_email: string
  same_ip: boolean
  blocked: boolean
  /** Conversions of the partner that were paid within the last hour, without this one. */
  recent: number
}

/** Why a conversion needs a review (decision 142). */
export function flagsOf({ partner_email, buyer_email, same_ip, blocked, recent }: Signals) {
  return [
    ...(partner_email === buyer_email ? ['self_referral' as const] : []),
    ...(same_ip ? ['same_ip' as const] : []),
    ...(blocked ? ['blocked_customer' as const] : []),
    ...(recent + 1 > VELOCITY_MAX ? ['high_velocity' as const] : []),
  ]
}
