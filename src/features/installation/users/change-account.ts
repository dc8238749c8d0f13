import { type App, storeContextOf } from '../../../app.ts'
import { changesOf } from '../../../audit/changes.rules.ts'
import { inTransaction, type Tx } from '../../../db/database.ts'
import { uniqueViolation } from '../../../db/failure.ts'
import { sameEmail } from '../../../kernel/email.ts'
import { invalid, invalidState, notFound, requireRecord } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import { type NewMail, queueMail } from '../mail/index.ts'
import { selectStoreById } from '../stores/index.ts'
import { insertLink, LINKS_MAX } from './change-password.ts'
import * as q from './queries/index.ts'
import { recordForUser } from './record-for-user.ts'
import type { NewEmail, UserPatch } from './schema.ts'
import type { UserSession } from './session.rules.ts'
import { hashToken, isToken } from './tokens.ts'

/** Changes the name of the user. */
export function renameUser(
  app: App,
  { user_id }: UserSession,
  { name }: UserPatch,
): Promise<q.UserRow> {
  return inTransaction(app.db, async (tx) => {
    const user = requireRecord(await q.lockUser(tx, user_id), 'User')
    if (user.name === name) return user
    await q.renameUser(tx, user_id, name)
    const changes = changesOf({ name: user.name }, { name })
    await recordForUser(tx, app, user_id, { action: 'user.rename', changes })
    return { ...user, name }
  })
}

/**
 * Writes a link that changes the email address of the user, and mails it to the new address. Without a mail
 * server the link is returned instead.
 */
export function requestEmailChange(
  app: App,
  { user_id }: UserSession,
  { email }: NewEmail,
): Promise<{ email: string; url: string | null }> {
  return inTransaction(app.db, async (tx) => {
    const user = requireRecord(await q.lockUser(tx, user_id), 'User')
    if (sameEmail(user.email, email)) throw invalid('email', 'This is your email address already.')
    if (await q.selectUserByEmail(tx, email)) throw addressTaken()
    if ((await q.countLinks(tx, user_id, { kind: 'email', now: nowOf(app) })) >= LINKS_MAX) {
      throw invalidState(
        'full',
        `You have ${LINKS_MAX} open links to change your address. Use one, or wait an hour.`,
      )
    }
    const [first] = await q.selectStoresOfUser(tx, user_id)
    const token = await insertLink(tx, app, user_id, { kind: 'email', email })
    // Only the page of a store is kept by the sign-in, which a signed-out reader of the mail needs first.
    const path = first ? `/${first.id}/settings/account` : ''
    const url = `${app.config.publicUrl}/dashboard${path}?email_token=${token}`
    const changes = changesOf(null, { email })
    await recordForUser(tx, app, user_id, { action: 'user.request_email', changes })
    const isMailed = await mailToUser(tx, app, user_id, {
      template: 'email_change',
      recipients: [email],
      values: { link: url },
    })
    return { email, url: isMailed ? null : url }
  })
}

const addressTaken = () =>
  invalid('email', 'Another user signs in with this address. Use another address.')

const nowOf = ({ clock }: Pick<App, 'clock'>): string => iso(clock.now())

/**
 * Mails a text about the account, from the first store of the user. Returns false if there is no mail server or no
 * store, or if the first store is a test side, whose mail is not sent.
 */
async function mailToUser(
  tx: Tx,
  app: App,
  userId: number,
  mail: Pick<NewMail, 'recipients' | 'values'> & { template: 'email_change' | 'email_changed' },
): Promise<boolean> {
  if (app.config.smtp === undefined) return false
  const [first] = await q.selectStoresOfUser(tx, userId)
  const store = first && (await selectStoreById(tx, first.store_id))
  if (!store?.livemode) return false
  await queueMail(tx, storeContextOf(app, store, tx), mail)
  return true
}

/** Changes the email address with the link that was sent to it, and tells the former address. */
export async function confirmEmailChange(
  app: App,
  { user_id }: UserSession,
  token: string,
): Promise<q.UserRow> {
  if (!isToken(token)) throw notFound('The link')
  const token_hash = hashToken(app.vault, 'link', token)
  const work = inTransaction(app.db, async (tx) => {
    const user = requireRecord(await q.lockUser(tx, user_id), 'User')
    const link = await q.consumeLink(tx, token_hash, { kinds: ['email'], now: nowOf(app) })
    // The link of another user is not consumed, because the transaction is rolled back.
    if (link?.email == null || link.user_id !== user_id) throw notFound('The link')
    const { email } = link
    await q.updateEmail(tx, user_id, email)
    await q.deleteLinks(tx, user_id)
    const changes = changesOf({ email: user.email }, { email })
    await recordForUser(tx, app, user_id, { action: 'user.change_email', changes })
    await mailToUser(tx, app, user_id, {
      template: 'email_changed',
      recipients: [user.email],
      values: { reason: email },
    })
    return { ...user, email }
  })
  return work.catch((error: unknown) => {
    if (uniqueViolation(error)?.index === 'dashboard_user_email_key') throw addressTaken()
    throw error
  })
}
