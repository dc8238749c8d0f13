import { Refusal } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { callingUserId } from './invite.ts'
import * as q from './queries/index.ts'
import type { Member } from './schema.ts'

export const listTeam = ({ db, store }: StoreContext): Promise<Member[]> =>
  q.selectTeam(db, store.id)

/** Throws if the calling user is not an owner of the store. */
export async function checkOwner(context: StoreContext): Promise<void> {
  const userId = callingUserId(context)
  const team = await listTeam(context)
  if (team.some(({ id, role }) => id === userId && role === 'owner')) return
  throw new Refusal('INSUFFICIENT_SCOPE', 'Only an owner of the store may see this. Ask an owner.')
}
