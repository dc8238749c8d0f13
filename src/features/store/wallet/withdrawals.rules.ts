import { invalid, invalidState } from '../../../kernel/errors.ts'
import type { WithdrawalStatus } from './schema.ts'

/** The final statuses of a withdrawal. */
export type EndStatus = 'completed' | 'failed' | 'cancelled'

/** The statuses that each status can follow. */
const PREVIOUS_STATUSES: Record<EndStatus | 'processing', readonly WithdrawalStatus[]> = {
  processing: ['pending'],
  completed: ['pending', 'processing'],
  failed: ['pending', 'processing'],
  cancelled: ['pending'],
}

export function checkNextStatus(
  status: WithdrawalStatus,
  next: keyof typeof PREVIOUS_STATUSES,
): void {
  if (PREVIOUS_STATUSES[next].includes(status)) return
  throw invalidState(
    status,
    `This withdrawal is ${status}; only a withdrawal that is ${PREVIOUS_STATUSES[next].join(' or ')} can become ${next}.`,
  )
}

/** The totals of a wallet, in minor units. */
export interface WalletTotals {
  paid_cents: number
  refunded_cents: number
  pending_cents: number
  withdrawn_cents: number
  available_cents: number
}

export function checkAvailable({ available_cents: available }: WalletTotals, cents: number): void {
  if (cents <= available) return
  const message =
    available > 0
      ? `The wallet has ${available} available. Withdraw at most ${available}.`
      : 'The wallet has nothing available. Withdraw again after further orders are paid.'
  throw invalid('amount_cents', message, { available })
}
