import type { Outcome } from '../../sender/outcome.rules.ts'
import { LOST_FREE_MAX, RETRY_AFTER_MS, waitAfter } from './retry.rules.ts'

/** The position of a delivery on its schedule, before the current attempt. */
export interface DeliveryProgress {
  /** The number of attempts so far, of every kind. */
  attempts: number
  /** The number of failures that used one of the seven attempts of the schedule. */
  step: number
  /** The number of leases that were lost because a process crashed. */
  lost: number
}

interface NextDeliveryState {
  status: 'pending' | 'succeeded' | 'failed'
  attempts: number
  step: number
  wait_ms: number | null
}

/** Returns true if a delivery whose workers crash has used all of its seven attempts. */
export const isExhausted = (before: DeliveryProgress): boolean =>
  usedSteps(before) > RETRY_AFTER_MS.length

/**
 * The first crashes use no attempt of the schedule, because they are not the receiver's fault. Later ones do, so
 * that a delivery that always crashes the process ends.
 */
const usedSteps = ({ step, lost }: DeliveryProgress): number =>
  step + Math.max(0, lost - LOST_FREE_MAX)

/**
 * Returns the state of a delivery after an attempt: succeeded, due again by the schedule, or given up. `chance`
 * is a number from 0 to 1, and 0 if the store's clock was moved (decision 17).
 */
export function resultOf(
  before: DeliveryProgress,
  { ok }: Pick<Outcome, 'ok'>,
  chance: number,
): NextDeliveryState {
  const attempts = before.attempts + 1
  if (ok) return { status: 'succeeded', attempts, step: before.step, wait_ms: null }
  const step = before.step + 1
  const wait_ms = waitAfter(usedSteps(before) + 1, chance)
  if (wait_ms === undefined) return { status: 'failed', attempts, step, wait_ms: null }
  return { status: 'pending', attempts, step, wait_ms }
}

/** Returns the state after a manual attempt. A failure does not change the schedule. */
export const manualResultOf = (
  { attempts, step }: DeliveryProgress,
  { ok }: Pick<Outcome, 'ok'>,
): NextDeliveryState => ({
  status: ok ? 'succeeded' : 'failed',
  attempts: attempts + 1,
  step,
  wait_ms: null,
})
