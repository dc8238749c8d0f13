import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { iso } from '../../../../kernel/time.ts'
import type { Role } from '../roles.ts'
import { IDLE_MS, SESSION_MS, type UserSession } from '../session.rules.ts'

/** Sessions that are not older than this are valid. */
const oldest = (now: number) => ({ seen: iso(now - IDLE_MS), created: iso(now - SESSION_MS) })

/** One statement finds the session, the user and the role (decision 285). */
export async function selectSession(
  db: Db,
  token_hash: Buffer,
  { storeId, now }: { storeId: number | undefined; now: number },
): Promise<UserSession | undefined> {
  const { seen, created } = oldest(now)
  const { rows } = await sql<UserSession>`
    select s.id, s.user_id, u.email, u.name, u.password_hash is not null as has_password,
           u.totp_enabled_at is not null as has_totp, r.role, s.created_at, s.seen_at,
           s.stepped_up_at, s.resets_password
      from user_session s
      join dashboard_user u on u.id = s.user_id
      left join store_role r on r.user_id = s.user_id and r.store_id = ${storeId ?? null}
     where s.token_hash = ${token_hash} and s.seen_at > ${seen} and s.created_at > ${created}`.execute(
    db,
  )
  return rows[0]
}

/** The role of each session in a store; those that have ended, or have no role there, are left out. */
export async function selectSessionRoles(
  db: Db,
  sessions: readonly { session_id: number; store_id: number }[],
  now: number,
): Promise<{ session_id: number; store_id: number; role: Role }[]> {
  const { seen, created } = oldest(now)
  const { rows } = await sql<{ session_id: number; store_id: number; role: Role }>`
    select s.id as session_id, r.store_id, r.role
      from unnest(${sessions.map((item) => item.session_id)}::bigint[],
                  ${sessions.map((item) => item.store_id)}::bigint[]) as a(session_id, store_id)
      join user_session s on s.id = a.session_id
      join store_role r on r.user_id = s.user_id and r.store_id = a.store_id
     where s.seen_at > ${seen} and s.created_at > ${created}`.execute(db)
  return rows
}

export interface NewSession {
  user_id: number
  token_hash: Buffer
  now: string
  stepped_up_at: string | null
  resets_password: boolean
  address: string
  user_agent: string
}

export async function insertSession(db: Db, { now, ...row }: NewSession): Promise<void> {
  await db
    .insertInto('user_session')
    .values({ ...row, created_at: now, seen_at: now })
    .execute()
}

export async function touchSession(db: Db, id: number, now: string): Promise<void> {
  await db.updateTable('user_session').set({ seen_at: now }).where('id', '=', id).execute()
}

/** A step-up gives the session a new token; false if the session has ended. */
export async function renewSession(
  db: Db,
  id: number,
  { token_hash, now }: { token_hash: Buffer; now: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('user_session')
    .set({ token_hash, stepped_up_at: now, seen_at: now, resets_password: false })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export interface ListedSession {
  id: number
  address: string
  user_agent: string
  created_at: string
  seen_at: string
}

/** The sessions of a user that have not ended, the newest first. */
export async function selectSessions(
  db: Db,
  userId: number,
  now: number,
): Promise<ListedSession[]> {
  const { seen, created } = oldest(now)
  return db
    .selectFrom('user_session')
    .select(['id', 'address', 'user_agent', 'created_at', 'seen_at'])
    .where('user_id', '=', userId)
    .where('seen_at', '>', seen)
    .where('created_at', '>', created)
    .orderBy('id', 'desc')
    .limit(SESSIONS_SHOWN)
    .execute()
}

const SESSIONS_SHOWN = 100

/** Returns false if the user has no such session. */
export async function deleteSession(db: Db, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('user_session')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Ends all sessions of a user but one. */
export async function deleteOtherSessions(
  tx: Tx,
  userId: number,
  kept: number | undefined,
): Promise<void> {
  await tx
    .deleteFrom('user_session')
    .where('user_id', '=', userId)
    .where('id', '<>', kept ?? 0)
    .execute()
}

export type LinkKind = 'sign_in' | 'reset' | 'mail_reset'

export async function insertLink(
  db: Db,
  link: {
    token_hash: Buffer
    user_id: number
    kind: LinkKind
    created_at: string
    expires_at: string
  },
): Promise<void> {
  await db.insertInto('user_token').values(link).execute()
}

/** Uses a link up: of two calls with the same one, the second finds nothing. */
export async function takeLink(
  tx: Tx,
  token_hash: Buffer,
  { kinds, now }: { kinds: readonly LinkKind[]; now: string },
): Promise<{ user_id: number; kind: LinkKind } | undefined> {
  return (await tx
    .deleteFrom('user_token')
    .where('token_hash', '=', token_hash)
    .where('kind', 'in', kinds)
    .where('expires_at', '>', now)
    .returning(['user_id', 'kind'])
    .executeTakeFirst()) as { user_id: number; kind: LinkKind } | undefined
}

export async function deleteLinks(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('user_token').where('user_id', '=', userId).execute()
}

/** The tables with rows that end by themselves, and the time of the end. */
const ENDED = {
  user_session: { key: 'id', ended: (now: number) => endedSession(now) },
  user_token: { key: 'token_hash', ended: (now: number) => sql`expires_at < ${iso(now)}` },
  user_invitation: { key: 'token_hash', ended: (now: number) => sql`expires_at < ${iso(now)}` },
  used_challenge: { key: 'challenge_hash', ended: (now: number) => sql`expires_at < ${iso(now)}` },
  sign_in_budget: { key: 'name_hash', ended: (now: number) => sql`resets_at < ${iso(now)}` },
} as const

const endedSession = (now: number) => {
  const { seen, created } = oldest(now)
  return sql`(seen_at < ${seen} or created_at < ${created})`
}

/** Deletes sessions, links, invitations and budgets that have ended, at most `limit` of each. */
export async function deleteEnded(db: Db, now: number, limit: number): Promise<boolean> {
  let isFull = false
  for (const [table, { key, ended }] of Object.entries(ENDED)) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)}
       where ${sql.ref(key)} in (
         select ${sql.ref(key)} from ${sql.table(table)} where ${ended(now)} limit ${limit})`.execute(
      db,
    )
    isFull ||= Number(numAffectedRows ?? 0) === limit
  }
  return isFull
}

export const selectLink = (
  db: Db,
  token_hash: Buffer,
  now: string,
): Promise<{ user_id: number } | undefined> =>
  db
    .selectFrom('user_token')
    .select('user_id')
    .where('token_hash', '=', token_hash)
    .where('kind', '=', 'mail_reset')
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** How many links of a mail the user has that are still valid. */
export async function countLinks(tx: Tx, userId: number, now: string): Promise<number> {
  const { count } = await tx
    .selectFrom('user_token')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('kind', '=', 'mail_reset')
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}
