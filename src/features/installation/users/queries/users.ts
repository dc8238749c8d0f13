import type { Selectable } from 'kysely'
import { lockEmail } from '../../../../db/advisory-locks.ts'
import type { Db, Tx } from '../../../../db/database.ts'
import { allRows, firstRow, hasChanged } from '../../../../db/rows.ts'
import type { Tables } from '../../../../db/tables.gen.ts'
import { emailForms } from '../../../../kernel/email.ts'
import type { Role } from '../roles.ts'
import type { MemberStore } from '../schema.ts'

export type UserRow = Selectable<Tables['dashboard_user']>

/** Returns the user with this address in any of its forms. */
export const selectUserByEmail = (db: Db, email: string): Promise<UserRow | undefined> =>
  db
    .selectFrom('dashboard_user')
    .selectAll()
    .where('email', 'in', emailForms(email))
    .executeTakeFirst()

/**
 * Locks an address that has several forms until the commit, and returns the form in which a user has it, or the given
 * form if there is none (decision 448). An ordinary address has one form and needs no statement.
 */
async function storedUserEmail(tx: Tx, email: string): Promise<string> {
  if (emailForms(email).length < 2) return email
  await lockEmail(tx, 'user', { storeId: 0, email })
  return (await selectUserByEmail(tx, email))?.email ?? email
}

export const selectUser = (db: Db, id: number): Promise<UserRow | undefined> =>
  db.selectFrom('dashboard_user').selectAll().where('id', '=', id).executeTakeFirst()

/** Locks the user, so that concurrent changes of credentials run one after the other. */
export const lockUser = (tx: Tx, id: number): Promise<UserRow | undefined> =>
  tx.selectFrom('dashboard_user').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Returns the id of the new user, or undefined if a user has this address. */
export async function insertUser(
  tx: Tx,
  row: Pick<UserRow, 'email' | 'name' | 'password_hash' | 'created_at'>,
): Promise<number | undefined> {
  const email = await storedUserEmail(tx, row.email)
  const inserted = await tx
    .insertInto('dashboard_user')
    .values({ ...row, email })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

export async function renameUser(tx: Tx, id: number, name: string): Promise<void> {
  await tx.updateTable('dashboard_user').set({ name }).where('id', '=', id).execute()
}

/** Changes the address of a user. Fails with a unique violation if another user has it. */
export async function updateEmail(tx: Tx, id: number, newEmail: string): Promise<void> {
  const email = await storedUserEmail(tx, newEmail)
  await tx.updateTable('dashboard_user').set({ email }).where('id', '=', id).execute()
}

export async function updatePassword(
  tx: Tx,
  id: number,
  password_hash: string | null,
): Promise<void> {
  await tx.updateTable('dashboard_user').set({ password_hash }).where('id', '=', id).execute()
}

type TotpState = Pick<
  UserRow,
  'totp_secret_enc' | 'totp_enabled_at' | 'totp_last_step' | 'recovery_hashes'
>

export async function updateTotp(tx: Tx, id: number, totp: Partial<TotpState>): Promise<void> {
  await tx.updateTable('dashboard_user').set(totp).where('id', '=', id).execute()
}

export const clearTotp = (tx: Tx, id: number): Promise<void> =>
  updateTotp(tx, id, { totp_secret_enc: null, totp_enabled_at: null, recovery_hashes: [] })

/** Marks a TOTP step as used. Returns false if another call has used it. */
export async function useTotpStep(db: Db, id: number, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('dashboard_user')
    .set({ totp_last_step: step })
    .where('id', '=', id)
    .where('totp_last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes a recovery code. Returns false if the user does not have it. */
export const useRecoveryCode = (db: Db, id: number, hash: Buffer) =>
  hasChanged(db)`
    update dashboard_user set recovery_hashes = array_remove(recovery_hashes, ${hash}::bytea)
     where id = ${id} and ${hash}::bytea = any(recovery_hashes)`

type StoreOfUser = MemberStore & { store_id: number }

export const selectStoresOfUser = (db: Db, userId: number) =>
  allRows<StoreOfUser>(db)`
    select s.id as store_id, s.hash as id, s.name, s.slug, s.livemode, s.time_zone, r.role
      from store_role r
      join store s on s.id = r.store_id
     where r.user_id = ${userId}
     order by s.slug, s.livemode desc`

interface ListedUser {
  id: number
  email: string
  name: string
  stores: { id: string; slug: string; livemode: boolean; role: Role }[]
  created_at: string
}

export const selectUsers = (db: Db) =>
  allRows<ListedUser>(db)`
    select u.id, u.email, u.name, u.created_at,
           coalesce(json_agg(json_build_object('id', s.hash, 'slug', s.slug, 'livemode', s.livemode, 'role', r.role)
                             order by s.slug, s.livemode desc)
                      filter (where s.id is not null), '[]') as stores
      from dashboard_user u
      left join store_role r on r.user_id = u.id
      left join store s on s.id = r.store_id
     group by u.id
     order by u.id`

/** Returns the first owner of a store; without a store, the first owner of any store. */
export const selectFirstOwner = (db: Db, storeId: number | undefined) =>
  firstRow<{ user_id: number; email: string; hash: string }>(db)`
    select u.id as user_id, u.email, s.hash
      from store_role r
      join dashboard_user u on u.id = r.user_id
      join store s on s.id = r.store_id
     where r.role = 'owner' and (s.id = ${storeId ?? null} or ${storeId ?? null}::bigint is null)
     order by s.livemode desc, s.id, u.id
     limit 1`
