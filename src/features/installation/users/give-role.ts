import type { Tx } from '../../../db/database.ts'
import { invalidState } from '../../../kernel/errors.ts'
import * as q from './queries/index.ts'
import { mayManage, ROLES, type Role } from './roles.ts'

/** Refuses a change that leaves a store without an owner (decision 136). The team must be locked. */
export function checkOwnerStays(
  team: ReadonlyMap<number, Role>,
  userId: number,
  role: Role | undefined,
): void {
  const ownerCount = [...team.values()].filter((item) => item === 'owner').length
  if (team.get(userId) === 'owner' && role !== 'owner' && ownerCount === 1) {
    throw invalidState(
      'last_owner',
      'A store must have an owner. Make another user an owner first.',
    )
  }
}

/** Gives a user a role on both sides of a store, in place of the former role. The first side is the live one. */
export async function giveRole(
  tx: Tx,
  sides: readonly number[],
  grant: { user_id: number; role: Role; now: string },
): Promise<void> {
  const [liveId = 0] = sides
  checkOwnerStays(await q.lockTeam(tx, liveId), grant.user_id, grant.role)
  await setRole(tx, sides, grant)
}

/**
 * Gives or takes a role on both sides of a store, and ends the invitations of the user that the new role could not
 * make (decision 172). The team must be locked, as it is when an invitation is accepted.
 */
export async function setRole(
  tx: Tx,
  sides: readonly number[],
  { user_id, role, now }: { user_id: number; role: Role | undefined; now: string },
): Promise<void> {
  const [liveId = 0] = sides
  if (role) await q.upsertRole(tx, sides, { user_id, role, now })
  else await q.deleteRole(tx, sides, user_id)
  const grantedRoles = ROLES.filter((item) => role && mayManage(role, [item]))
  await q.deleteInvitationsOf(tx, liveId, { user_id, exceptRoles: grantedRoles })
}
