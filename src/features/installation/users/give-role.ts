import type { Tx } from '../../../db/database.ts'
import { invalidState } from '../../../kernel/errors.ts'
import { lockTeam, upsertRole } from './queries/team.ts'
import type { Role } from './roles.ts'

/** Refuses a change that leaves a store without an owner (decision 136). Its team is locked. */
export function checkOwnerStays(
  team: ReadonlyMap<number, Role>,
  userId: number,
  role: Role | undefined,
): void {
  const owners = [...team.values()].filter((item) => item === 'owner').length
  if (team.get(userId) === 'owner' && role !== 'owner' && owners === 1) {
    throw invalidState('last_owner', 'A store keeps an owner. Make another user owner first.')
  }
}

/** Gives a role on both sides of a store, to a user who may have another one in it. */
export async function giveRole(
  tx: Tx,
  sides: readonly number[],
  grant: { user_id: number; role: Role; now: string },
): Promise<void> {
  const [live = 0] = sides
  checkOwnerStays(await lockTeam(tx, live), grant.user_id, grant.role)
  await upsertRole(tx, sides, grant)
}
