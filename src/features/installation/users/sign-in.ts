import type { App } from '../../../app.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import type { Browser, Cookies } from '../../../kernel/browser.ts'
import { Refusal } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import { turnTotpOff } from './change-totp.ts'
import { checkCode } from './check-code.ts'
import { countWrongGuess, guesserOf } from './guess-budgets.ts'
import { matchesPassword } from './passwords.ts'
import * as q from './queries/index.ts'
import type { SignIn } from './schema.ts'
import type { UserSession } from './session.rules.ts'
import { startSession } from './start-session.ts'
import { deviceNameIn, hashToken, isToken, newDeviceCookie, newToken } from './tokens.ts'

/** Checks a password and a code. An unknown address gets the same refusal after the same time. */
export async function signIn(
  app: App,
  browser: Browser,
  { email, password, code }: SignIn,
): Promise<{ user: q.UserRow; cookies: Cookies }> {
  const user = await q.selectUserByEmail(app.db, email)
  const device = user && deviceNameIn(app.vault, user.id, browser.device)
  const guesser = { email, ip: browser.ip, device }
  const signedInUser = await countWrongGuess(app, guesser, async () => {
    const isRight = await matchesPassword(user?.password_hash ?? null, password)
    if (!user || !isRight) throw signInFailed()
    await checkCode(app, user, code)
    return user
  })
  const user_id = signedInUser.id
  const sessionToken = await inTransaction(app.db, async (tx) => {
    // A change of the password ends all sessions. This one must not start after it with the old password.
    const currentUser = await q.lockUser(tx, user_id)
    if (!currentUser || !hasSameSecrets(currentUser, signedInUser)) throw signInFailed()
    return startSession(tx, app, browser, { user_id, stepped_up: true })
  })
  const cookies = { session: sessionToken, device: newDeviceCookie(app.vault, user_id) }
  return { user: signedInUser, cookies }
}

const signInFailed = () =>
  new Refusal(
    'SIGN_IN_FAILED',
    'The email address or the password is wrong. Check both, or reset the password.',
  )

const hasSameSecrets = (user: q.UserRow, other: q.UserRow): boolean =>
  user.password_hash === other.password_hash && user.totp_enabled_at === other.totp_enabled_at

/** Checks the password again, and gives the session a new token (decision 137). */
export async function stepUp(
  app: App,
  browser: Browser,
  session: UserSession,
  password: string,
): Promise<Cookies> {
  await countWrongGuess(app, guesserOf(app, browser, session), async () => {
    const user = await q.selectUser(app.db, session.user_id)
    if (user?.password_hash === null) {
      throw new Refusal(
        'STEP_UP_REQUIRED',
        'You have no password yet. Set one first: POST /dashboard/api/password.',
      )
    }
    if (!(await matchesPassword(user?.password_hash ?? null, password))) {
      throw new Refusal('SIGN_IN_FAILED', 'The password is wrong. Check it, or reset it.')
    }
  })
  return renewToken(app.db, app, session)
}

/** Marks the session as stepped up, and gives it a new token. */
export async function renewToken(
  db: Db,
  { vault, clock }: Pick<App, 'vault' | 'clock'>,
  { id }: Pick<UserSession, 'id'>,
): Promise<Cookies> {
  const token = newToken()
  const renewal = { token_hash: hashToken(vault, 'session', token), now: iso(clock.now()) }
  if (!(await q.renewSession(db, id, renewal))) throw signInRequired()
  return { session: token }
}

export const signInRequired = () =>
  new Refusal('SIGN_IN_REQUIRED', 'Sign in first: this session does not exist or has ended.')

/**
 * Signs in with a link that an operator printed. Returns undefined if the link was used or has expired.
 * The user gave no password, so the session is not stepped up.
 */
export async function startSessionByLink(
  app: App,
  browser: Browser,
  token: string,
): Promise<{ cookies: Cookies; store: string | undefined } | undefined> {
  if (!isToken(token)) return undefined
  const now = iso(app.clock.now())
  return inTransaction(app.db, async (tx) => {
    const kinds = ['sign_in', 'reset'] as const
    const link = await q.consumeLink(tx, hashToken(app.vault, 'link', token), { kinds, now })
    if (!link) return undefined
    if (link.kind === 'reset' && !link.keeps_factors) await turnTotpOff(tx, app, link.user_id)
    const sessionToken = await startSession(tx, app, browser, {
      user_id: link.user_id,
      stepped_up: false,
      resets_password: link.kind === 'reset',
    })
    const [first] = await q.selectStoresOfUser(tx, link.user_id)
    const cookies = { session: sessionToken, device: newDeviceCookie(app.vault, link.user_id) }
    return { cookies, store: first?.id }
  })
}
