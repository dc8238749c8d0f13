import { statusOf } from '../keys/index.ts'
import type { Outcome } from './evaluate-license.rules.ts'
import type { SessionRow } from './queries/sessions.ts'

/** The `ended_reason` of a session. */
export const endedReasonOf = (why: Outcome): string => why.toLowerCase()

/** True if the session was ended or has expired, or its app is disabled. */
export function hasEnded(row: SessionRow, now: string): boolean {
  const over = row.lease_expires_at <= now || row.session_expires_at <= now
  return row.ended_at !== null || over || row.app_status === 'disabled'
}

/** Why a live session may not continue; undefined if it may. */
export function whyNotContinue(row: SessionRow, now: string): Outcome | undefined {
  const status = row.key_id === null ? undefined : statusOf(row, now)
  if (status === 'banned') return 'BANNED'
  if (row.banned || row.device_status === 'banned') return 'DEVICE_BANNED'
  if (status === 'suspended') return 'SUSPENDED'
  return status === 'expired' ? 'EXPIRED' : undefined
}
