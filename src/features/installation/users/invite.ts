import { inTransaction } from '../../../db/database.ts'
import { found, invalid, invalidState, Refusal } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import { queueMail } from '../mail/index.ts'
import { asStore, selectStoreById } from '../stores/index.ts'
import * as q from './queries/team.ts'
import { selectUserByEmail } from './queries/users.ts'
import { mayManage, type Role } from './roles.ts'
import type { NewInvitation } from './schema.ts'
import { INVITATION_MS } from './session.rules.ts'
import { hashToken, newToken } from './tokens.ts'

/** The user of a call; only users manage a team. */
export const callingUser = ({ audit }: Pick<StoreContext, 'audit'>): number =>
  Number(audit.origin.actor.id)

export const forbidden = () =>
  new Refusal('INSUFFICIENT_SCOPE', 'Only an owner makes, changes or removes owners.')

/** Writes an invitation and mails its link; without a mail server the answer has the link. */
export function invite(
  context: StoreContext,
  { email, role }: NewInvitation,
  { mails }: { mails: boolean },
): Promise<{ invitation: q.InvitationRow; url: string | null }> {
  const { db, vault, store, publicUrl } = context
  return inTransaction(db, async (tx) => {
    const [live = store.id] = await q.selectSides(tx, store)
    const team = await q.lockTeam(tx, live)
    const by = callingUser(context)
    if (!mayManage(team.get(by) ?? 'viewer', [role])) throw forbidden()
    const user = await selectUserByEmail(tx, email)
    if (user && team.has(user.id)) throw invalid('email', 'This user is in the team already.')
    const now = iso(machineNow(context))
    if ((await q.selectInvitations(tx, live, now)).length >= q.INVITATIONS_MAX) {
      throw invalidState('full', `A store has at most ${q.INVITATIONS_MAX} open invitations.`)
    }
    const token = newToken()
    const invitation = await q.upsertInvitation(tx, live, {
      email,
      role,
      token_hash: hashToken(vault, 'invitation', token),
      invited_by: by,
      created_at: now,
      expires_at: iso(machineNow(context) + INVITATION_MS),
    })
    const url = `${publicUrl}/dashboard/invitation?token=${token}`
    if (mails) await mailInvitation(tx, context, live, { email, url, role })
    context.audit.changed(null, { role })
    return { invitation, url: mails ? null : url }
  })
}

async function mailInvitation(
  tx: Parameters<typeof queueMail>[0],
  context: StoreContext,
  live: number,
  { email, url, role }: { email: string; url: string; role: Role },
): Promise<void> {
  const row = found(await selectStoreById(tx, live), 'Store')
  const sender = { ...context, store: asStore(row) }
  await queueMail(tx, sender, {
    template: 'team_invitation',
    recipients: [email],
    subject: `Join ${row.name}`,
    text: `You are invited to the dashboard of ${row.name} as ${role}.\n\nAccept within 7 days:\n${url}`,
  })
}

export async function listInvitations(context: StoreContext): Promise<q.InvitationRow[]> {
  const [live = context.store.id] = await q.selectSides(context.db, context.store)
  return q.selectInvitations(context.db, live, iso(machineNow(context)))
}

export function withdrawInvitation(context: StoreContext, id: number): Promise<void> {
  return inTransaction(context.db, async (tx) => {
    const [live = context.store.id] = await q.selectSides(tx, context.store)
    const team = await q.lockTeam(tx, live)
    const { role } = found(await q.deleteInvitation(tx, live, id), 'Invitation')
    if (!mayManage(team.get(callingUser(context)) ?? 'viewer', [role])) throw forbidden()
  })
}
