import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import type { Role } from '../roles.ts'

export interface UserRow {
  id: number
  email: string
  name: string
  password_hash: string | null
  totp_secret_enc: Buffer | null
  totp_enabled_at: string | null
  totp_last_step: number
  recovery_hashes: Buffer[]
  created_at: string
}

const COLUMNS = [
  'id',
  'email',
  'name',
  'password_hash',
  'totp_secret_enc',
  'totp_enabled_at',
  'totp_last_step',
  'recovery_hashes',
  'created_at',
] as const

export const selectUserByEmail = (db: Db, email: string): Promise<UserRow | undefined> =>
  db
    .selectFrom('dashboard_user')
    .select(COLUMNS)
    .where('email', '=', email)
    .executeTakeFirst() as Promise<UserRow | undefined>

export const selectUser = (db: Db, id: number): Promise<UserRow | undefined> =>
  db
    .selectFrom('dashboard_user')
    .select(COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst() as Promise<UserRow | undefined>

/** Locks the user, so that of two changes of credentials the second sees the first. */
export const lockUser = (tx: Tx, id: number): Promise<UserRow | undefined> =>
  tx
    .selectFrom('dashboard_user')
    .select(COLUMNS)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst() as Promise<UserRow | undefined>

/** Returns the id; undefined if the address belongs to a user. */
export async function insertUser(
  tx: Tx,
  row: Pick<UserRow, 'email' | 'name' | 'password_hash' | 'created_at'>,
): Promise<number | undefined> {
  const made = await tx
    .insertInto('dashboard_user')
    .values(row)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

export async function updatePassword(tx: Tx, id: number, password_hash: string): Promise<void> {
  await tx.updateTable('dashboard_user').set({ password_hash }).where('id', '=', id).execute()
}

export type TotpState = Pick<
  UserRow,
  'totp_secret_enc' | 'totp_enabled_at' | 'totp_last_step' | 'recovery_hashes'
>

export async function updateTotp(tx: Tx, id: number, totp: Partial<TotpState>): Promise<void> {
  await tx.updateTable('dashboard_user').set(totp).where('id', '=', id).execute()
}

/** Marks a step as used; false if a call with the same code was faster. */
export async function useStep(db: Db, id: number, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('dashboard_user')
    .set({ totp_last_step: step })
    .where('id', '=', id)
    .where('totp_last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes a recovery code; false if the user does not have it. */
export async function useRecoveryCode(db: Db, id: number, hash: Buffer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update dashboard_user set recovery_hashes = array_remove(recovery_hashes, ${hash}::bytea)
     where id = ${id} and ${hash}::bytea = any(recovery_hashes)`.execute(db)
  return numAffectedRows === 1n
}

export interface StoreOfUser {
  store_id: number
  id: string
  name: string
  slug: string
  livemode: boolean
  role: Role
}

export async function selectStoresOfUser(db: Db, userId: number): Promise<StoreOfUser[]> {
  const { rows } = await sql<StoreOfUser>`
    select s.id as store_id, s.hash as id, s.name, s.slug, s.livemode, r.role
      from store_role r
      join store s on s.id = r.store_id
     where r.user_id = ${userId}
     order by s.slug, s.livemode desc`.execute(db)
  return rows
}

export interface ListedUser {
  id: number
  email: string
  name: string
  stores: { id: string; slug: string; livemode: boolean; role: Role }[]
  created_at: string
}

export async function selectUsers(db: Db): Promise<ListedUser[]> {
  const { rows } = await sql<ListedUser>`
    select u.id, u.email, u.name, u.created_at,
           coalesce(json_agg(json_build_object('id', s.hash, 'slug', s.slug, 'livemode', s.livemode, 'role', r.role)
                             order by s.slug, s.livemode desc)
                      filter (where s.id is not null), '[]') as stores
      from dashboard_user u
      left join store_role r on r.user_id = u.id
      left join store s on s.id = r.store_id
     group by u.id
     order by u.id`.execute(db)
  return rows
}

/** The first owner of a store, or of any store. */
export async function selectFirstOwner(
  db: Db,
  storeId: number | undefined,
): Promise<{ user_id: number; email: string; hash: string } | undefined> {
  const { rows } = await sql<{ user_id: number; email: string; hash: string }>`
    select u.id as user_id, u.email, s.hash
      from store_role r
      join dashboard_user u on u.id = r.user_id
      join store s on s.id = r.store_id
     where r.role = 'owner' and (s.id = ${storeId ?? null} or ${storeId ?? null}::bigint is null)
     order by s.livemode desc, s.id, u.id
     limit 1`.execute(db)
  return rows[0]
}
