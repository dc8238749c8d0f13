import type { App } from '../../../app.ts'
import { changesOf } from '../../../audit/changes.rules.ts'
import { insertStoresEvent } from '../../../audit/queries.ts'
import { inTransaction, type Tx } from '../../../db/database.ts'
import type { Browser, Cookies } from '../../../kernel/browser.ts'
import { found, invalid, notFound, Refusal } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import { giveRole } from './give-role.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import * as q from './queries/team.ts'
import { insertUser, selectUserByEmail } from './queries/users.ts'
import type { Role } from './roles.ts'
import type { AcceptInvitation } from './schema.ts'
import type { UserSession } from './session.rules.ts'
import { startSession } from './start-session.ts'
import { hashToken, newDevice } from './tokens.ts'

const nowOf = ({ clock }: Pick<App, 'clock'>): string => iso(clock.now())

async function invitationOf(app: App, token: string): Promise<q.FoundInvitation> {
  const hash = hashToken(app.vault, 'invitation', token)
  return found(await q.selectInvitation(app.db, hash, nowOf(app)), 'The invitation')
}

export async function findInvitation(
  app: App,
  token: string,
): Promise<{ store: string; email: string; role: Role; has_account: boolean }> {
  const { store_name, email, role } = await invitationOf(app, token)
  const has_account = (await selectUserByEmail(app.db, email)) !== undefined
  return { store: store_name, email, role, has_account }
}

/** An address that has an account must be signed in, or the link alone would open the account. */
export async function acceptInvitation(
  app: App,
  browser: Browser,
  session: UserSession | undefined,
  { token, name, password }: AcceptInvitation,
): Promise<{ store_id: string; cookies: Cookies }> {
  const invitation = await invitationOf(app, token)
  const { email, hash } = invitation
  const user = await selectUserByEmail(app.db, email)
  if (user && session?.user_id !== user.id) {
    throw new Refusal('SIGN_IN_REQUIRED', 'Sign in with the invited address, then accept.')
  }
  if (user) {
    await inTransaction(app.db, (tx) => join(tx, app, invitation, { id: user.id, name: user.name }))
    return { store_id: hash, cookies: {} }
  }
  if (name === undefined) throw invalid('name', 'Send your name: this address has no account yet.')
  if (password === undefined) {
    throw invalid('password', 'Choose a password: this address has no account yet.')
  }
  checkPassword('password', password, email)
  const password_hash = await hashPassword(password)
  return inTransaction(app.db, async (tx) => {
    const created_at = nowOf(app)
    const id = await insertUser(tx, { email, name, password_hash, created_at })
    if (id === undefined) throw notFound('The invitation')
    await join(tx, app, invitation, { id, name })
    const started = await startSession(tx, app, browser, { user_id: id, stepped_up: true })
    return { store_id: hash, cookies: { session: started, device: newDevice(app.vault, id) } }
  })
}

/** Uses the invitation up, and gives the role on both sides. */
async function join(
  tx: Tx,
  app: App,
  { id, store_id, account_id, slug, role }: q.FoundInvitation,
  user: { id: number; name: string },
): Promise<void> {
  if (!(await q.deleteInvitation(tx, store_id, id))) throw notFound('The invitation')
  const sides = await q.selectSides(tx, { account_id, slug })
  await giveRole(tx, sides, { user_id: user.id, role, now: nowOf(app) })
  const actor = { type: 'user' as const, id: String(user.id), name: user.name }
  const origin = { address: null, request_id: null, ...app.origin, actor }
  const act = {
    action: 'invitation.accept',
    object: 'user',
    object_id: String(user.id),
    changes: changesOf(null, { role }),
  }
  await insertStoresEvent(tx, { ids: sides }, { origin, now: nowOf(app) }, act)
}
