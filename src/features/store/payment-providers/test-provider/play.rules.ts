import { invalid, invalidState } from '../../../../kernel/errors.ts'
import { TOTAL_MAX } from '../../../../kernel/money.ts'

/** The actions of a buyer or a bank with a payment of the provider `test` (decision 150). */
export const TEST_ACTIONS = ['pay', 'pay_part', 'overpay', 'decline', 'process', 'expire'] as const
export type TestAction = (typeof TEST_ACTIONS)[number]

export type TestStatus = 'open' | 'processing' | 'paid' | 'failed' | 'expired' | 'ended'

interface Played {
  status: TestStatus
  received_cents: number
}

const PAYING: readonly TestAction[] = ['pay', 'pay_part', 'overpay']

/**
 * Returns the state of a payment after an action. Money can also arrive after the page of the payment has ended, as with
 * real providers, but only once.
 */
export function play(
  payment: Played & { amount_cents: number },
  action: TestAction,
  requestedCents: number | undefined,
): Played {
  const { status, amount_cents } = payment
  if (PAYING.includes(action)) {
    if (status === 'paid') throw invalidState(status, 'This payment is paid already.')
    return { status: 'paid', received_cents: centsOf(action, amount_cents, requestedCents) }
  }
  if (requestedCents !== undefined)
    throw invalid('amount_cents', `Leave this out: ${action} moves no money.`)
  if (status !== 'open' && status !== 'processing') {
    const message = `This payment is ${status} at the provider. Only an open payment can ${action}.`
    throw invalidState(status, message)
  }
  return { status: STATUS_AFTER[action as keyof typeof STATUS_AFTER], received_cents: 0 }
}

const STATUS_AFTER = { decline: 'failed', process: 'processing', expire: 'expired' } as const

/** Returns the amount that arrives. Without a requested amount, half of the payment is a part, and one unit more is too much. */
function centsOf(action: TestAction, due: number, requestedCents: number | undefined): number {
  if (action === 'pay') {
    if (requestedCents === undefined || requestedCents === due) return due
    throw invalid(
      'amount_cents',
      `Leave this out, or use ${due}. pay_part and overpay pay less or more.`,
    )
  }
  if (action === 'pay_part') {
    const cents = requestedCents ?? Math.floor(due / 2)
    if (cents >= 1 && cents < due) return cents
    throw invalid('amount_cents', `Use at least 1 and less than ${due}, the amount of the payment.`)
  }
  const cents = requestedCents ?? due + 1
  if (cents > due && cents <= TOTAL_MAX) return cents
  throw invalid('amount_cents', `Use more than ${due}, the amount of the payment.`)
}
