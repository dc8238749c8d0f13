import type { Payment } from '../../api/store.ts'

const PAID: readonly Payment['status'][] = ['succeeded', 'approved', 'disputed']

/** True if money of the payment counts as paid. One of 0 saves a payment method. */
export const isPaid = ({ status, amount_cents }: Payment): boolean =>
  amount_cents > 0 && PAID.includes(status)

interface Costs {
  /** The known fees in the currency of the payment, in minor units. */
  cents: number
  /** False if a fee is not known yet, or is in another currency. */
  isKnown: boolean
}

/** The fees that the provider of a payment has kept. The provider of test sides takes none. */
export function providerCosts(payment: Payment): Costs {
  const { provider, fee_cents, fee_currency, currency, dispute } = payment
  if (provider === null || provider === 'test') return { cents: 0, isKnown: true }
  const isOtherCurrency = fee_currency !== null && fee_currency !== currency
  const fees = [fee_cents, ...(dispute ? [dispute.fee_cents] : [])]
  if (isOtherCurrency) return { cents: 0, isKnown: false }
  return {
    cents: fees.reduce<number>((sum, fee) => sum + (fee ?? 0), 0),
    isKnown: fees.every((fee) => fee !== null),
  }
}
