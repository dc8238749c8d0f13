import type { StoreContext } from '../../../store-context.ts'
import { type Member, selectTeam } from './queries/team.ts'

export const listTeam = ({ db, store }: StoreContext): Promise<Member[]> => selectTeam(db, store.id)
