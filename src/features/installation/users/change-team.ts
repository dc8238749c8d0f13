import { inTransaction, type Tx } from '../../../db/database.ts'
import { notFound, requireRecord } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import { checkOwnerStays, setRole } from './give-role.ts'
import { callingUserId, ownerRequired } from './invite.ts'
import * as q from './queries/index.ts'
import { mayManage, type Role } from './roles.ts'
import type { Member } from './schema.ts'

/** Changes a role on both sides of the store. The last owner cannot lose this role (decision 136). */
export function changeRole(context: StoreContext, userId: number, role: Role): Promise<Member> {
  return inTransaction(context.db, async (tx) => {
    const { sides, oldRole } = await lockTeamForChange(tx, context, { userId, role })
    context.audit.reportChange({ role: oldRole }, { role })
    await setRole(tx, sides, { user_id: userId, role, now: iso(machineNow(context)) })
    const team = await q.selectTeam(tx, context.store.id)
    return requireRecord(
      team.find(({ id }) => id === userId),
      'User',
    )
  })
}

/** Removes a user from the team of both sides. The user is not deleted and may be in other teams. */
export function removeMember(context: StoreContext, userId: number): Promise<void> {
  return inTransaction(context.db, async (tx) => {
    const { sides, oldRole } = await lockTeamForChange(tx, context, { userId, role: undefined })
    context.audit.reportChange({ role: oldRole }, { role: null })
    await setRole(tx, sides, { user_id: userId, role: undefined, now: iso(machineNow(context)) })
  })
}

/** Locks the team. Refuses a change that the calling user may not make. */
async function lockTeamForChange(
  tx: Tx,
  context: StoreContext,
  { userId, role }: { userId: number; role: Role | undefined },
): Promise<{ sides: number[]; oldRole: Role }> {
  const sides = await q.selectSides(tx, context.store)
  const [liveId = context.store.id] = sides
  const team = await q.lockTeam(tx, liveId)
  const oldRole = team.get(userId)
  if (!oldRole) throw notFound('User', userId)
  const callerRole = team.get(callingUserId(context))
  const roles = role ? [oldRole, role] : [oldRole]
  if (!callerRole || !mayManage(callerRole, roles)) throw ownerRequired()
  checkOwnerStays(team, userId, role)
  return { sides, oldRole }
}
