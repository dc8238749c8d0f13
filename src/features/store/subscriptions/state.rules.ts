import { invalid, invalidState } from '../../../kernel/errors.ts'
import { DAY_MS, HOUR_MS, iso } from '../../../kernel/time.ts'
import { cyclesAfter } from './cycle.rules.ts'
import type { Cycle, Status } from './schema.ts'

/** Days after the due date on which an unpaid renewal is tried again; the last one ends it (decision 143). */
export const RETRY_DAYS = [1, 3, 5, 7] as const

/** A renewal that is made later than this after its due date counts its retries from then on (decision 262). */
const LATE_MS = HOUR_MS

/** How far ahead the next billing date can be moved. */
export const BILLING_AHEAD_MAX_DAYS = 730

/** The state of a subscription that decides its next step. */
export interface State {
  status: Status
  auto_renew: boolean
  billing_cycle: Cycle
  trial_days: number
  started_at: string | null
  trial_ends_at: string | null
  anchor_at: string | null
  periods: number
  current_period_start: string | null
  current_period_end: string | null
  renewals_count: number
  open_invoice_id: string | null
  billed_at: string | null
  retries: number
  due_at: string | null
  cancelled_at: string | null
}

export type Change = Partial<State>

/** A change that begins a period, which a payment has paid. */
export type Begun = Change & { period: { start: string; end: string } }

const LIVE: readonly Status[] = ['trialing', 'active', 'past_due']
export const isLive = ({ status }: Pick<State, 'status'>): boolean => LIVE.includes(status)

/** The first order was paid: a trial or the first period begins. Late payment starts an expired one too. */
export function started({ trial_days, billing_cycle }: State, now: string): Begun {
  const trial = trial_days > 0 ? iso(Date.parse(now) + trial_days * DAY_MS) : null
  const end = trial ?? cyclesAfter(now, billing_cycle, 1)
  return {
    status: trial ? 'trialing' : 'active',
    auto_renew: true,
    started_at: now,
    trial_ends_at: trial,
    anchor_at: trial ?? now,
    periods: trial ? 0 : 1,
    current_period_start: now,
    current_period_end: end,
    due_at: end,
    period: { start: now, end },
  }
}

export const canStart = ({ status, started_at }: State): boolean =>
  started_at === null && (status === 'pending' || status === 'expired')

/** The period that the next renewal pays. */
export function nextPeriod({ anchor_at, billing_cycle, periods, current_period_end }: State) {
  if (!anchor_at || !current_period_end) throw new Error('The subscription has not started.')
  const end = cyclesAfter(anchor_at, billing_cycle, periods + 1)
  return { start: current_period_end, end }
}

/** A renewal was paid. */
export function renewed(state: State): Begun {
  const { start, end } = nextPeriod(state)
  return {
    status: 'active',
    periods: state.periods + 1,
    current_period_start: start,
    current_period_end: end,
    renewals_count: state.renewals_count + 1,
    open_invoice_id: null,
    billed_at: null,
    retries: 0,
    due_at: end,
    period: { start, end },
  }
}

/** Since when a renewal counts as due: its due date, unless it could not be billed then. */
export function billedAt({ due_at }: Pick<State, 'due_at'>, now: string): string {
  return due_at !== null && Date.parse(now) - Date.parse(due_at) <= LATE_MS ? due_at : now
}

/** An attempt to take the payment failed; undefined if it was the last one. */
export function unpaid(state: State): Change | undefined {
  const { billed_at, status } = state
  if (!billed_at) throw new Error('The subscription has no renewal to retry.')
  const retries = status === 'past_due' ? state.retries + 1 : 0
  const days = RETRY_DAYS[retries]
  if (days === undefined) return undefined
  return { status: 'past_due', retries, due_at: iso(Date.parse(billed_at) + days * DAY_MS) }
}

/** It has ended, and nothing is due any more. */
export function ended(status: 'cancelled' | 'expired', state: State, now: string): Change {
  return {
    status,
    auto_renew: false,
    open_invoice_id: null,
    billed_at: null,
    due_at: null,
    ...(status === 'cancelled' && { cancelled_at: state.cancelled_at ?? now }),
  }
}

/** No renewal follows the current period. */
export function cancelledAtEnd(state: State, now: string): Change {
  return { auto_renew: false, cancelled_at: now, due_at: state.current_period_end }
}

/** Returns true if no paid time is left, so a cancellation takes effect at once. */
export const hasNoTimeLeft = ({ status }: Pick<State, 'status'>): boolean => status === 'past_due'

export function checkCancellable(state: State, atPeriodEnd: boolean): void {
  const { status } = state
  if (status === 'pending') {
    throw invalidState(status, 'This subscription is pending; cancel its first order instead.')
  }
  if (!isLive(state)) throw invalidState(status, `This subscription is ${status} already.`)
  if (atPeriodEnd && !state.auto_renew) {
    throw invalidState(
      status,
      'This subscription ends with its period already; send at_period_end: false to end it now.',
    )
  }
}

/** Undoes a cancellation at the period's end. */
export function resumed(state: State): Change {
  const { status, current_period_end } = state
  if (!isLive(state)) {
    throw invalidState(status, `This subscription is ${status}; only a live one can be resumed.`)
  }
  if (state.auto_renew) {
    throw invalidState(status, 'This subscription renews; there is no cancellation to undo.')
  }
  return { auto_renew: true, cancelled_at: null, due_at: current_period_end }
}

/** Bills later: the current period, or the trial, lasts until then, and later periods count from it. */
export function postponed(state: State, date: string, now: string): Change {
  const { status, due_at } = state
  if ((status !== 'active' && status !== 'trialing') || !state.auto_renew || due_at === null) {
    throw invalidState(
      status,
      'Only the next billing date of an active or trialing subscription that renews can be moved.',
    )
  }
  if (date <= due_at) {
    throw invalid('next_billing_date', `Use a moment after ${due_at}; it can only move later.`)
  }
  if (Date.parse(date) > Date.parse(now) + BILLING_AHEAD_MAX_DAYS * DAY_MS) {
    throw invalid('next_billing_date', `Use at most ${BILLING_AHEAD_MAX_DAYS} days from now.`)
  }
  return {
    current_period_end: date,
    anchor_at: date,
    periods: 0,
    due_at: date,
    ...(status === 'trialing' && { trial_ends_at: date }),
  }
}
