import type { App } from '../../../app.ts'
import { notFound } from '../../../kernel/errors.ts'
import * as q from './queries/index.ts'
import type { DashboardSession, MemberStore, User } from './schema.ts'
import { isSteppedUp, type UserSession } from './session.rules.ts'

export const userOf = ({ id, email, name, password_hash, totp_enabled_at }: q.UserRow): User => ({
  id,
  email,
  name,
  has_password: password_hash !== null,
  has_totp: totp_enabled_at !== null,
})

export async function showMe(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  session: UserSession,
): Promise<{ user: User; stores: MemberStore[]; stepped_up: boolean }> {
  const { user_id: id, email, name, has_password, has_totp } = session
  return {
    user: { id, email, name, has_password, has_totp },
    stores: await q.selectStoresOfUser(db, id),
    stepped_up: isSteppedUp(session, clock.now()),
  }
}

export async function listSessions(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { id, user_id }: UserSession,
): Promise<DashboardSession[]> {
  const sessions = await q.selectSessions(db, user_id, clock.now())
  return sessions.map((item) => ({ ...item, current: item.id === id }))
}

/** Ends a session of the user. Every process refuses it at once. */
export async function endSession(
  { db }: Pick<App, 'db'>,
  { user_id }: UserSession,
  endedId: number,
): Promise<void> {
  if (!(await q.deleteSession(db, user_id, endedId))) throw notFound('Session', endedId)
}
