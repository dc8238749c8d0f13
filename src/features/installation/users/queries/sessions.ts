import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { allRows, firstRow, onlyValue } from '../../../../db/rows.ts'
import { iso } from '../../../../kernel/time.ts'
import type { Role } from '../roles.ts'
import type { DashboardSession } from '../schema.ts'
import { IDLE_MS, SESSION_MS, type UserSession } from '../session.rules.ts'

/** Returns the times after which a valid session was created and last used. */
const sessionLimits = (now: number) => ({
  seenAfter: iso(now - IDLE_MS),
  createdAfter: iso(now - SESSION_MS),
})

/** Finds a valid session with its user and the user's role, in one statement (decision 134). */
export function selectSession(
  db: Db,
  token_hash: Buffer,
  { storeId, now }: { storeId: number | undefined; now: number },
) {
  const { seenAfter, createdAfter } = sessionLimits(now)
  return firstRow<UserSession>(db)`
    select s.id, s.user_id, u.email, u.name, u.password_hash is not null as has_password,
           u.totp_enabled_at is not null as has_totp, r.role, s.created_at, s.seen_at,
           s.stepped_up_at, s.resets_password
      from user_session s
      join dashboard_user u on u.id = s.user_id
      left join store_role r on r.user_id = s.user_id and r.store_id = ${storeId ?? null}
     where s.token_hash = ${token_hash} and s.seen_at > ${seenAfter} and s.created_at > ${createdAfter}`
}

interface SessionRole extends Pick<UserSession, 'seen_at' | 'created_at'> {
  session_id: number
  store_id: number
  role: Role
}

/** Returns each session with its role in the store. Ended sessions, and those without a role, are left out. */
export function selectSessionRoles(
  db: Db,
  sessions: readonly { session_id: number; store_id: number }[],
  now: number,
) {
  const { seenAfter, createdAfter } = sessionLimits(now)
  return allRows<SessionRole>(db)`
    select s.id as session_id, r.store_id, r.role, s.seen_at, s.created_at
      from unnest(${sessions.map((item) => item.session_id)}::bigint[],
                  ${sessions.map((item) => item.store_id)}::bigint[]) as requested(session_id, store_id)
      join user_session s on s.id = requested.session_id
      join store_role r on r.user_id = s.user_id and r.store_id = requested.store_id
     where s.seen_at > ${seenAfter} and s.created_at > ${createdAfter}`
}

/** The limit up to which sessions are counted, so that metrics stay cheap. */
const COUNTED_MAX = 10_000

/** Counts the sessions that were used in the past 15 minutes. */
export const countActiveUserSessions = (db: Db) =>
  onlyValue<number>(db)`
    select count(*)::integer
      from (select from user_session
             where seen_at > clock_timestamp() - interval '15 minutes'
             limit ${COUNTED_MAX}) s`

interface NewUserSession {
  user_id: number
  token_hash: Buffer
  now: string
  stepped_up_at: string | null
  resets_password: boolean
  address: string
  user_agent: string
}

export async function insertSession(db: Db, { now, ...row }: NewUserSession): Promise<void> {
  await db
    .insertInto('user_session')
    .values({ ...row, created_at: now, seen_at: now })
    .execute()
}

export async function touchSession(db: Db, id: number, now: string): Promise<void> {
  await db.updateTable('user_session').set({ seen_at: now }).where('id', '=', id).execute()
}

/** Gives the session a new token and marks it as stepped up. Returns false if the session has ended. */
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

/** Returns the valid sessions of a user, newest first. */
export async function selectSessions(
  db: Db,
  userId: number,
  now: number,
): Promise<Omit<DashboardSession, 'current'>[]> {
  const { seenAfter, createdAfter } = sessionLimits(now)
  return db
    .selectFrom('user_session')
    .select(['id', 'address', 'user_agent', 'created_at', 'seen_at'])
    .where('user_id', '=', userId)
    .where('seen_at', '>', seenAfter)
    .where('created_at', '>', createdAfter)
    .orderBy('id', 'desc')
    .limit(SESSIONS_MAX)
    .execute()
}

const SESSIONS_MAX = 100

/** Returns false if the user has no such session. */
export async function deleteSession(db: Db, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('user_session')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Ends all sessions of a user except one, if it is given. */
export async function deleteOtherSessions(
  tx: Tx,
  userId: number,
  exceptId: number | undefined,
): Promise<void> {
  // No session has the id 0.
  await tx
    .deleteFrom('user_session')
    .where('user_id', '=', userId)
    .where('id', '<>', exceptId ?? 0)
    .execute()
}

export type LinkKind = 'sign_in' | 'reset' | 'mail_reset' | 'email'

export async function insertLink(
  db: Db,
  link: {
    token_hash: Buffer
    user_id: number
    kind: LinkKind
    /** The new address, in links of the kind `email`. */
    email?: string
    /** True in links of the kind `reset` that leave codes turned on. */
    keeps_factors?: boolean
    created_at: string
    expires_at: string
  },
): Promise<void> {
  await db.insertInto('user_token').values(link).execute()
}

/** Deletes a link and returns it. Of two concurrent calls with the same link, only one gets it. */
export async function consumeLink(
  tx: Tx,
  token_hash: Buffer,
  { kinds, now }: { kinds: readonly LinkKind[]; now: string },
): Promise<UsedLink | undefined> {
  return (await tx
    .deleteFrom('user_token')
    .where('token_hash', '=', token_hash)
    .where('kind', 'in', kinds)
    .where('expires_at', '>', now)
    .returning(['user_id', 'kind', 'email', 'keeps_factors'])
    .executeTakeFirst()) as UsedLink | undefined
}

interface UsedLink {
  user_id: number
  kind: LinkKind
  email: string | null
  keeps_factors: boolean
}

export async function deleteLinks(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('user_token').where('user_id', '=', userId).execute()
}

const hasExpired = (now: number) => sql`expires_at < ${iso(now)}`

const isEndedSession = (now: number) => {
  const { seenAfter, createdAfter } = sessionLimits(now)
  return sql`(seen_at < ${seenAfter} or created_at < ${createdAfter})`
}

/** The tables whose rows expire, with their key and the condition of an expired row. */
const EXPIRING_TABLES = {
  user_session: { key: 'id', hasEnded: isEndedSession },
  user_token: { key: 'token_hash', hasEnded: hasExpired },
  user_invitation: { key: 'token_hash', hasEnded: hasExpired },
  used_challenge: { key: 'challenge_hash', hasEnded: hasExpired },
  sign_in_budget: { key: 'name_hash', hasEnded: (now: number) => sql`resets_at < ${iso(now)}` },
} as const

/** Deletes up to `limit` ended rows of each table. Returns true if more rows may have ended. */
export async function deleteEnded(db: Db, now: number, limit: number): Promise<boolean> {
  let mayHaveMore = false
  for (const [table, { key, hasEnded }] of Object.entries(EXPIRING_TABLES)) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)}
       where ${sql.ref(key)} in (
         select ${sql.ref(key)} from ${sql.table(table)} where ${hasEnded(now)} limit ${limit})`.execute(
      db,
    )
    mayHaveMore ||= Number(numAffectedRows ?? 0) === limit
  }
  return mayHaveMore
}

export const selectMailedResetLink = (
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

/** Counts the valid links of the user of one kind. */
export async function countLinks(
  tx: Tx,
  userId: number,
  { kind, now }: { kind: LinkKind; now: string },
): Promise<number> {
  const { count } = await tx
    .selectFrom('user_token')
    .select((builder) => builder.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}
