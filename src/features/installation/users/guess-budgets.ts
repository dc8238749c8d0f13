import type { App } from '../../../app.ts'
import { Refusal } from '../../../kernel/errors.ts'
import { neighbourhoodOf } from '../../../kernel/net.ts'
import { iso, MINUTE_MS, SECOND_MS } from '../../../kernel/time.ts'
import * as q from './queries/budgets.ts'
import { hashToken } from './tokens.ts'

const WINDOW_MS = 15 * MINUTE_MS
/** Wrong passwords and codes within the window (decision 286). */
const LIMITS = { account: 10, device: 10, address: 50 } as const

export interface Guesser {
  email: string
  ip: string
  /** A device from which this user signed in before. */
  device: string | undefined
}

/**
 * Runs a check of a password or code, and counts it if it fails. A known device has a budget of its
 * own, so that wrong guesses from elsewhere cannot lock it out.
 */
export async function withinBudget<T>(
  { db, vault, clock }: App,
  { email, ip, device }: Guesser,
  work: () => Promise<T>,
): Promise<T> {
  const names =
    device === undefined
      ? { account: email, address: neighbourhoodOf(ip) }
      : { device: `${email}|${device}` }
  const limits = new Map(
    Object.entries(names).map(([kind, name]) => [
      hashToken(vault, 'budget', `${kind}|${name}`).toString('hex'),
      LIMITS[kind as keyof typeof LIMITS],
    ]),
  )
  const hashes = [...limits.keys()].map((hash) => Buffer.from(hash, 'hex'))
  const now = clock.now()
  const times = { now: iso(now), resets_at: iso(now + WINDOW_MS) }
  for (const { name_hash, tries, resets_at } of await q.countTries(db, hashes, times)) {
    if (tries > (limits.get(name_hash.toString('hex')) ?? 0)) throw tooMany(resets_at, now)
  }
  const result = await work()
  await q.giveBackTries(db, hashes)
  return result
}

function tooMany(resets_at: string, now: number): Refusal {
  const wait_s = Math.max(1, Math.ceil((Date.parse(resets_at) - now) / SECOND_MS))
  const why =
    'Too many wrong passwords or codes. Wait, or sign in from a device that you used before.'
  return new Refusal('RATE_LIMITED', why, undefined, { 'retry-after': String(wait_s) })
}
