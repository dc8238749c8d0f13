import type { Db, Tx } from '../../../../db/database.ts'
import { allRows, execute, firstRow } from '../../../../db/rows.ts'
import type { Role } from '../roles.ts'
import type { Invitation, Member } from '../schema.ts'

export const selectTeam = (db: Db, storeId: number) =>
  allRows<Member>(db)`
    select u.id, u.email, u.name, r.role, r.created_at,
           (select max(s.seen_at) from user_session s where s.user_id = u.id) as last_seen_at
      from store_role r
      join dashboard_user u on u.id = r.user_id
     where r.store_id = ${storeId}
     order by u.id`

/** Returns the ids of both sides of a store, the live side first. */
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

/** Returns the id of the live side of a store. */
export async function selectLiveId(
  db: Db,
  store: { id: number; account_id: number; slug: string },
): Promise<number> {
  const [liveId = store.id] = await selectSides(db, store)
  return liveId
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

export const upsertRole = (
  tx: Tx,
  sides: readonly number[],
  { user_id, role, now }: { user_id: number; role: Role; now: string },
) =>
  execute(tx)`
    insert into store_role (store_id, user_id, role, created_at)
    select s.id, ${user_id}, ${role}, ${now} from unnest(${sides}::bigint[]) as s(id)
        on conflict (store_id, user_id) do update set role = excluded.role`

export async function deleteRole(tx: Tx, sides: readonly number[], userId: number): Promise<void> {
  await tx
    .deleteFrom('store_role')
    .where('store_id', 'in', sides)
    .where('user_id', '=', userId)
    .execute()
}

const COLUMNS = ['id', 'email', 'role', 'invited_by', 'created_at', 'expires_at'] as const

export async function selectInvitations(
  db: Db,
  storeId: number,
  now: string,
): Promise<Invitation[]> {
  return (await db
    .selectFrom('user_invitation')
    .select(COLUMNS)
    .where('store_id', '=', storeId)
    .where('expires_at', '>', now)
    .orderBy('id')
    .limit(INVITATIONS_MAX)
    .execute()) as Invitation[]
}

/** The maximum number of open invitations of a store. */
export const INVITATIONS_MAX = 100

/** Writes an invitation. It replaces an earlier invitation of the same address. */
export async function upsertInvitation(
  tx: Tx,
  storeId: number,
  row: Omit<Invitation, 'id'> & { token_hash: Buffer },
): Promise<Invitation> {
  const { email, ...fields } = row
  return (await tx
    .insertInto('user_invitation')
    .values({ store_id: storeId, ...row })
    .onConflict((conflict) => conflict.columns(['store_id', 'email']).doUpdateSet(fields))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()) as Invitation
}

export async function deleteInvitation(
  tx: Tx,
  storeId: number,
  id: number,
): Promise<Invitation | undefined> {
  return (await tx
    .deleteFrom('user_invitation')
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()) as Invitation | undefined
}

/** Deletes the invitations that the user made, except those for these roles. */
export const deleteInvitationsOf = (
  tx: Tx,
  storeId: number,
  { user_id, exceptRoles }: { user_id: number; exceptRoles: readonly Role[] },
) =>
  execute(tx)`
    delete from user_invitation
     where store_id = ${storeId} and invited_by = ${user_id}
       and role <> all (${exceptRoles}::text[])`

/** Deletes the invitation with this token. Returns undefined if it was replaced or withdrawn meanwhile. */
export async function consumeInvitation(
  tx: Tx,
  token_hash: Buffer,
): Promise<Invitation | undefined> {
  return (await tx
    .deleteFrom('user_invitation')
    .where('token_hash', '=', token_hash)
    .returning(COLUMNS)
    .executeTakeFirst()) as Invitation | undefined
}

export interface InvitationOfStore extends Invitation {
  store_id: number
  account_id: number
  slug: string
  store_name: string
  hash: string
  /** The name of the user who sent the invitation; null if the user was deleted. */
  inviter_name: string | null
}

export const selectInvitation = (db: Db, token_hash: Buffer, now: string) =>
  firstRow<InvitationOfStore>(db)`
    select i.id, i.email, i.role, i.invited_by, i.created_at, i.expires_at, i.store_id,
           s.account_id, s.slug, s.name as store_name, s.hash,
           coalesce(nullif(u.name, ''), u.email) as inviter_name
      from user_invitation i
      join store s on s.id = i.store_id
      left join dashboard_user u on u.id = i.invited_by
     where i.token_hash = ${token_hash} and i.expires_at > ${now}`
