import type { z } from 'zod'
import type { App } from '../../../app.ts'
import { notFound } from '../../../kernel/errors.ts'
import { deleteSession, selectSessions } from './queries/sessions.ts'
import { selectStoresOfUser, type UserRow } from './queries/users.ts'
import type { Session, Store, User } from './schema.ts'
import { isSteppedUp, type UserSession } from './session.rules.ts'

export const userOf = ({ id, email, name, password_hash, totp_enabled_at }: UserRow): User => ({
  id,
  email,
  name,
  has_password: password_hash !== null,
  has_totp: totp_enabled_at !== null,
})

interface Me {
  user: User
  stores: z.output<typeof Store>[]
  stepped_up: boolean
}

export async function showMe(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  session: UserSession,
): Promise<Me> {
  const { user_id: id, email, name, has_password, has_totp } = session
  return {
    user: { id, email, name, has_password, has_totp },
    stores: await selectStoresOfUser(db, id),
    stepped_up: isSteppedUp(session, clock.now()),
  }
}

export async function listSessions(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { id, user_id }: UserSession,
): Promise<z.output<typeof Session>[]> {
  const sessions = await selectSessions(db, user_id, clock.now())
  return sessions.map((item) => ({ ...item, current: item.id === id }))
}

/** Ends a session of the user at once, in every process. */
export async function endSession(
  { db }: Pick<App, 'db'>,
  { user_id }: UserSession,
  id: number,
): Promise<void> {
  if (!(await deleteSession(db, user_id, id))) throw notFound('Session', id)
}
