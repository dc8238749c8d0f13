import { invalid, Refusal } from '../../../kernel/errors.ts'
import { iso, later, SECOND_MS } from '../../../kernel/time.ts'
import type { Extension } from './action-schema.ts'
import { type KEY_STATUSES, SECONDS_MAX } from './schema.ts'

/** The fields that a key's status is derived from. */
export interface Standing {
  banned_at: string | null
  ban_expires_at: string | null
  suspended_at: string | null
  expires_at: string | null
  first_activated_at: string | null
}

const isPast = (moment: string | null, now: string): boolean =>
  moment !== null && Date.parse(moment) <= Date.parse(now)

export const isBanned = ({ banned_at, ban_expires_at }: Standing, now: string): boolean =>
  banned_at !== null && !isPast(ban_expires_at, now)

/** Returns the first status that applies: banned, suspended, expired, unused, active. */
export function statusOf(key: Standing, now: string): (typeof KEY_STATUSES)[number] {
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

/** The end of a term that starts now. A license without a duration keeps its end. */
export const endFrom = (
  { duration_seconds, expires_at }: Pick<Term, 'duration_seconds' | 'expires_at'>,
  now: string,
): string | null => (duration_seconds === null ? expires_at : later(now, duration_seconds))

/** True if the term starts with the first activation, which has not happened yet. */
export const waitsForUse = (term: Term): boolean =>
  term.expiry_basis === 'first_activation' &&
  term.duration_seconds !== null &&
  term.expires_at === null &&
  term.first_activated_at === null

/** Returns the extended term. A term that has not started gets a longer duration. */
export function extend(
  term: Term,
  { seconds, until, from }: Extension,
  now: string,
): Pick<Term, 'expires_at' | 'duration_seconds'> {
  const { expires_at, duration_seconds } = term
  if (waitsForUse(term) && seconds !== undefined) {
    const longer = (duration_seconds ?? 0) + seconds
    if (longer > SECONDS_MAX) throw tooLong()
    return { expires_at, duration_seconds: longer }
  }
  if (expires_at === null && !waitsForUse(term)) {
    throw new Refusal(409, 'This license has no end, so it cannot be extended.')
  }
  if (until !== undefined) {
    if (expires_at !== null && until <= expires_at) {
      throw invalid('until', `Use a moment after the current end, ${expires_at}.`)
    }
    return { expires_at: until, duration_seconds }
  }
  const end = expires_at ?? now
  const start = from === 'now_if_expired' && isPast(end, now) ? now : end
  return { expires_at: addTo(start, seconds ?? 0), duration_seconds }
}

/**
 * The end of a license that a subscription pays. It moves by the length of the period, and is never before
 * the end of the paid period. If the seller removed the end later, the license keeps none.
 */
export function renewedEnd(
  expires_at: string | null,
  { from, until }: { from: string | null; until: string },
): string | null {
  if (from === null) return expires_at !== null && expires_at > until ? expires_at : until
  if (expires_at === null) return null
  const moved = Date.parse(expires_at) + Date.parse(until) - Date.parse(from)
  return iso(Math.min(LAST_MS, Math.max(moved, Date.parse(until))))
}

function addTo(start: string, seconds: number): string {
  const end = Date.parse(start) + seconds * SECOND_MS
  if (end > LAST_MS) throw tooLong()
  return iso(end)
}

/** The end of year 9999: later moments need more than four digits. */
const LAST_MS = Date.UTC(10_000, 0) - 1

const tooLong = () =>
  invalid(
    'seconds',
    'Use fewer seconds: the end would lie after the latest moment that can be stored.',
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
  const allowed_at = later(last_reset_at, reset_cooldown_seconds)
  const wait_s = Math.ceil((Date.parse(allowed_at) - Date.parse(now)) / SECOND_MS)
  if (wait_s <= 0) return
  throw new Refusal(
    409,
    `The devices of this key can be freed again at ${allowed_at}.`,
    undefined,
    {
      'retry-after': String(wait_s),
    },
  )
}

const DEVICE_CHANGES_S = 30 * 86_400

/** The start of the 30 days in which device changes count. */
export const deviceChangesCountFrom = (now: string): string => later(now, -DEVICE_CHANGES_S)

/** Refuses a device change above the limit. `recent` are the changes that count, oldest first. */
export function checkDeviceChange(
  max: number | null,
  recent: readonly string[],
  now: string,
): void {
  if (max === null || recent.length < max) return
  const first = recent[recent.length - max]
  if (first === undefined) {
    throw new Refusal(
      409,
      'This license does not allow its holder to free devices. Ask the seller.',
    )
  }
  const allowed_at = later(first, DEVICE_CHANGES_S)
  const wait_s = Math.ceil((Date.parse(allowed_at) - Date.parse(now)) / SECOND_MS)
  throw new Refusal(
    409,
    `This license allows its holder to free ${max} devices within 30 days. Try again at ${allowed_at}, or ask the seller.`,
    undefined,
    { 'retry-after': String(wait_s) },
  )
}
