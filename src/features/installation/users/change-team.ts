import { inTransaction, type Tx } from '../../../db/database.ts'
import { found, notFound } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import { checkOwnerStays } from './give-role.ts'
import { callingUser, forbidden } from './invite.ts'
import * as q from './queries/team.ts'
import { mayManage, type Role } from './roles.ts'

/** Changes a role on both sides of the store. The last owner stays one (decision 136). */
export function changeRole(context: StoreContext, userId: number, role: Role): Promise<q.Member> {
  return inTransaction(context.db, async (tx) => {
    const { sides, old } = await checkChange(tx, context, { userId, role })
    context.audit.changed({ role: old }, { role })
    await q.upsertRole(tx, sides, { user_id: userId, role, now: iso(machineNow(context)) })
    const team = await q.selectTeam(tx, context.store.id)
    return found(
      team.find(({ id }) => id === userId),
      'User',
    )
  })
}

/** Removes a user from both sides of the store; the user stays, and may be in other teams. */
export function removeMember(context: StoreContext, userId: number): Promise<void> {
  return inTransaction(context.db, async (tx) => {
    const { sides, old } = await checkChange(tx, context, { userId, role: undefined })
    context.audit.changed({ role: old }, { role: null })
    await q.deleteRole(tx, sides, userId)
  })
}

async function checkChange(
  tx: Tx,
  context: StoreContext,
  { userId, role }: { userId: number; role: Role | undefined },
): Promise<{ sides: number[]; old: Role }> {
  const sides = await q.selectSides(tx, context.store)
  const [live = context.store.id] = sides
  const team = await q.lockTeam(tx, live)
  const old = team.get(userId)
  if (!old) throw notFound('User', userId)
  const by = team.get(callingUser(context))
  if (!by || !mayManage(by, role ? [old, role] : [old])) throw forbidden()
  checkOwnerStays(team, userId, role)
  return { sides, old }
}
