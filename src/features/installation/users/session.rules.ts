import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../kernel/time.ts'
import type { Role } from './roles.ts'

/** A valid session with its user, and the user's role in the store of the call. */
export interface UserSession {
  id: number
  user_id: number
  email: string
  name: string
  has_password: boolean
  has_totp: boolean
  /** Null if the call names no store, or the user has no role there. */
  role: Role | null
  created_at: string
  seen_at: string
  stepped_up_at: string | null
  resets_password: boolean
}

/** The longest time without a call, and the longest age of a session (decisions 135 and 137). */
export const IDLE_MS = 12 * HOUR_MS
export const SESSION_MS = 30 * DAY_MS
const STEP_UP_MS = 10 * MINUTE_MS

export const LINK_MS = HOUR_MS
export const INVITATION_MS = 7 * DAY_MS

/** Returns true if the user gave a password or a passkey in the last 10 minutes. */
export const isSteppedUp = (
  { stepped_up_at }: { stepped_up_at: string | null },
  now: number,
): boolean => stepped_up_at !== null && now - Date.parse(stepped_up_at) < STEP_UP_MS

/** Returns the end of a session if its user makes no further call, in Unix milliseconds. */
export const endOfSession = ({
  seen_at,
  created_at,
}: Pick<UserSession, 'seen_at' | 'created_at'>): number =>
  Math.min(Date.parse(seen_at) + IDLE_MS, Date.parse(created_at) + SESSION_MS)
