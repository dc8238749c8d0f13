import { keyStatusOf } from '../keys/index.ts'
import type { LicenseOutcome } from './evaluate-license.rules.ts'
import type { SessionRow } from './queries/sessions.ts'

/** Returns the `ended_reason` for an outcome that ends a session. */
export const endedReasonOf = (outcome: LicenseOutcome): string => outcome.toLowerCase()

/** Returns true if the session was ended or has expired, or its app is disabled. */
export function hasEnded(row: SessionRow, now: string): boolean {
  const isExpired = row.lease_expires_at <= now || row.session_expires_at <= now
  return row.ended_at !== null || isExpired || row.app_status === 'disabled'
}

/** Returns the outcome that ends a live session; undefined if the session may continue. */
export function sessionRefusal(row: SessionRow, now: string): LicenseOutcome | undefined {
  const status = row.key_id === null ? undefined : keyStatusOf(row, now)
  if (status === 'banned') return 'BANNED'
  if (row.banned || row.device_status === 'banned') return 'DEVICE_BANNED'
  if (status === 'suspended') return 'SUSPENDED'
  return status === 'expired' ? 'EXPIRED' : undefined
}
