import type { Outcome } from '../../sender/outcome.rules.ts'
import { LOST_FREE_MAX, RETRY_AFTER_MS, waitAfter } from './retry.rules.ts'

/** The position of a delivery on its schedule, before the current attempt. */
export interface Progress {
  /** Tries so far, of every kind. */
  attempts: number
  /** Failures so far that used up one of the seven attempts. */
  step: number
  /** Leases of it that were lost to a crash. */
  lost: number
}

export interface Result {
  status: 'pending' | 'succeeded' | 'failed'
  attempts: number
  step: number
  wait_ms: number | null
}

/** Returns true if a delivery whose workers crash has used all of its seven attempts. */
export const isSpent = (before: Progress): boolean => usedBy(before) > RETRY_AFTER_MS.length

/** A crash is ours, so it uses none of the attempts; a delivery that always crashes us ends anyway. */
const usedBy = ({ step, lost }: Progress): number => step + Math.max(0, lost - LOST_FREE_MAX)

/**
 * Returns the state of a delivery after an attempt: succeeded, due again by the schedule, or given up. `chance` is 0 to
 * 1, and 0 under a moved clock (decision 17).
 */
export function resultOf(before: Progress, { ok }: Pick<Outcome, 'ok'>, chance: number): Result {
  const attempts = before.attempts + 1
  if (ok) return { status: 'succeeded', attempts, step: before.step, wait_ms: null }
  const step = before.step + 1
  const wait_ms = waitAfter(usedBy(before) + 1, chance)
  if (wait_ms === undefined) return { status: 'failed', attempts, step, wait_ms: null }
  return { status: 'pending', attempts, step, wait_ms }
}

/** A manual attempt is outside the schedule: a failure leaves its step and its due time as they were. */
export const manualResultOf = (
  { attempts, step }: Progress,
  { ok }: Pick<Outcome, 'ok'>,
): Result => ({
  status: ok ? 'succeeded' : 'failed',
  attempts: attempts + 1,
  step,
  wait_ms: null,
})
