import type { App } from '../../../app.ts'
import type { Tx } from '../../../db/database.ts'
import type { Browser } from '../../../kernel/browser.ts'
import { emailKey } from '../../../kernel/email.ts'
import { Refusal } from '../../../kernel/errors.ts'
import { networkOf } from '../../../kernel/net.ts'
import { HOUR_MS, iso, MINUTE_MS, SECOND_MS } from '../../../kernel/time.ts'
import * as q from './queries/index.ts'
import type { UserSession } from './session.rules.ts'
import { deviceNameIn, hashToken } from './tokens.ts'

const WINDOW_MS = 15 * MINUTE_MS
/** The limits of wrong passwords and codes within the window (decision 286). */
const LIMITS = { account: 10, device: 10, address: 50 } as const

interface Guesser {
  email: string
  ip: string
  /** A device from which this user signed in before. */
  device: string | undefined
}

/** Returns the guesser in a session. Without the cookie of a device, the session counts as the device. */
export const guesserOf = (
  { vault }: Pick<App, 'vault'>,
  browser: Browser,
  { id, user_id, email }: UserSession,
): Guesser => ({
  email,
  ip: browser.ip,
  device: deviceNameIn(vault, user_id, browser.device) ?? `session ${id}`,
})

/**
 * Runs a check of a password or code, and counts an attempt if it throws. Refuses further attempts once a limit is
 * reached. A device of an earlier sign-in has a separate budget, so that wrong guesses from other machines cannot
 * lock it out.
 */
export async function countWrongGuess<T>(
  { db, vault, clock }: App,
  { email, ip, device }: Guesser,
  work: () => Promise<T>,
): Promise<T> {
  const names =
    device === undefined
      ? { account: emailKey(email), address: networkOf(ip) }
      : { device: `${emailKey(email)}|${device}` }
  const limits = new Map(
    Object.entries(names).map(([kind, name]) => [
      hashToken(vault, 'budget', `${kind}|${name}`).toString('hex'),
      LIMITS[kind as keyof typeof LIMITS],
    ]),
  )
  const hashes = [...limits.keys()].map((hash) => Buffer.from(hash, 'hex'))
  const now = clock.now()
  // The attempt is counted before the check, so that concurrent attempts cannot exceed a limit.
  const times = { now: iso(now), resets_at: iso(now + WINDOW_MS) }
  for (const { name_hash, attempts, resets_at } of await q.countAttempts(db, hashes, times)) {
    if (attempts > (limits.get(name_hash.toString('hex')) ?? 0))
      throw tooManyGuesses(resets_at, now)
  }
  try {
    const result = await work()
    await q.uncountAttempts(db, hashes)
    return result
  } catch (error) {
    // The password was right, and the browser now asks for the code.
    if (error instanceof Refusal && error.code === 'CODE_REQUIRED') {
      await q.uncountAttempts(db, hashes)
    }
    throw error
  }
}

function tooManyGuesses(resets_at: string, now: number): Refusal {
  const message =
    'Too many wrong passwords or codes. Wait, or sign in from a device that you used before.'
  return rateLimited(message, { resets_at, now })
}

function rateLimited(
  message: string,
  { resets_at, now }: { resets_at: string; now: number },
): Refusal {
  const wait_s = Math.max(1, Math.ceil((Date.parse(resets_at) - now) / SECOND_MS))
  return new Refusal('RATE_LIMITED', message, undefined, { 'retry-after': String(wait_s) })
}

/** The maximum number of invitations that an address gets within an hour, from all stores (decision 172). */
const INVITATIONS_OF_ADDRESS_MAX = 5

/** Counts an invitation of this address in the transaction that writes it. */
export async function countInvitation(
  tx: Tx,
  { vault }: Pick<App, 'vault'>,
  { email, now }: { email: string; now: number },
): Promise<void> {
  const names = [hashToken(vault, 'budget', `invitation|${emailKey(email)}`)]
  const times = { now: iso(now), resets_at: iso(now + HOUR_MS) }
  const [count] = await q.countAttempts(tx, names, times)
  if (!count || count.attempts <= INVITATIONS_OF_ADDRESS_MAX) return
  const message = `${email} got ${INVITATIONS_OF_ADDRESS_MAX} invitations in the last hour. Wait, or send the last link again.`
  throw rateLimited(message, { resets_at: count.resets_at, now })
}
