import type { Order } from '../../api/store.ts'

/** The states of orders that can still be paid. */
export const OPEN_STATUSES = ['pending', 'partially_paid', 'manual_review'] as const

export const isOpenStatus = (status: Order['status']): boolean =>
  (OPEN_STATUSES as readonly string[]).includes(status)

/** The amount that is still owed. A refunded amount is owed again. */
export const owedCentsOf = ({
  total_cents,
  paid_cents,
  refunded_cents,
}: Pick<Order, 'total_cents' | 'paid_cents' | 'refunded_cents'>): number =>
  total_cents - paid_cents + refunded_cents
