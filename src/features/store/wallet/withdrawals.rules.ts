import { invalid, invalidState } from '../../../kernel/errors.ts'
import type { Status } from './schema.ts'

/** The end of a withdrawal. */
export type End = 'completed' | 'failed' | 'cancelled'

/** The statuses that each end may follow. What is being sent cannot be cancelled. */
const FROM: Record<End, readonly Status[]> = {
  completed: ['pending', 'processing'],
  failed: ['pending', 'processing'],
  cancelled: ['pending'],
}

export function checkEnd(status: Status, end: End): void {
  if (FROM[end].includes(status)) return
  throw invalidState(
    status,
    `This withdrawal is ${status}; only one that is ${FROM[end].join(' or ')} can become ${end}.`,
  )
}

/** The totals of a store. */
export interface Totals {
  paid_cents: number
  refunded_cents: number
  pending_cents: number
  withdrawn_cents: number
}

export const availableOf = (totals: Totals): number =>
  totals.paid_cents - totals.refunded_cents - totals.pending_cents - totals.withdrawn_cents

export function checkAvailable(totals: Totals, cents: number): void {
  const available = availableOf(totals)
  if (cents <= available) return
  const why =
    available > 0
      ? `The wallet has ${available} available. Withdraw at most that.`
      : 'The wallet has nothing available. Withdraw after further orders were paid.'
  throw invalid('amount_cents', why, { available })
}
