import { invalid, invalidState } from '../../../kernel/errors.ts'
import { DAY_MS, HOUR_MS, iso } from '../../../kernel/time.ts'
import { cyclesAfter } from './cycle.rules.ts'
import type { Cycle, SubscriptionStatus } from './schema.ts'

/** Days after the due date on which the payment of a renewal is retried. If the last attempt fails, the renewal expires (decision 143). */
const RETRY_DAYS = [1, 3, 5, 7] as const

/** The retries of a renewal that is billed later than this after its due date are counted from the billing. */
const LATE_MS = HOUR_MS

/** The maximum number of days by which the next billing date can be ahead of the present. */
const BILLING_AHEAD_MAX_DAYS = 730

/** The fields of a subscription from which its next state is computed. */
export interface State {
  status: SubscriptionStatus
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

export type StateChange = Partial<State>

/** A change that begins a paid period. */
export type PeriodChange = StateChange & { period: { start: string; end: string } }

const RUNNING_STATUSES: readonly SubscriptionStatus[] = ['trialing', 'active', 'past_due']
export const isRunning = ({ status }: Pick<State, 'status'>): boolean =>
  RUNNING_STATUSES.includes(status)

/**
 * The change after the payment of the first order: a trial or the first period begins. A customer has the free trial
 * of a product once: the first renewal of a later order is due at once (decision 176).
 */
export function startChange(state: State & { has_used_trial: boolean }, now: string): PeriodChange {
  const { trial_days, billing_cycle, has_used_trial } = state
  const trialEnd =
    trial_days > 0 && !has_used_trial ? iso(Date.parse(now) + trial_days * DAY_MS) : null
  const end = trialEnd ?? (has_used_trial ? now : cyclesAfter(now, billing_cycle, 1))
  return {
    status: trialEnd ? 'trialing' : 'active',
    ...(willRenew(state) ? { auto_renew: true } : { auto_renew: false, cancelled_at: now }),
    started_at: now,
    trial_ends_at: trialEnd,
    anchor_at: trialEnd ?? now,
    periods: trial_days > 0 ? 0 : 1,
    current_period_start: now,
    current_period_end: end,
    due_at: end,
    period: { start: now, end },
  }
}

/** The renewals of a subscription are stopped before its first order is paid if its product is deleted (decision 177). */
const willRenew = ({ status, auto_renew }: State): boolean => status !== 'pending' || auto_renew

/** A late payment also starts an expired subscription. */
export const canStart = ({ status, started_at }: State): boolean =>
  started_at === null && (status === 'pending' || status === 'expired')

/** Returns the period that the next renewal pays. */
export function nextPeriod({ anchor_at, billing_cycle, periods, current_period_end }: State) {
  if (!anchor_at || !current_period_end)
    throw new Error('A subscription that has not started has no next period.')
  const end = cyclesAfter(anchor_at, billing_cycle, periods + 1)
  return { start: current_period_end, end }
}

/** The change after the payment of a renewal. */
export function renewalChange(state: State): PeriodChange {
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

/** Returns the time from which retries are counted: the due date, or now if the renewal is billed late. */
export function retriesStart({ due_at }: Pick<State, 'due_at'>, now: string): string {
  return due_at !== null && Date.parse(now) - Date.parse(due_at) <= LATE_MS ? due_at : now
}

/** The change after a failed attempt to charge a renewal; undefined after the last attempt. */
export function failedAttemptChange(state: State): StateChange | undefined {
  const { billed_at, status } = state
  if (!billed_at) throw new Error('A subscription without an unpaid renewal has no retry.')
  const retries = status === 'past_due' ? state.retries + 1 : 0
  const days = RETRY_DAYS[retries]
  if (days === undefined) return undefined
  return { status: 'past_due', retries, due_at: iso(Date.parse(billed_at) + days * DAY_MS) }
}

/** Returns the time of the last retry of a renewal. */
export const lastRetryAt = (billedAt: string): string =>
  iso(Date.parse(billedAt) + (RETRY_DAYS.at(-1) ?? 0) * DAY_MS)

/** The change that ends a subscription. */
export function endChange(status: 'cancelled' | 'expired', state: State, now: string): StateChange {
  return {
    status,
    auto_renew: false,
    open_invoice_id: null,
    billed_at: null,
    due_at: null,
    ...(status === 'cancelled' && { cancelled_at: state.cancelled_at ?? now }),
  }
}

/** The change that cancels a subscription at the end of its period. */
export function cancellationAtEndChange(state: State, now: string): StateChange {
  return { auto_renew: false, cancelled_at: now, due_at: state.current_period_end }
}

/** Returns true if the current period is not paid, so that a cancellation takes effect immediately. */
export const isCurrentPeriodUnpaid = ({ status }: Pick<State, 'status'>): boolean =>
  status === 'past_due'

export function checkCancellable(state: State, { atPeriodEnd }: { atPeriodEnd: boolean }): void {
  const { status } = state
  if (status === 'pending') {
    throw invalidState(status, 'This subscription is pending. Cancel its first order instead.')
  }
  if (!isRunning(state)) throw invalidState(status, `This subscription is ${status} already.`)
  if (atPeriodEnd && !state.auto_renew) {
    throw invalidState(
      status,
      'This subscription already ends with its period. Send at_period_end: false to end it now.',
    )
  }
}

/** The change that undoes a cancellation at the end of the period. */
export function resumeChange(state: State): StateChange {
  const { status, current_period_end } = state
  if (!isRunning(state)) {
    throw invalidState(
      status,
      `This subscription is ${status} and cannot be resumed. Only a trialing or active subscription can be resumed.`,
    )
  }
  if (state.auto_renew) {
    throw invalidState(status, 'This subscription is not cancelled, so it cannot be resumed.')
  }
  return { auto_renew: true, cancelled_at: null, due_at: current_period_end }
}

/** Refuses a new payment method for a subscription that is not renewed, or that takes the method of its first order. */
export function checkMethodChange({ status }: Pick<State, 'status'>): void {
  if (status === 'pending') {
    throw invalidState(
      status,
      'This subscription is pending. Renewals are paid by the method of its first order. Change it after the payment.',
    )
  }
  if (!isRunning({ status })) {
    throw invalidState(status, `This subscription is ${status}, so it is not renewed.`)
  }
}

/** The change to a later billing date, which extends the current period or trial and is the new anchor. */
export function postponeChange(state: State, date: string, now: string): StateChange {
  const { status, due_at } = state
  if ((status !== 'active' && status !== 'trialing') || !state.auto_renew || due_at === null) {
    throw invalidState(
      status,
      'The next billing date can be moved only while the subscription is active or trialing and renews.',
    )
  }
  if (date <= due_at) {
    throw invalid(
      'next_billing_date',
      `The next billing date can only be moved to a later time. Use a time after ${due_at}.`,
    )
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
