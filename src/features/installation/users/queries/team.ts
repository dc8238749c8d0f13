import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import type { Role } from '../roles.ts'

export interface Member {
  id: number
  email: string
  name: string
  role: Role
  created_at: string
  last_seen_at: string | null
}

export async function selectTeam(db: Db, storeId: number): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select u.id, u.email, u.name, r.role, r.created_at,
           (select max(s.seen_at) from user_session s where s.user_id = u.id) as last_seen_at
      from store_role r
      join dashboard_user u on u.id = r.user_id
     where r.store_id = ${storeId}
     order by u.id`.execute(db)
  return rows
}

/** The sides of a store, the live one first. */
export async function selectSides(
  db: Db,
  store: { account_id: number; slug: string },
): Promise<number[]> {
  const rows = await db
    .selectFrom('store')
    .select('id')
    .where('account_id', '=', store.account_id)
    .where('slug', '=', store.slug)
    .orderBy('livemode', 'desc')
    .execute()
  return rows.map(({ id }) => id)
}

/** Locks the team of a store, so that two changes cannot remove the last two owners. */
export async function lockTeam(tx: Tx, storeId: number): Promise<Map<number, Role>> {
  const rows = await tx
    .selectFrom('store_role')
    .select(['user_id', 'role'])
    .where('store_id', '=', storeId)
    .orderBy('user_id')
    .forUpdate()
    .execute()
  return new Map(rows.map(({ user_id, role }) => [user_id, role as Role]))
}

export async function upsertRole(
  tx: Tx,
  sides: readonly number[],
  { user_id, role, now }: { user_id: number; role: Role; now: string },
): Promise<void> {
  await sql`
    insert into store_role (store_id, user_id, role, created_at)
    select s.id, ${user_id}, ${role}, ${now} from unnest(${sides}::bigint[]) as s(id)
        on conflict (store_id, user_id) do update set role = excluded.role`.execute(tx)
}

export async function deleteRole(tx: Tx, sides: readonly number[], userId: number): Promise<void> {
  await tx
    .deleteFrom('store_role')
    .where('store_id', 'in', sides)
    .where('user_id', '=', userId)
    .execute()
}

export interface InvitationRow {
  id: number
  email: string
  role: Role
  invited_by: number | null
  created_at: string
  expires_at: string
}

const INVITATION = ['id', 'email', 'role', 'invited_by', 'created_at', 'expires_at'] as const

export async function selectInvitations(
  db: Db,
  storeId: number,
  now: string,
): Promise<InvitationRow[]> {
  return (await db
    .selectFrom('user_invitation')
    .select(INVITATION)
    .where('store_id', '=', storeId)
    .where('expires_at', '>', now)
    .orderBy('id')
    .limit(INVITATIONS_MAX)
    .execute()) as InvitationRow[]
}

/** A store has at most as many invitations. */
export const INVITATIONS_MAX = 100

/** A second invitation of an address replaces the first. */
export async function upsertInvitation(
  tx: Tx,
  storeId: number,
  row: Omit<InvitationRow, 'id'> & { token_hash: Buffer },
): Promise<InvitationRow> {
  const { email: _, ...renewed } = row
  return (await tx
    .insertInto('user_invitation')
    .values({ store_id: storeId, ...row })
    .onConflict((conflict) => conflict.columns(['store_id', 'email']).doUpdateSet(renewed))
    .returning(INVITATION)
    .executeTakeFirstOrThrow()) as InvitationRow
}

export async function deleteInvitation(
  tx: Tx,
  storeId: number,
  id: number,
): Promise<InvitationRow | undefined> {
  return (await tx
    .deleteFrom('user_invitation')
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .returning(INVITATION)
    .executeTakeFirst()) as InvitationRow | undefined
}

export interface FoundInvitation extends InvitationRow {
  store_id: number
  account_id: number
  slug: string
  store_name: string
  hash: string
}

export async function selectInvitation(
  db: Db,
  token_hash: Buffer,
  now: string,
): Promise<FoundInvitation | undefined> {
  const { rows } = await sql<FoundInvitation>`
    select i.id, i.email, i.role, i.invited_by, i.created_at, i.expires_at, i.store_id,
           s.account_id, s.slug, s.name as store_name, s.hash
      from user_invitation i
      join store s on s.id = i.store_id
     where i.token_hash = ${token_hash} and i.expires_at > ${now}`.execute(db)
  return rows[0]
}
