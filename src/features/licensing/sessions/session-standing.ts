import { statusOf } from '../keys/index.ts'
import type { Outcome } from './outcome.rules.ts'
import type { SessionRow } from './queries/sessions.ts'

/** What a session's row says it ended of. */
export const reasonOf = (why: Outcome): string => why.toLowerCase()

/** Whether it is over, for whatever reason, at this moment. */
export function hasEnded(row: SessionRow, now: string): boolean {
  const over = row.lease_expires_at <= now || row.session_expires_at <= now
  return row.ended_at !== null || over || row.app_status === 'disabled'
}

/** Why a session that runs may not go on; undefined where it may. */
export function whyNot(row: SessionRow, now: string): Outcome | undefined {
  const status = row.key_id === null ? undefined : statusOf(row, now)
  if (status === 'banned') return 'BANNED'
  if (row.banned || row.device_status === 'banned') return 'DEVICE_BANNED'
  if (status === 'suspended') return 'SUSPENDED'
  return status === 'expired' ? 'EXPIRED' : undefined
}
