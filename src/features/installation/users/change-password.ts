import { type App, storeContextOf } from '../../../app.ts'
import { changesOfNew } from '../../../audit/changes.rules.ts'
import { inTransaction, type Tx } from '../../../db/database.ts'
import { createBackgroundWork } from '../../../kernel/background-work.ts'
import type { Browser, Cookies } from '../../../kernel/browser.ts'
import { invalid, notFound, Refusal, requireRecord } from '../../../kernel/errors.ts'
import { createRepeatedFailures } from '../../../kernel/repeated-failures.ts'
import { iso } from '../../../kernel/time.ts'
import { queueMail } from '../mail/index.ts'
import { selectStoreById } from '../stores/index.ts'
import { checkCode } from './check-code.ts'
import { countWrongGuess, guesserOf } from './guess-budgets.ts'
import { listPasskeys } from './passkeys.ts'
import { checkPassword, hashPassword, matchesPassword } from './passwords.ts'
import * as q from './queries/index.ts'
import { recordForUser } from './record-for-user.ts'
import type { NewPassword, Passkey, ResetConfirmation } from './schema.ts'
import { LINK_MS, type UserSession } from './session.rules.ts'
import { signInRequired } from './sign-in.ts'
import { startSession } from './start-session.ts'
import { hashToken, isToken, newDeviceCookie, newToken } from './tokens.ts'

/** Sets the password, ends the user's other sessions, and gives this one a new token. */
export async function changePassword(
  app: App,
  browser: Browser,
  session: UserSession,
  { password, current_password }: NewPassword,
): Promise<Cookies> {
  const { user_id, email } = session
  checkPassword('password', password, email)
  const user = requireRecord(await q.selectUser(app.db, user_id), 'User')
  if (user.password_hash !== null && !session.resets_password) {
    await checkCurrentPassword(app, browser, session, { user, current_password })
  }
  const password_hash = await hashPassword(password)
  const token = newToken()
  await inTransaction(app.db, async (tx) => {
    await q.lockUser(tx, user_id)
    const renewal = { token_hash: hashToken(app.vault, 'session', token), now: nowOf(app) }
    if (!(await q.renewSession(tx, session.id, renewal))) throw signInRequired()
    await replacePassword(tx, app, { user_id, password_hash, sessionId: session.id })
  })
  return { session: token }
}

async function checkCurrentPassword(
  app: App,
  browser: Browser,
  session: UserSession,
  { user, current_password }: { user: q.UserRow; current_password: string | undefined },
): Promise<void> {
  if (current_password === undefined) {
    throw invalid('current_password', 'Send your current password.')
  }
  await countWrongGuess(app, guesserOf(app, browser, session), async () => {
    if (await matchesPassword(user.password_hash, current_password)) return
    throw new Refusal(
      'SIGN_IN_FAILED',
      'current_password is wrong. Send your current password, or reset it.',
    )
  })
}

/** Sets the password, and ends all sessions of the user except `sessionId`. */
async function replacePassword(
  tx: Tx,
  app: App,
  {
    user_id,
    password_hash,
    sessionId,
  }: { user_id: number; password_hash: string; sessionId?: number },
): Promise<void> {
  await q.updatePassword(tx, user_id, password_hash)
  await q.deleteOtherSessions(tx, user_id, sessionId)
  await q.deleteLinks(tx, user_id)
  const changes = changesOfNew({ password: 'changed' })
  await recordForUser(tx, app, user_id, { action: 'user.set_password', changes })
}

const nowOf = ({ clock }: Pick<App, 'clock'>): string => iso(clock.now())

/**
 * Mails a link to a user who has a store. The call is answered before this work begins, so neither the
 * answer nor its duration reveals whether the user exists.
 */
export function requestReset(app: App, email: string): void {
  const isStarted = resets.start(() => mailReset(app, email).catch(logFailure(app)))
  if (isStarted) return
  const message = 'Too many people ask for a new password at the moment. Ask again in a minute.'
  throw new Refusal('RATE_LIMITED', message, undefined, { 'retry-after': '60' })
}

