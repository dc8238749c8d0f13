import { inTransaction, type Tx } from '../../../db/database.ts'
import { sameEmail } from '../../../kernel/email.ts'
import { invalid, invalidState, Refusal, requireRecord } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import { queueMail } from '../mail/index.ts'
import { textsIn } from '../mail-texts/index.ts'
import { selectStoreById } from '../stores/index.ts'
import { countInvitation } from './guess-budgets.ts'
import * as q from './queries/index.ts'
import { mayManage, type Role } from './roles.ts'
import type { Invitation, NewInvitation } from './schema.ts'
import { INVITATION_MS } from './session.rules.ts'
import { hashToken, newToken } from './tokens.ts'

/** Returns the id of the user who makes the call. */
export const callingUserId = ({ audit }: Pick<StoreContext, 'audit'>): number =>
  Number(audit.origin.actor.id)

export const ownerRequired = () =>
  new Refusal('INSUFFICIENT_SCOPE', 'Only an owner can add, change or remove owners. Ask an owner.')

/** Writes an invitation and mails its link. Without a mail server the link is returned instead. */
export function invite(
  context: StoreContext,
  { email, role }: NewInvitation,
  { canMail }: { canMail: boolean },
): Promise<{ invitation: Invitation; url: string | null }> {
  const { db, vault, store, publicUrl } = context
  return inTransaction(db, async (tx) => {
    const liveId = await q.selectLiveId(tx, store)
    const team = await q.lockTeam(tx, liveId)
    const now = iso(machineNow(context))
    const openInvitations = await q.selectInvitations(tx, liveId, now)
    const replacedInvitation = openInvitations.find((item) => sameEmail(item.email, email))
    const roles = replacedInvitation ? [replacedInvitation.role, role] : [role]
    const invited_by = callingUserId(context)
    if (!mayManage(team.get(invited_by) ?? 'viewer', roles)) throw ownerRequired()
    const user = await q.selectUserByEmail(tx, email)
    if (user && team.has(user.id))
      throw invalid('email', 'This user is already in the team. Change their role instead.')
    if (!replacedInvitation && openInvitations.length >= q.INVITATIONS_MAX) {
      const message = `This store has ${q.INVITATIONS_MAX} open invitations. Withdraw one first.`
      throw invalidState('full', message)
    }
    await countInvitation(tx, context, { email, now: machineNow(context) })
    const token = newToken()
    const invitation = await q.upsertInvitation(tx, liveId, {
      email: storedForm(replacedInvitation, email),
      role,
      token_hash: hashToken(vault, 'invitation', token),
      invited_by,
      created_at: now,
      expires_at: iso(machineNow(context) + INVITATION_MS),
    })
    const url = `${publicUrl}/dashboard/invitation?token=${token}`
    if (canMail) await mailInvitation(tx, context, liveId, { email, url, role })
    context.audit.reportChange(null, { role })
    return { invitation, url: canMail ? null : url }
  })
}

/** A replaced invitation keeps the form of its address (decision 448). The lock on the team prevents a second one. */
const storedForm = (replacedInvitation: Invitation | undefined, email: string): string =>
  replacedInvitation?.email ?? email

async function mailInvitation(
  tx: Tx,
  context: StoreContext,
  liveId: number,
  { email, url, role }: { email: string; url: string; role: Role },
): Promise<void> {
  const liveSide = requireRecord(await selectStoreById(tx, liveId), 'Store')
  const sender = { ...context, store: liveSide }
  await queueMail(tx, sender, {
    template: 'team_invitation',
    recipients: [email],
    values: { link: url, reason: textsIn(liveSide.language).roles[role] },
  })
}

export async function listInvitations(context: StoreContext): Promise<Invitation[]> {
  const liveId = await q.selectLiveId(context.db, context.store)
  return q.selectInvitations(context.db, liveId, iso(machineNow(context)))
}

export function withdrawInvitation(context: StoreContext, id: number): Promise<void> {
  return inTransaction(context.db, async (tx) => {
    const liveId = await q.selectLiveId(tx, context.store)
    const team = await q.lockTeam(tx, liveId)
    const { role } = requireRecord(await q.deleteInvitation(tx, liveId, id), 'Invitation')
    if (!mayManage(team.get(callingUserId(context)) ?? 'viewer', [role])) throw ownerRequired()
  })
}
