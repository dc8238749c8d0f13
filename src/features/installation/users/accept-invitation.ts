import type { App } from '../../../app.ts'
import { changesOf } from '../../../audit/changes.rules.ts'
import { insertStoresEvent } from '../../../audit/queries.ts'
import { inTransaction, type Tx } from '../../../db/database.ts'
import type { Browser, Cookies } from '../../../kernel/browser.ts'
import { invalid, notFound, Refusal, requireRecord } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import { giveRole } from './give-role.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import * as q from './queries/index.ts'
import type { Role } from './roles.ts'
import type { InvitationAcceptance } from './schema.ts'
import type { UserSession } from './session.rules.ts'
import { startSession } from './start-session.ts'
import { hashToken, newDeviceCookie } from './tokens.ts'

const nowOf = ({ clock }: Pick<App, 'clock'>): string => iso(clock.now())

async function requireInvitation(app: App, token: string): Promise<q.InvitationOfStore> {
  const hash = hashToken(app.vault, 'invitation', token)
  return requireRecord(await q.selectInvitation(app.db, hash, nowOf(app)), 'The invitation')
}

/** An invitation as its page shows it. */
interface FoundInvitation {
  store: string
  email: string
  role: Role
  has_account: boolean
  inviter_name: string | null
}

export async function findInvitation(app: App, token: string): Promise<FoundInvitation> {
  const { store_name, email, role, inviter_name } = await requireInvitation(app, token)
  const has_account = (await q.selectUserByEmail(app.db, email)) !== undefined
  return { store: store_name, email, role, has_account, inviter_name }
}

/**
 * Accepts an invitation, and creates the user if the address is new. An existing user must be signed in,
 * because the link alone must not open the account.
 */
export async function acceptInvitation(
  app: App,
  browser: Browser,
  session: UserSession | undefined,
  { token, name, password }: InvitationAcceptance,
): Promise<{ store_id: string; cookies: Cookies }> {
  const invitation = await requireInvitation(app, token)
  const { email, hash: store_id } = invitation
  const user = await q.selectUserByEmail(app.db, email)
  if (user && session?.user_id !== user.id) {
    throw new Refusal('SIGN_IN_REQUIRED', 'Sign in with the invited address, then accept.')
  }
  const token_hash = hashToken(app.vault, 'invitation', token)
  if (user) {
    const newMember = { id: user.id, name: user.name, token_hash }
    await inTransaction(app.db, (tx) => joinStore(tx, app, invitation, newMember))
    return { store_id, cookies: {} }
  }
  if (name === undefined) throw invalid('name', 'Send your name: this address has no account yet.')
  if (password === undefined) {
    throw invalid('password', 'Choose a password: this address has no account yet.')
  }
  checkPassword('password', password, email)
  const password_hash = await hashPassword(password)
  return inTransaction(app.db, async (tx) => {
    const created_at = nowOf(app)
    const id = await q.insertUser(tx, { email, name, password_hash, created_at })
    // A concurrent call may have created the user.
    if (id === undefined) throw notFound('The invitation')
    await joinStore(tx, app, invitation, { id, name, token_hash })
    const sessionToken = await startSession(tx, app, browser, { user_id: id, stepped_up: true })
    return {
      store_id,
      cookies: { session: sessionToken, device: newDeviceCookie(app.vault, id) },
    }
  })
}

/** Deletes the invitation and gives its role on both sides of the store. */
async function joinStore(
  tx: Tx,
  app: App,
  { store_id, account_id, slug, role }: q.InvitationOfStore,
  { token_hash, ...user }: { id: number; name: string; token_hash: Buffer },
): Promise<void> {
  const sides = await q.selectSides(tx, { account_id, slug })
  // The team is locked before its invitations, as by `invite`.
  await q.lockTeam(tx, sides[0] ?? store_id)
  // A second invitation, with another role, may have replaced this one since it was read.
  if (!(await q.consumeInvitation(tx, token_hash))) throw notFound('The invitation')
  await giveRole(tx, sides, { user_id: user.id, role, now: nowOf(app) })
  const actor = { type: 'user' as const, id: String(user.id), name: user.name }
  const origin = { address: null, request_id: null, ...app.origin, actor }
  const event = {
    action: 'invitation.accept',
    object: 'user',
    object_id: String(user.id),
    changes: changesOf(null, { role }),
  }
  await insertStoresEvent(tx, { ids: sides }, { origin, now: nowOf(app) }, event)
}