/** Anyone may ask for a reset, so few run at once, and a process keeps few waiting. */
const resets = createBackgroundWork({ running: 2, waiting: 50 })

const failures = createRepeatedFailures()

/** Logs a failure once, because anyone can repeat what fails. */
const logFailure = (app: App) => (error: Error) => {
  if (failures.isNew('reset', error))
    app.log.warn({ reason: error.message }, 'A reset was not mailed')
}

/** The maximum number of valid links of a user of one kind. Further links are not mailed. */
export const LINKS_MAX = 3

async function mailReset(app: App, email: string): Promise<void> {
  const user = await q.selectUserByEmail(app.db, email)
  if (!user) return
  await inTransaction(app.db, async (tx) => {
    await q.lockUser(tx, user.id)
    const kind = 'mail_reset'
    const now = nowOf(app)
    if ((await q.countLinks(tx, user.id, { kind, now })) >= LINKS_MAX) return
    // The operator has closed the sign-in with a password until this link is used (decision 173).
    if ((await q.countLinks(tx, user.id, { kind: 'reset', now })) > 0) return
    const [first] = await q.selectStoresOfUser(tx, user.id)
    const store = first && (await selectStoreById(tx, first.store_id))
    if (!store) return
    const token = await insertLink(tx, app, user.id, { kind })
    const url = `${app.config.publicUrl}/dashboard/reset-password?token=${token}`
    await queueMail(tx, storeContextOf(app, store, tx), {
      template: 'password_reset',
      recipients: [email],
      values: { link: url },
    })
  })
}

/** Writes a one-time link and returns its token. */
export async function insertLink(
  tx: Tx,
  { vault, clock }: Pick<App, 'vault' | 'clock'>,
  user_id: number,
  link: { kind: q.LinkKind; email?: string; keeps_factors?: boolean },
): Promise<string> {
  const token = newToken()
  const now = clock.now()
  await q.insertLink(tx, {
    token_hash: hashToken(vault, 'link', token),
    user_id,
    ...link,
    created_at: iso(now),
    expires_at: iso(now + LINK_MS),
  })
  return token
}

const findResetLink = async (app: App, token: string) =>
  isToken(token)
    ? q.selectMailedResetLink(app.db, hashToken(app.vault, 'link', token), nowOf(app))
    : undefined

/** True if the token of a mail still sets a password. `confirmReset` tells no more about it. */
export const isResetLink = async (app: App, token: string): Promise<boolean> =>
  (await findResetLink(app, token)) !== undefined

/**
 * Sets the password with the token of a mail, and signs in. A user with TOTP must also send a code. Returns the
 * passkeys of the user, which still sign in (decision 173).
 */
export async function confirmReset(
  app: App,
  browser: Browser,
  { token, password, code }: ResetConfirmation,
): Promise<{ cookies: Cookies; passkeys: Passkey[] }> {
  const token_hash = hashToken(app.vault, 'link', token)
  const now = nowOf(app)
  const link = await findResetLink(app, token)
  const user = link && (await q.selectUser(app.db, link.user_id))
  if (!user) throw notFound('The link')
  checkPassword('password', password, user.email)
  const guesser = { email: user.email, ip: browser.ip, device: undefined }
  await countWrongGuess(app, guesser, () => checkCode(app, user, code))
  const password_hash = await hashPassword(password)
  const user_id = user.id
  const sessionToken = await inTransaction(app.db, async (tx) => {
    const consumedLink = await q.consumeLink(tx, token_hash, { kinds: ['mail_reset'], now })
    if (!consumedLink) throw notFound('The link')
    await replacePassword(tx, app, { user_id, password_hash })
    return startSession(tx, app, browser, { user_id, stepped_up: true })
  })
  const cookies = { session: sessionToken, device: newDeviceCookie(app.vault, user_id) }
  return { cookies, passkeys: await listPasskeys(app, user_id) }
}
