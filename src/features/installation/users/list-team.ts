import { Refusal } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { callingUser } from './invite.ts'
import { type Member, selectTeam } from './queries/team.ts'

export const listTeam = ({ db, store }: StoreContext): Promise<Member[]> => selectTeam(db, store.id)

/** Refuses users who are not owners of the store. */
export async function checkOwner(context: StoreContext): Promise<void> {
  const user = callingUser(context)
  const team = await listTeam(context)
  if (team.some(({ id, role }) => id === user && role === 'owner')) return
  throw new Refusal('INSUFFICIENT_SCOPE', 'Only an owner of the store may see this.')
}
