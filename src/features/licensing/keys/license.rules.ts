import { counted } from '../../../kernel/counted.ts'
import { invalid, Refusal } from '../../../kernel/errors.ts'
import { addSeconds, iso, SECOND_MS } from '../../../kernel/time.ts'
import type { Extension } from './action-schema.ts'
import { type KEY_STATUSES, SECONDS_MAX } from './schema.ts'

/** The fields from which the status of a key is derived. */
export interface StatusFields {
  banned_at: string | null
  ban_expires_at: string | null
  suspended_at: string | null
  expires_at: string | null
  first_activated_at: string | null
}

const isPast = (moment: string | null, now: string): boolean =>
  moment !== null && Date.parse(moment) <= Date.parse(now)

export const isBanned = ({ banned_at, ban_expires_at }: StatusFields, now: string): boolean =>
  banned_at !== null && !isPast(ban_expires_at, now)

/** Returns the first status that applies: banned, suspended, expired, unused, active. */
export function keyStatusOf(key: StatusFields, now: string): (typeof KEY_STATUSES)[number] {
  if (isBanned(key, now)) return 'banned'
  if (key.suspended_at !== null) return 'suspended'
  if (isPast(key.expires_at, now)) return 'expired'
  return key.first_activated_at === null ? 'unused' : 'active'
}

interface Term {
  expires_at: string | null
  duration_seconds: number | null
  expiry_basis: 'creation' | 'first_activation'
  first_activated_at: string | null
}

/** Returns the end of a term that starts now. A license without a duration keeps its end. */
export const endFrom = (
  { duration_seconds, expires_at }: Pick<Term, 'duration_seconds' | 'expires_at'>,
  now: string,
): string | null => (duration_seconds === null ? expires_at : addSeconds(now, duration_seconds))

/** Returns true if the term starts with the first activation and the key was never activated. */
export const awaitsActivation = (term: Term): boolean =>
  term.expiry_basis === 'first_activation' &&
  term.duration_seconds !== null &&
  term.expires_at === null &&
  term.first_activated_at === null

/** Returns the extended term. A term that has not started gets a longer duration. */
export function extendTerm(
  term: Term,
  { seconds, until, from }: Extension,
  now: string,
): Pick<Term, 'expires_at' | 'duration_seconds'> {
  const { expires_at, duration_seconds } = term
  if (awaitsActivation(term) && seconds !== undefined) {
    const extendedSeconds = (duration_seconds ?? 0) + seconds
    if (extendedSeconds > SECONDS_MAX) throw tooManySeconds()
    return { expires_at, duration_seconds: extendedSeconds }
  }
  if (expires_at === null && !awaitsActivation(term)) {
    throw new Refusal(
      409,
      'This license has no end, so it cannot be extended. Set expires_at with PATCH to give it an end.',
    )
  }
  if (until !== undefined) {
    if (expires_at !== null && until <= expires_at) {
      throw invalid('until', `Use a moment after the current end, ${expires_at}.`)
    }
    return { expires_at: until, duration_seconds }
  }
  const end = expires_at ?? now
  const start = from === 'now_if_expired' && isPast(end, now) ? now : end
  return { expires_at: extendedEnd(start, seconds ?? 0), duration_seconds }
}

/**
 * Returns the end of a license that a subscription renews: the later of two times, the present end plus the length of
 * the paid period, and the end of the paid period. At the start of the subscription (`from` is null), the length is not
 * added. If the seller removed the end after the sale, the license stays without one.
 */
export function renewedEnd(
  expires_at: string | null,
  { from, until }: { from: string | null; until: string },
): string | null {
  if (from === null) return expires_at !== null && expires_at > until ? expires_at : until
  if (expires_at === null) return null
  const movedEnd = Date.parse(expires_at) + Date.parse(until) - Date.parse(from)
  return iso(Math.min(LAST_MS, Math.max(movedEnd, Date.parse(until))))
}

function extendedEnd(start: string, seconds: number): string {
  const end = Date.parse(start) + seconds * SECOND_MS
  if (end > LAST_MS) throw tooManySeconds()
  return iso(end)
}

/** The end of the year 9999. Later years need more than four digits. */
const LAST_MS = Date.UTC(10_000, 0) - 1

const tooManySeconds = () =>
  invalid(
    'seconds',
    'Use fewer seconds. The license would end after the latest moment that can be stored.',
  )

interface Resets {
  device_resets_left: number | null
  reset_cooldown_seconds: number
  last_reset_at: string | null
}

/** Refuses a reset during the cooldown, or if no resets are left. */
export function checkReset(
  { device_resets_left, reset_cooldown_seconds, last_reset_at }: Resets,
  now: string,
): void {
  if (device_resets_left === 0) {
    throw new Refusal(
      409,
      'This key has no device resets left. Raise device_resets_left or send force.',
    )
  }
  if (last_reset_at === null) return
  const allowed_at = addSeconds(last_reset_at, reset_cooldown_seconds)
  const wait_s = Math.ceil((Date.parse(allowed_at) - Date.parse(now)) / SECOND_MS)
  if (wait_s <= 0) return
  throw new Refusal(
    409,
    `The devices of this key can be reset again at ${allowed_at}.`,
    undefined,
    {
      'retry-after': String(wait_s),
    },
  )
}

const DEVICE_CHANGE_WINDOW_S = 30 * 86_400

/** Returns the start of the 30 days within which device changes are counted. */
export const deviceChangeWindowStart = (now: string): string =>
  addSeconds(now, -DEVICE_CHANGE_WINDOW_S)

/** Refuses a device change above the limit. `changes` has the moments of the counted changes, oldest first. */
export function checkDeviceChange(max: number, changes: readonly string[], now: string): void {
  if (max === 0) {
    throw new Refusal(409, 'This license does not allow customers to free devices. Ask the seller.')
  }
  const oldestCounted = changes.at(-max)
  if (oldestCounted === undefined) return
  const allowed_at = addSeconds(oldestCounted, DEVICE_CHANGE_WINDOW_S)
  const wait_s = Math.ceil((Date.parse(allowed_at) - Date.parse(now)) / SECOND_MS)
  throw new Refusal(
    409,
    `This license allows customers to free ${counted(max, 'device')} within 30 days. Try again at ${allowed_at}, or ask the seller.`,
    undefined,
    { 'retry-after': String(wait_s) },
  )
}
