import { type App, storeContextOf } from '../../../app.ts'
import { setTo } from '../../../audit/changes.rules.ts'
import { inTransaction, type Tx } from '../../../db/database.ts'
import type { Browser, Cookies } from '../../../kernel/browser.ts'
import { found, invalid, notFound, Refusal } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import { queueMail } from '../mail/index.ts'
import { asStore, selectStoreById } from '../stores/index.ts'
import { checkCode } from './check-code.ts'
import { withinBudget } from './guess-budgets.ts'
import { checkPassword, hashPassword, isPassword } from './passwords.ts'
import * as s from './queries/sessions.ts'
import * as q from './queries/users.ts'
import { recordForUser } from './record-for-user.ts'
import type { ConfirmReset, NewPassword } from './schema.ts'
import { LINK_MS, type UserSession } from './session.rules.ts'
import { signInRequired } from './sign-in.ts'
import { startSession } from './start-session.ts'
import { deviceOf, hashToken, isToken, newDevice, newToken } from './tokens.ts'

/** Sets the password, ends the user's other sessions, and gives this one a new token. */
export async function changePassword(
  app: App,
  browser: Browser,
  session: UserSession,
  { password, current_password }: NewPassword,
): Promise<Cookies> {
  const { user_id, email } = session
  checkPassword('password', password, email)
  const user = found(await q.selectUser(app.db, user_id), 'User')
  if (user.password_hash !== null && !session.resets_password) {
    await checkCurrent(app, browser, session, { user, current_password })
  }
  const password_hash = await hashPassword(password)
  const token = newToken()
  await inTransaction(app.db, async (tx) => {
    await q.lockUser(tx, user_id)
    const renewed = { token_hash: hashToken(app.vault, 'session', token), now: nowOf(app) }
    if (!(await s.renewSession(tx, session.id, renewed))) throw signInRequired()
    await replacePassword(tx, app, { user_id, password_hash, kept: session.id })
  })
  return { session: token }
}

async function checkCurrent(
  app: App,
  browser: Browser,
  session: UserSession,
  { user, current_password }: { user: q.UserRow; current_password: string | undefined },
): Promise<void> {
  if (current_password === undefined) {
    throw invalid('current_password', 'Send the password that you have now.')
  }
  const device = deviceOf(app.vault, user.id, browser.device) ?? `session ${session.id}`
  await withinBudget(app, { email: user.email, ip: browser.ip, device }, async () => {
    if (await isPassword(user.password_hash, current_password)) return
    throw new Refusal('SIGN_IN_FAILED', 'current_password is wrong.')
  })
}

async function replacePassword(
  tx: Tx,
  app: App,
  { user_id, password_hash, kept }: { user_id: number; password_hash: string; kept?: number },
): Promise<void> {
  await q.updatePassword(tx, user_id, password_hash)
  await s.deleteOtherSessions(tx, user_id, kept)
  await s.deleteLinks(tx, user_id)
  const changes = setTo({ password: 'changed' })
  await recordForUser(tx, app, user_id, { action: 'user.set_password', changes })
}

const nowOf = ({ clock }: Pick<App, 'clock'>): string => iso(clock.now())

/**
 * Mails a link to a user who has a store. Callers get the same answer for every address, before the
 * work is done, so neither the answer nor its time says whether the user exists.
 */
export function askReset(app: App, email: string): void {
  mailReset(app, email).catch((error) => app.log.warn({ err: error }, 'A reset was not mailed'))
}

/** Links of one user that are valid at a time; more are not mailed. */
const LINKS_MAX = 3

async function mailReset(app: App, email: string): Promise<void> {
  const user = await q.selectUserByEmail(app.db, email)
  if (!user) return
  await inTransaction(app.db, async (tx) => {
    await q.lockUser(tx, user.id)
    if ((await s.countLinks(tx, user.id, nowOf(app))) >= LINKS_MAX) return
    const [first] = await q.selectStoresOfUser(tx, user.id)
    const row = first && (await selectStoreById(tx, first.store_id))
    if (!row) return
    const token = await insertLink(tx, app, user.id, 'mail_reset')
    const url = `${app.config.publicUrl}/dashboard/reset-password?token=${token}`
    await queueMail(tx, storeContextOf(app, asStore(row), tx), {
      template: 'password_reset',
      recipients: [email],
      subject: 'Set a new password',
      text: `Somebody, probably you, asked for a new password for the dashboard of ${row.name}.\n\nSet it within an hour:\n${url}\n\nIf it was not you, do nothing: the password stays as it is.`,
    })
  })
}

/** Writes a one-time link and returns its token. */
export async function insertLink(
  tx: Tx,
  { vault, clock }: Pick<App, 'vault' | 'clock'>,
  user_id: number,
  kind: s.LinkKind,
): Promise<string> {
  const token = newToken()
  const now = clock.now()
  await s.insertLink(tx, {
    token_hash: hashToken(vault, 'link', token),
    user_id,
    kind,
    created_at: iso(now),
    expires_at: iso(now + LINK_MS),
  })
  return token
}

/** Sets the password with the token of a mail, and signs in. A user with TOTP needs a code too. */
export async function confirmReset(
  app: App,
  browser: Browser,
  { token, password, code }: ConfirmReset,
): Promise<Cookies> {
  const token_hash = hashToken(app.vault, 'link', token)
  const now = nowOf(app)
  const link = isToken(token) ? await s.selectLink(app.db, token_hash, now) : undefined
  const user = link && (await q.selectUser(app.db, link.user_id))
  if (!user) throw notFound('The link')
  checkPassword('password', password, user.email)
  const guesser = { email: user.email, ip: browser.ip, device: undefined }
  await withinBudget(app, guesser, () => checkCode(app, user, code))
  const password_hash = await hashPassword(password)
  const user_id = user.id
  const session = await inTransaction(app.db, async (tx) => {
    const link = await s.takeLink(tx, token_hash, { kinds: ['mail_reset'], now })
    if (!link) throw notFound('The link')
    await replacePassword(tx, app, { user_id, password_hash })
    return startSession(tx, app, browser, { user_id, stepped_up: true })
  })
  return { session, device: newDevice(app.vault, user_id) }
}
