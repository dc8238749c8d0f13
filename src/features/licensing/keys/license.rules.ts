import { invalid, PlainError } from '../../../kernel/errors.ts'
import { iso, later, SECOND_MS } from '../../../kernel/time.ts'
import type { Extension } from './action-schema.ts'
import { type KEY_STATUSES, SECONDS_MAX } from './schema.ts'

/** What a key's status follows from. */
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

/** The first that applies: banned, suspended, expired, unused, active. */
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

/** The end of a license whose term begins now; what has no duration keeps the end it has. */
export const endFrom = (
  { duration_seconds, expires_at }: Pick<Term, 'duration_seconds' | 'expires_at'>,
  now: string,
): string | null => (duration_seconds === null ? expires_at : later(now, duration_seconds))

/** Whether the term waits for the first activation. */
export const waitsForUse = (term: Term): boolean =>
  term.expiry_basis === 'first_activation' &&
  term.duration_seconds !== null &&
  term.expires_at === null &&
  term.first_activated_at === null

/** The term of a license after it was extended. */
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
    throw new PlainError(409, 'This license has no end that could be moved.')
  }
  if (until !== undefined) {
    if (expires_at !== null && until <= expires_at) {
      throw invalid('until', `Use a moment after its end, ${expires_at}.`)
    }
    return { expires_at: until, duration_seconds }
  }
  const end = expires_at ?? now
  const start = from === 'now_if_expired' && isPast(end, now) ? now : end
  return { expires_at: addTo(start, seconds ?? 0), duration_seconds }
}

/**
 * The end of a license that a subscription pays. It moves by as much as the period did, and is never before
 * the end of the paid period. One that was given no end after the start keeps none.
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

/** Later moments are not written in four digits of a year. */
const LAST_MS = Date.UTC(10_000, 0) - 1

const tooLong = () =>
  invalid('seconds', 'Use less: the license would last longer than can be kept.')

interface Resets {
  device_resets_left: number | null
  reset_cooldown_seconds: number
  last_reset_at: string | null
}

/** Refuses to free devices again too early, or once too often. */
export function checkReset(
  { device_resets_left, reset_cooldown_seconds, last_reset_at }: Resets,
  now: string,
): void {
  if (device_resets_left === 0) {
    throw new PlainError(409, 'The devices of this key cannot be freed any more.')
  }
  if (last_reset_at === null) return
  const again = later(last_reset_at, reset_cooldown_seconds)
  const wait_s = Math.ceil((Date.parse(again) - Date.parse(now)) / SECOND_MS)
  if (wait_s <= 0) return
  throw new PlainError(409, `The devices of this key can be freed again at ${again}.`, {
    'retry-after': String(wait_s),
  })
}

const DEVICE_CHANGES_S = 30 * 86_400

/** Changes of devices count for 30 days: those after this moment do. */
export const deviceChangesCountFrom = (now: string): string => later(now, -DEVICE_CHANGES_S)

/** Refuses one more change of devices by the holder; `recent` are those that count, the oldest first. */
export function checkDeviceChange(
  max: number | null,
  recent: readonly string[],
  now: string,
): void {
  if (max === null || recent.length < max) return
  const first = recent[recent.length - max]
  if (first === undefined) {
    throw new PlainError(409, 'This license does not let its holder free devices. Ask the seller.')
  }
  const again = later(first, DEVICE_CHANGES_S)
  const wait_s = Math.ceil((Date.parse(again) - Date.parse(now)) / SECOND_MS)
  throw new PlainError(
    409,
    `This license lets its holder free ${max} devices within 30 days. Try again at ${again}, or ask the seller.`,
    { 'retry-after': String(wait_s) },
  )
}
