import type { App } from '../../../app.ts'
import { iso, MINUTE_MS } from '../../../kernel/time.ts'
import * as q from './queries/index.ts'
import type { UserSession } from './session.rules.ts'
import { hashToken, isToken } from './tokens.ts'

/** The minimum time between two updates of `seen_at`. */
const SEEN_PRECISION_MS = 5 * MINUTE_MS

/**
 * Finds the session of a cookie, and the user's role in a store. The result is not cached, so that every
 * process refuses an ended session at once.
 */
export async function findUserSession(
  { db, vault, clock }: Pick<App, 'db' | 'vault' | 'clock'>,
  token: string,
  storeId?: number,
): Promise<UserSession | undefined> {
  if (!isToken(token)) return undefined
  const now = clock.now()
  const session = await q.selectSession(db, hashToken(vault, 'session', token), { storeId, now })
  if (session && now - Date.parse(session.seen_at) > SEEN_PRECISION_MS) {
    await q.touchSession(db, session.id, iso(now))
  }
  return session
}
