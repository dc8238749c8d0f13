import { invalid, invalidState } from '../../../../kernel/errors.ts'
import { TOTAL_MAX } from '../../../../kernel/money.ts'
import { DAY_MS, iso } from '../../../../kernel/time.ts'
import type { ProviderDispute } from '../provider.ts'

/** The actions of a buyer or a bank with a payment of the provider `test`. */
export const TEST_ACTIONS = [
  'pay',
  'pay_part',
  'overpay',
  'decline',
  'process',
  'expire',
  'refund_outside',
  'dispute',
  'win',
  'lose',
] as const
export type TestAction = (typeof TEST_ACTIONS)[number]
type DisputeAction = 'dispute' | 'win' | 'lose'
type PaymentAction = Exclude<TestAction, 'refund_outside' | DisputeAction>

export const isDisputeAction = (action: TestAction): action is DisputeAction =>
  action === 'dispute' || action === 'win' || action === 'lose'

export type TestStatus = 'open' | 'processing' | 'paid' | 'failed' | 'expired' | 'ended'

interface Played {
  status: TestStatus
  received_cents: number
}

const PAYING_ACTIONS: readonly TestAction[] = ['pay', 'pay_part', 'overpay']

/**
 * Returns the state of a payment after an action. Money can also arrive after the page of the payment has ended, as with
 * real providers, but only once.
 */
export function play(
  payment: Played & { amount_cents: number },
  action: PaymentAction,
  requestedCents: number | undefined,
): Played {
  const { status, amount_cents } = payment
  if (PAYING_ACTIONS.includes(action)) {
    if (action !== 'pay' && amount_cents === 0)
      throw invalid('do', `This payment saves a method and moves no money, so it cannot ${action}.`)
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

/** Returns the amount of a refund that is made at the provider: the requested one, or all that is left. */
export function outsideRefundCents(
  { status, received_cents }: Played,
  refundedCents: number,
  requestedCents: number | undefined,
): number {
  const left = received_cents - refundedCents
  if (status !== 'paid' || left < 1)
    throw invalidState(status, 'Nothing of this payment is left at the provider to return.')
  const cents = requestedCents ?? left
  if (cents <= left) return cents
  throw invalid('amount_cents', `Use at most ${left}, the amount that is left at the provider.`, {
    rule: 'at_most',
    limit: left,
  })
}

/** The time that a seller has to answer a dispute. */
const ANSWER_DAYS = 7

interface Disputed {
  payment: Played & { payment_id: number; dispute: ProviderDispute | null }
  refunded_cents: number
  amount_cents: number | undefined
  now: string
}

/** Returns the dispute of a payment after an action of the buyer or the bank. */
export function playDispute(
  action: DisputeAction,
  { payment, refunded_cents, amount_cents, now }: Disputed,
): ProviderDispute {
  const { status, received_cents, dispute } = payment
  if (action !== 'dispute') {
    if (amount_cents !== undefined)
      throw invalid('amount_cents', `Leave this out: ${action} decides about the whole dispute.`)
    if (dispute?.status === 'open')
      return { ...dispute, status: action === 'win' ? 'won' : 'lost', fee_cents: 0 }
    throw invalidState(status, 'This payment has no open dispute. Dispute it first.')
  }
  const left = received_cents - refunded_cents
  if (status !== 'paid' || left < 1)
    throw invalidState(status, 'Nothing of this payment is left at the provider to dispute.')
  if (dispute) throw invalidState('disputed', 'This payment was disputed already.')
  const cents = amount_cents ?? left
  if (cents > left)
    throw invalid('amount_cents', `Use at most ${left}, the amount that is left at the provider.`, {
      rule: 'at_most',
      limit: left,
    })
  return {
    id: `tdp_${payment.payment_id}`,
    status: 'open',
    reason: 'fraudulent',
    amount_cents: cents,
    due_at: iso(Date.parse(now) + ANSWER_DAYS * DAY_MS),
    fee_cents: null,
  }
}

/** Returns the amount that arrives. Without a requested amount, half of the payment is a part, and one unit more is too much. */
function centsOf(action: PaymentAction, due: number, requestedCents: number | undefined): number {
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
  throw invalid('amount_cents', `Use more than ${due}, the amount of the payment.`, {
    rule: 'more_than',
    limit: due,
  })
}
