import type { App } from '../../../app.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import type { Browser, Cookies } from '../../../kernel/browser.ts'
import { found, Refusal } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import { checkCode } from './check-code.ts'
import { withinBudget } from './guess-budgets.ts'
import { isPassword } from './passwords.ts'
import { renewSession, takeLink } from './queries/sessions.ts'
import { selectStoresOfUser, selectUser, selectUserByEmail, type UserRow } from './queries/users.ts'
import type { SignIn } from './schema.ts'
import type { UserSession } from './session.rules.ts'
import { startSession } from './start-session.ts'
import { deviceOf, hashToken, isToken, newDevice, newToken } from './tokens.ts'

/** Checks a password and a code. An unknown address gets the same answer, after the same time. */
export async function signIn(
  app: App,
  browser: Browser,
  { email, password, code }: SignIn,
): Promise<{ user: UserRow; cookies: Cookies }> {
  const user = await selectUserByEmail(app.db, email)
  const device = user && deviceOf(app.vault, user.id, browser.device)
  await withinBudget(app, { email, ip: browser.ip, device }, async () => {
    const isRight = await isPassword(user?.password_hash ?? null, password)
    if (!user || !isRight) {
      throw new Refusal('SIGN_IN_FAILED', 'The e-mail address or the password is wrong.')
    }
    await checkCode(app, user, code)
  })
  const known = found(user, 'User')
  const session = await startSession(app.db, app, browser, { user_id: known.id, stepped_up: true })
  return { user: known, cookies: { session, device: newDevice(app.vault, known.id) } }
}

/** Checks the password again, and gives the session a new token (decision 137). */
export async function stepUp(
  app: App,
  browser: Browser,
  session: UserSession,
  password: string,
): Promise<Cookies> {
  const { user_id, email } = session
  const device = deviceOf(app.vault, user_id, browser.device) ?? `session ${session.id}`
  await withinBudget(app, { email, ip: browser.ip, device }, async () => {
    const user = await selectUser(app.db, user_id)
    if (user?.password_hash === null) {
      throw new Refusal(
        'STEP_UP_REQUIRED',
        'You have no password yet. Set one first: POST /dashboard/api/password.',
      )
    }
    if (!(await isPassword(user?.password_hash ?? null, password))) {
      throw new Refusal('SIGN_IN_FAILED', 'The password is wrong.')
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
  const renewed = { token_hash: hashToken(vault, 'session', token), now: iso(clock.now()) }
  if (!(await renewSession(db, id, renewed))) throw signInRequired()
  return { session: token }
}

export const signInRequired = () =>
  new Refusal('SIGN_IN_REQUIRED', 'Sign in first: this session does not exist or has ended.')

/**
 * Uses up a link that an operator printed; undefined if it was used or has expired. It proves no
 * password, so the session is not stepped up.
 */
export async function openLink(
  app: App,
  browser: Browser,
  token: string,
): Promise<{ cookies: Cookies; store: string | undefined } | undefined> {
  if (!isToken(token)) return undefined
  const now = iso(app.clock.now())
  return inTransaction(app.db, async (tx) => {
    const kinds = ['sign_in', 'reset'] as const
    const link = await takeLink(tx, hashToken(app.vault, 'link', token), { kinds, now })
    if (!link) return undefined
    const session = await startSession(tx, app, browser, {
      user_id: link.user_id,
      stepped_up: false,
      resets_password: link.kind === 'reset',
    })
    const [first] = await selectStoresOfUser(tx, link.user_id)
    const cookies = { session, device: newDevice(app.vault, link.user_id) }
    return { cookies, store: first?.id }
  })
}
